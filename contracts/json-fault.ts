import jsonc from 'jsonc-parser';

/** Finds where a text stops being JSON (RFC 8259). */

/**
 * Returns the position at which a text stops being JSON, or its length if it ends too early; undefined for valid JSON.
 */
export function faultIn(text: string): number | undefined {
  let fault: number | undefined;
  const onError = (_code: number, offset: number, length: number): void => {
    // An unterminated text literal is reported at its end, not at its start.
    const isText = text[offset] === '"' && !text.slice(offset + 1, offset + length).endsWith('"');
    fault ??= isText ? offset + length : offset;
  };
  try {
    jsonc.visit(text, { onError }, { disallowComments: true });
  } catch {
    // The parser is recursive. Nesting beyond its depth is reported at the end of the text.
    fault ??= text.length;
  }
  return fault;
}

/**
 * Describes where a text stops being JSON: `line 3, column 7`, or `it ends too early`. Quotes nothing from the text,
 * because it may contain a secret.
 */
export function faultPlace(text: string): string {
  const at = faultIn(text) ?? text.length;
  if (text.slice(at).trim() === '') return 'it ends too early';
  const before = text.slice(0, at).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
