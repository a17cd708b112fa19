/** How a piece of a sentence is set. */
export type Setting = 'plain' | 'code' | 'emphasis';

/** A statement of the ledger in pieces: what stands between back quotes is code, what stands between asterisks is a name. */
export type Prose = readonly Piece[];

interface Piece {
  readonly text: string;
  readonly as: Setting;
}

/** The pieces of a statement. A back quote or an asterisk without its partner stays as it is. */
export function prose(statement: string): Prose {
  return statement.split(/(`[^`]+`|\*[^\s*][^*]*\*)/).flatMap((text, index): Piece[] => {
    if (text === '') return [];
    if (index % 2 === 0) return [{ text, as: 'plain' }];
    return [{ text: text.slice(1, -1), as: text.startsWith('`') ? 'code' : 'emphasis' }];
  });
}
