/** Where a text stops being JSON (RFC 8259), in words that quote nothing of it: what stands there may be a secret. */

/** What may come next; `item` and `member` may be the end of a list or an object too. */
type Due = 'value' | 'item' | 'name' | 'member' | 'colon' | 'next';

const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no text of JSON may hold them
const plain = /[^"\\\u0000-\u001f]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const space = /[ \t\n\r]*/y;

/** The place after what a pattern matches at a place; the same place where it matches nothing. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The place after the text literal that begins at a quote, or where it breaks off. */
function afterText(text: string, at: number): { readonly end: number; readonly isWhole: boolean } {
  for (let end = at + 1; ; ) {
    end = after(plain, text, end);
    if (text[end] === '"') return { end: end + 1, isWhole: true };
    const next = after(escaped, text, end);
    if (next === end) return { end, isWhole: false };
    end = next;
  }
}

/** The place at which a text stops being JSON, its length where it ends too early; undefined where it is JSON. */
export function faultIn(text: string): number | undefined {
  const open: ('}' | ']')[] = [];
  let due = 'value' as Due;
  for (let at = after(space, text, 0); ; at = after(space, text, at)) {
    const sign = text[at];
    if (due === 'next' && open.length === 0) return sign === undefined ? undefined : at;
    if (sign === undefined) return at;
    if ((due === 'next' || due === 'item' || due === 'member') && sign === open.at(-1)) {
      open.pop();
      due = 'next';
    } else if (due === 'next' || due === 'colon') {
      if (sign !== (due === 'next' ? ',' : ':')) return at;
      due = due === 'next' && open.at(-1) === '}' ? 'name' : 'value';
    } else if (sign === '"') {
      const { end, isWhole } = afterText(text, at);
      if (!isWhole) return end;
      due = due === 'name' || due === 'member' ? 'colon' : 'next';
      at = end;
      continue;
    } else if (due === 'name' || due === 'member') {
      return at;
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? '}' : ']');
      due = sign === '{' ? 'member' : 'item';
    } else {
      const end = after(scalar, text, at);
      if (end === at) return at;
      due = 'next';
      at = end;
      continue;
    }
    at += 1;
  }
}

/** Where a text that is no JSON stops being it: `line 3, column 7`, or `it ends too early`. */
export function faultPlace(text: string): string {
  const at = faultIn(text) ?? text.length;
  if (at === text.length) return 'it ends too early';
  const before = text.slice(0, at).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
