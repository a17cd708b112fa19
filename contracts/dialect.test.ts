import { expect, test } from 'vitest';
import { constrainingKeywords, type Schema } from './dialect.ts';
import { schemaFiles } from './emit/schema-files.ts';
import { object, record, recordBut } from './object.ts';
import { nodesOf } from './walk.ts';

// No row may compile: the compiler reports an unused `@ts-expect-error` for one that does.

// biome-ignore format: a table
const forbidden: readonly unknown[] = [
  // @ts-expect-error a closed set has no other keyword
  { enum: ['a'], pattern: '^[a]*$' } satisfies Schema,
  // @ts-expect-error a closed set has no type beside it
  { enum: ['a'], type: 'string' } satisfies Schema,
  // @ts-expect-error a closed set is not empty
  { enum: [] } satisfies Schema,
  // @ts-expect-error a constant has no other keyword
  { const: 1, minimum: 0 } satisfies Schema,
  // @ts-expect-error a union has no type beside it
  { anyOf: [{ type: 'string' }, { type: 'null' }], type: 'string' } satisfies Schema,
  // @ts-expect-error a union has at least two branches
  { anyOf: [{ type: 'string' }] } satisfies Schema,
  // @ts-expect-error a text has no bounds
  { type: 'string', minimum: 1 } satisfies Schema,
  // @ts-expect-error formats are not generated
  { type: 'string', format: 'date-time' } satisfies Schema,
  // @ts-expect-error a number has no length
  { type: 'number', maxLength: 1 } satisfies Schema,
  // @ts-expect-error a boolean has no bounds
  { type: 'boolean', minimum: 0 } satisfies Schema,
  // @ts-expect-error a list has no members
  { type: 'array', properties: {} } satisfies Schema,
  // @ts-expect-error an object has no items
  { type: 'object', items: {} } satisfies Schema,
  // @ts-expect-error only one type, or that and null
  { type: ['string', 'number'] } satisfies Schema,
  // @ts-expect-error a keyword the dialect does not know
  { type: 'array', uniqueItems: true } satisfies Schema,
  // @ts-expect-error a keyword the dialect does not know
  { oneOf: [{ type: 'string' }, { type: 'null' }] } satisfies Schema,
  // @ts-expect-error a reference
  { $ref: '#/x' } satisfies Schema,
  // @ts-expect-error keywords need a type
  { minLength: 1 } satisfies Schema,
  // @ts-expect-error no such semantics
  { type: 'string', annotation: { semantics: 'secret' } } satisfies Schema,
  // @ts-expect-error a condition compares with a constant
  { type: 'object', allOf: [{ if: { properties: { a: { type: 'string' } }, required: ['a'] }, then: {} }] } satisfies Schema,
  // @ts-expect-error a member with a keyword the dialect does not know
  object({ a: { type: 'array', uniqueItems: true } }),
  // @ts-expect-error items with a keyword the dialect does not know
  record({ a: { type: 'array', items: { type: 'string', oneOf: [] } } }),
  // @ts-expect-error a member that is none need not be optional
  recordBut(['b'], { a: { type: 'string' } }),
];

test('each forbidden combination is listed', () => expect(forbidden).toHaveLength(22));

test('the contracts use no keyword but those of the dialect', () => {
  const known = new Set<string>([...constrainingKeywords, 'description', 'annotation']);
  const used = schemaFiles.flatMap(({ schema }) => nodesOf(schema).flatMap(([, node]) => Object.keys(node)));
  expect([...new Set(used)].filter(keyword => !known.has(keyword))).toEqual([]);
});
