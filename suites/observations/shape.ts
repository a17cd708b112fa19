const deepest = 3;
const mostMembers = 12;

/** The shape of a JSON value in a line: `{ status: number, errors: [{ property: string }] }`. Bounded in depth and width. */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return depth >= deepest ? '[…]' : `[${shapeOf(value[0], depth + 1)}]`;
  }
  if (typeof value !== 'object') return typeof value;
  if (depth >= deepest) return '{…}';
  const names = Object.keys(value);
  const members = names
    .slice(0, mostMembers)
    .map(name => `${name.slice(0, 40)}: ${shapeOf((value as Record<string, unknown>)[name], depth + 1)}`);
  return `{ ${[...members, ...(names.length > mostMembers ? ['…'] : [])].join(', ')} }`;
}
