import { describe, expect, it } from 'vitest';
import type { Schema } from '../dialect.ts';
import { phrase } from './phrases.ts';

const rule = { type: 'object', properties: { name: { type: 'string' } } } as const satisfies Schema;

// biome-ignore format: a table
const phrases: readonly (readonly [Schema, string])[] = [
  [{}, 'any JSON value'],
  [{ enum: ['x'] }, '`x`'],
  [{ enum: ['full', 'incremental', null] }, 'one of `full`, `incremental` and `null`'],
  [{ const: true }, '`true`'],
  [{ type: 'null' }, 'null'],
  [{ type: 'boolean' }, 'true or false'],
  [{ type: ['boolean', 'null'] }, 'true or false, or null'],
  [{ type: 'string' }, 'a text'],
  [{ type: ['string', 'null'], maxLength: 1000 }, 'a text of at most 1000 characters or null'],
  [{ type: 'string', minLength: 3 }, 'a text of at least 3 characters'],
  [{ type: 'string', minLength: 3, maxLength: 100, pattern: '^[a-z|]*$' }, 'a text of 3 to 100 characters that matches `^[a-z|]*$`'],
  [{ type: 'number', minimum: 0, maximum: 100 }, 'a number from 0 to 100'],
  [{ type: 'number', minimum: 0, exclusiveMaximum: 1000 }, 'a number of at least 0 and less than 1000'],
  [{ type: ['integer', 'null'], exclusiveMinimum: 1 }, 'an integer of more than 1 or null'],
  [{ type: 'integer', maximum: 5 }, 'an integer of at most 5'],
  [{ type: 'array' }, 'a list'],
  [{ type: 'array', items: rule, maxItems: 10 }, 'a list of at most 10 items (each item a rule)'],
  [{ type: ['array', 'null'], items: { type: 'integer' }, minItems: 1 }, 'a list of at least 1 items (each item an integer) or null'],
  [{ type: 'array', minItems: 1, maxItems: 2 }, 'a list of 1 to 2 items'],
  [{ type: 'object' }, 'an object'],
  [{ type: ['object', 'null'] }, 'an object or null'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }, rule] }, 'a text, a number or a rule'],
];

describe('a schema in words', () => {
  it.each(phrases)('%j is %s', (schema, words) => {
    expect(phrase(schema, node => (node === rule ? 'a rule' : undefined))).toBe(words);
  });
});
