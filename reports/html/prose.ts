/** A sentence whose words between back quotes are to be set as code. */
export type Prose = readonly { readonly text: string; readonly code: boolean }[];

/** The pieces of a sentence: `a ‘code‘ word` between back quotes becomes a piece of its own; an unpaired quote stays as it is. */
export function prose(sentence: string): Prose {
  return sentence.split(/(`[^`]+`)/).flatMap(piece => {
    const code = piece.length > 2 && piece.startsWith('`') && piece.endsWith('`');
    return piece === '' ? [] : [{ text: code ? piece.slice(1, -1) : piece, code }];
  });
}
