import { isObject } from '../../contracts/json.ts';

/** What a value must be, in the words of a finding: as a filter of jq, and as what is true of it. */
export interface Shape {
  readonly filter: string;
  readonly has: (value: unknown) => boolean;
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isText = (value: unknown): boolean => typeof value === 'string';

// biome-ignore format: a table
const shapes: Readonly<Record<string, Shape>> = {
  'an object':     { filter: 'type == "object"',                has: value => isObject(value) },
  'an array':      { filter: 'type == "array"',                 has: Array.isArray },
  'a string':      { filter: 'type == "string"',                has: isText },
  'a text':        { filter: 'type == "string"',                has: isText },
  'a number':      { filter: 'type == "number"',                has: value => typeof value === 'number' },
  'an integer':    { filter: 'type == "number" and floor == .', has: Number.isInteger },
  'a boolean':     { filter: 'type == "boolean"',               has: isBoolean },
  'true or false': { filter: 'type == "boolean"',               has: isBoolean },
  'null':          { filter: 'type == "null"',                  has: value => value === null },
};

/** Returns the shape for words such as `must be an object or null`; undefined for others. */
export function shapeOf(expected: string): Shape | undefined {
  const words = expected.replace(/^must be /, '');
  const rows = (Object.hasOwn(shapes, words) ? [words] : words.split(' or ')).map(word =>
    Object.hasOwn(shapes, word) ? shapes[word] : undefined,
  );
  const known = rows.filter(row => row !== undefined);
  if (known.length < rows.length) return undefined;
  return {
    filter: known.map(({ filter }) => `(${filter})`).join(' or '),
    has: value => known.some(({ has }) => has(value)),
  };
}
