import jsonc from 'jsonc-parser';

/** Where a text stops being JSON (RFC 8259), in words that quote nothing of it: what stands there may be a secret. */

/** The place at which a text stops being JSON, its length where it ends too early; undefined where it is JSON. */
export function faultIn(text: string): number | undefined {
  let fault: number | undefined;
  const onError = (_code: number, offset: number, length: number): void => {
    // A text literal that breaks off is wrong at its end, not where it begins.
    const isText = text[offset] === '"' && !text.slice(offset + 1, offset + length).endsWith('"');
    fault ??= isText ? offset + length : offset;
  };
  try {
    jsonc.visit(text, { onError }, { disallowComments: true });
  } catch {
    // The parser is recursive: what is nested deeper than it can follow is told at its end.
    fault ??= text.length;
  }
  return fault;
}

/** Where a text that is no JSON stops being it: `line 3, column 7`, or `it ends too early`. */
export function faultPlace(text: string): string {
  const at = faultIn(text) ?? text.length;
  if (text.slice(at).trim() === '') return 'it ends too early';
  const before = text.slice(0, at).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
