/** A sentence in pieces. */
export type Prose = readonly ProsePiece[];

interface ProsePiece {
  readonly text: string;
  readonly as: 'plain' | 'code' | 'emphasis';
}

/**
 * Splits a statement of a requirement: text between back quotes is code, text between asterisks is emphasised. A back
 * quote or an asterisk without its partner stays as it is.
 */
export function prose(statement: string): Prose {
  return statement.split(/(`[^`]+`|\*[^\s*][^*]*\*)/).flatMap((text, index): ProsePiece[] => {
    if (text === '') return [];
    if (index % 2 === 0) return [{ text, as: 'plain' }];
    return [{ text: text.slice(1, -1), as: text.startsWith('`') ? 'code' : 'emphasis' }];
  });
}

/** Splits the title of a cause: text between back quotes is code. What a target sent may stand anywhere in it. */
export function titleProse(title: string): Prose {
  return title
    .split(/(`[^`]+`)/)
    .flatMap((text, index): ProsePiece[] =>
      text === '' ? [] : [index % 2 === 0 ? { text, as: 'plain' } : { text: text.slice(1, -1), as: 'code' }],
    );
}
