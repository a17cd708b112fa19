import { expect, test } from 'vitest';
import type { Schema } from './dialect.ts';
import { isValid, problemLimit, validatorFor } from './validation.ts';

// biome-ignore format: a table
const wordings: readonly (readonly [Schema, unknown, keyword: string, message: string, pointer?: string])[] = [
  [{ type: 'string' },                                           1,         'type',                 'must be a string'],
  [{ type: ['integer', 'null'] },                                1.5,       'type',                 'must be an integer or null'],
  [{ enum: ['a', 1, null] },                                     'b',       'enum',                 'must be one of "a", 1, null'],
  [{ const: 'a' },                                               'b',       'const',                'must be "a"'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, [1], 'anyOf',     'must be a string or an array'],
  [{ anyOf: [{ type: 'string' }, { const: 1 }] },                2,         'anyOf',                'must have one of 2 shapes'],
  [{ type: 'string', minLength: 3 },                             'ab',      'minLength',            'must have at least 3 characters'],
  [{ type: 'string', minLength: 1 },                             '',        'minLength',            'must have at least 1 character'],
  [{ type: 'string', maxLength: 1 },                             'ab',      'maxLength',            'must have at most 1 character'],
  [{ type: 'string', pattern: '^[a-z]*$' },                      'A',       'pattern',              'must match ^[a-z]*$'],
  [{ type: 'number', minimum: 0 },                               -1,        'minimum',              'must be at least 0'],
  [{ type: 'number', maximum: 100 },                             100.5,     'maximum',              'must be at most 100'],
  [{ type: 'integer', exclusiveMinimum: 1 },                     1,         'exclusiveMinimum',     'must be more than 1'],
  [{ type: 'number', exclusiveMaximum: 1000 },                   1000,      'exclusiveMaximum',     'must be less than 1000'],
  [{ type: 'array', minItems: 1 },                               [],        'minItems',             'must have at least 1 item'],
  [{ type: 'array', maxItems: 2 },                               [1, 2, 3], 'maxItems',             'must have at most 2 items'],
  [{ type: 'object', properties: { 'a/b': {} }, required: ['a/b'] }, {},    'required',             'is required',             '/a~1b'],
  [{ type: 'object', additionalProperties: false },              { '~x': 1 }, 'additionalProperties', 'is not a known field',  '/~0x'],
  [{ type: 'array', items: { type: 'object', properties: { a: { type: 'boolean' } } } }, [{}, { a: 0 }], 'type', 'must be true or false', '/1/a'],
];

test.each(wordings.map(row => ({ row })))('$row', ({ row: [schema, value, keyword, message, pointer = ''] }) => {
  const [problem, ...others] = validatorFor(schema)(value);
  expect(problem).toMatchObject({ pointer, keyword, message });
  expect(message.endsWith(problem?.wanted ?? '-')).toBe(true);
  expect(others).toEqual([]);
  expect(isValid(schema, value)).toBe(false);
});

test('every problem is listed, and a condition speaks through its keywords', () => {
  const schema = {
    type: 'object',
    properties: { kind: { type: 'string' }, a: { type: 'string' }, b: { type: 'string', maxLength: 1 } },
    allOf: [{ if: { properties: { kind: { const: 'x' } }, required: ['kind'] }, then: { required: ['a'] } }],
  } as const satisfies Schema;
  const problems = validatorFor(schema)({ kind: 'x', b: 'bb' });
  expect(problems.map(({ pointer, keyword }) => `${pointer} ${keyword}`).sort()).toEqual([
    '/a required',
    '/b maxLength',
  ]);
  expect(validatorFor(schema)({ kind: 'y' })).toEqual([]);
  expect([isValid(schema, { kind: 'x' }), isValid(schema, { kind: 'y' })]).toEqual([false, true]);
});

test('a hostile value draws a bounded list', () => {
  const problems = validatorFor({ type: 'array', items: { type: 'string' } })(Array(10_000).fill(0));
  expect(problems).toHaveLength(problemLimit);
});

test('lengths count code points, and a pattern sees them whole', () => {
  expect(validatorFor({ type: 'string', maxLength: 1 })('😀')).toEqual([]);
  expect(validatorFor({ type: 'string', pattern: '^[😀]*$' })('😀')).toEqual([]);
});

test('a validator neither coerces nor changes, and is found again by identity', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false } as const;
  const value = Object.freeze({ n: '1' });
  expect(validatorFor(schema)(value)).toHaveLength(1);
  expect(value).toEqual({ n: '1' });
  expect(validatorFor(schema)).toBe(validatorFor(schema));
  expect(validatorFor({ ...schema })).not.toBe(validatorFor(schema));
});

test('members named like those of every object are members like any other', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const satisfies Schema;
  expect(validatorFor(schema)(JSON.parse('{"__proto__": {"id": "a"}}'))).toHaveLength(1);
  expect(validatorFor(schema)(JSON.parse('{"__proto__": 1, "constructor": 2, "id": "a"}'))).toEqual([]);
});
