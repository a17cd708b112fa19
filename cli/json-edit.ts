import jsonc, { type Node } from 'jsonc-parser';

/** Parses a text, which is valid JSON. */
const treeOf = (text: string): Node => jsonc.parseTree(text) as Node;

/** Returns the value of a member of an object: the last of several with its name, undefined if there is none. */
const memberOf = (object: Node | undefined, name: string): Node | undefined =>
  object?.type === 'object'
    ? object.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]
    : undefined;

/** Returns the offsets of the items of an array, a member of the top-level object; empty if there is none. */
export function itemsOf(text: string, member: string): { readonly start: number; readonly end: number }[] {
  const found = memberOf(treeOf(text), member);
  const items = found?.type === 'array' ? (found.children ?? []) : [];
  return items.map(({ offset, length }) => ({ start: offset, end: offset + length }));
}

/** Returns the text with one value replaced. */
const replaced = (text: string, { offset, length }: Pick<Node, 'offset' | 'length'>, by: string): string =>
  `${text.slice(0, offset)}${by}${text.slice(offset + length)}`;

/** Adds a member after the last one of an object, with the same white space before it. */
function withMember(text: string, object: Node, member: string): string {
  const last = object.children?.at(-1);
  if (!last) return replaced(text, object, `{ ${member} }`);
  const space = /\s*$/.exec(text.slice(0, last.offset))?.[0] ?? '';
  return replaced(text, { offset: last.offset + last.length, length: 0 }, `,${space === '' ? ' ' : space}${member}`);
}

/**
 * Returns the text of a target file with `coverage.min`: the old number replaced, or new members at the end. Everything
 * else stays letter by letter: white space, order, `$NAME`s. The text must be a JSON object.
 */
export function withCoverageMin(text: string, min: number): string {
  const root = treeOf(text);
  const coverage = memberOf(root, 'coverage');
  if (coverage?.type !== 'object') return withMember(text, root, `"coverage": { "min": ${min} }`);
  const stated = memberOf(coverage, 'min');
  return stated ? replaced(text, stated, String(min)) : withMember(text, coverage, `"min": ${min}`);
}
