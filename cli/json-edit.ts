import jsonc, { type Node } from 'jsonc-parser';

/** The whole of a text, which is JSON. */
const treeOf = (text: string): Node => jsonc.parseTree(text) as Node;

/** The value of a member of an object, the last one where several have its name; undefined where it has none. */
const memberOf = (object: Node | undefined, name: string): Node | undefined =>
  object?.type === 'object'
    ? object.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]
    : undefined;

/** Where the items of an array stand, a member of the object that is the whole text; none if it has none. */
export function itemsOf(text: string, member: string): { readonly start: number; readonly end: number }[] {
  const found = memberOf(treeOf(text), member);
  const items = found?.type === 'array' ? (found.children ?? []) : [];
  return items.map(({ offset, length }) => ({ start: offset, end: offset + length }));
}

/** The text with another one in the place of a value. */
const replaced = (text: string, { offset, length }: Pick<Node, 'offset' | 'length'>, by: string): string =>
  `${text.slice(0, offset)}${by}${text.slice(offset + length)}`;

/** Adds a member after the last one of an object, set apart as that one is. */
function withMember(text: string, object: Node, member: string): string {
  const last = object.children?.at(-1);
  if (last === undefined) return replaced(text, object, `{ ${member} }`);
  const space = /\s*$/.exec(text.slice(0, last.offset))?.[0] ?? '';
  return replaced(text, { offset: last.offset + last.length, length: 0 }, `,${space === '' ? ' ' : space}${member}`);
}

/**
 * The text of a target file with `coverage.min`: a number in the place of the old one, or new members at the end.
 * Everything else stays letter by letter: white space, order, `$NAME`s. The text is a JSON object.
 */
export function withCoverageMin(text: string, min: number): string {
  const root = treeOf(text);
  const coverage = memberOf(root, 'coverage');
  if (coverage?.type !== 'object') return withMember(text, root, `"coverage": { "min": ${min} }`);
  const stated = memberOf(coverage, 'min');
  return stated === undefined ? withMember(text, coverage, `"min": ${min}`) : replaced(text, stated, String(min));
}
