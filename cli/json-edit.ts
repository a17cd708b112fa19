/** A member of an object in a JSON text: its name, and where the name begins and the value begins and ends. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

const skipSpace = (text: string, at: number): number => {
  let index = at;
  while (/\s/.test(text[index] ?? '')) index += 1;
  return index;
};

/** The place after the text literal that begins at a quote. */
function afterText(text: string, at: number): number {
  let index = at + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}

/** The place after the value that begins at `at`. */
function afterValue(text: string, at: number): number {
  if (text[at] === '"') return afterText(text, at);
  let depth = 0;
  for (let index = at; index < text.length; ) {
    const sign = text[index] as string;
    if (sign === '"') {
      index = afterText(text, index);
      continue;
    }
    if (depth === 0 && /[\s,\]}]/.test(sign)) return index;
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    index += 1;
    if (depth === 0 && (sign === '}' || sign === ']')) return index;
  }
  return text.length;
}

/** The members of the object that begins at `at`. */
function membersAt(text: string, at: number): Member[] {
  const members: Member[] = [];
  let index = skipSpace(text, at + 1);
  while (text[index] === '"') {
    const start = index;
    const nameEnd = afterText(text, start);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = afterValue(text, value);
    members.push({ name: JSON.parse(text.slice(start, nameEnd)) as string, start, value, end });
    index = skipSpace(text, end);
    if (text[index] === ',') index = skipSpace(text, index + 1);
  }
  return members;
}

/** Where the items of an array stand, a member of the object that is the whole text; none if it has none. */
export function itemsOf(text: string, member: string): { readonly start: number; readonly end: number }[] {
  const found = membersAt(text, skipSpace(text, 0)).findLast(({ name }) => name === member);
  if (found === undefined || text[found.value] !== '[') return [];
  const items: { start: number; end: number }[] = [];
  let index = skipSpace(text, found.value + 1);
  while (index < text.length && text[index] !== ']') {
    const end = afterValue(text, index);
    items.push({ start: index, end });
    index = skipSpace(text, end);
    if (text[index] === ',') index = skipSpace(text, index + 1);
  }
  return items;
}

const replaced = (text: string, from: number, to: number, by: string): string =>
  `${text.slice(0, from)}${by}${text.slice(to)}`;

/** Adds a member after the last one of the object that begins at `at`, set apart as that one is. */
function withMember(text: string, at: number, member: string): string {
  const last = membersAt(text, at).at(-1);
  if (last === undefined) return replaced(text, at, afterValue(text, at), `{ ${member} }`);
  const space = /\s*$/.exec(text.slice(0, last.start))?.[0] ?? '';
  return replaced(text, last.end, last.end, `,${space === '' ? ' ' : space}${member}`);
}

/**
 * The text of a target file with `coverage.min`: a number in the place of the old one, or new members at the end.
 * Everything else stays letter by letter: white space, order, `$NAME`s. The text is a JSON object.
 */
export function withCoverageMin(text: string, min: number): string {
  const root = skipSpace(text, 0);
  const coverage = membersAt(text, root).findLast(({ name }) => name === 'coverage');
  if (coverage === undefined || text[coverage.value] !== '{')
    return withMember(text, root, `"coverage": { "min": ${min} }`);
  const stated = membersAt(text, coverage.value).findLast(({ name }) => name === 'min');
  return stated === undefined
    ? withMember(text, coverage.value, `"min": ${min}`)
    : replaced(text, stated.value, stated.end, String(min));
}
