import { isObject } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { Discrepancy } from '../../contracts/report/evidence.ts';

/** What a value must be: as a filter of jq, and as what is true of it. */
interface Shape {
  readonly filter: string;
  readonly has: (value: unknown) => boolean;
}

// biome-ignore format: a table
const types: Readonly<Record<string, Shape>> = {
  object:  { filter: 'type == "object"',                has: value => isObject(value) },
  array:   { filter: 'type == "array"',                 has: Array.isArray },
  string:  { filter: 'type == "string"',                has: value => typeof value === 'string' },
  number:  { filter: 'type == "number"',                has: value => typeof value === 'number' },
  integer: { filter: 'type == "number" and floor == .', has: Number.isInteger },
  boolean: { filter: 'type == "boolean"',               has: value => typeof value === 'boolean' },
  null:    { filter: 'type == "null"',                  has: value => value === null },
};

/** The shape that one of some shapes has. */
const oneOf = (shapes: readonly Shape[]): Shape => ({
  filter: shapes.map(({ filter }) => `(${filter})`).join(' or '),
  has: value => shapes.some(({ has }) => has(value)),
});

/** Returns the shape that a keyword of JSON Schema asks for; undefined where a script does not judge that keyword. */
export function shapeOf({ keyword, limit }: NonNullable<Discrepancy['constraint']>): Shape | undefined {
  if (!Array.isArray(limit)) return undefined;
  if (keyword === 'enum') {
    const filter = `. as $value | any(${JSON.stringify(limit)}[]; . == $value)`;
    return { filter, has: value => limit.some(one => same(one, value as typeof one)) };
  }
  const known = limit.flatMap(name => (Object.hasOwn(types, name) ? [types[name] as Shape] : []));
  return keyword === 'type' && known.length === limit.length ? oneOf(known) : undefined;
}
