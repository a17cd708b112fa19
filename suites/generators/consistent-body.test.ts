import { expect, test } from 'vitest';
import type { ObjectSchema } from '../../contracts/dialect.ts';
import { consistentBody } from './consistent-body.ts';

const schema: ObjectSchema = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    mapping: { type: 'array', items: { type: 'object', properties: { column: { type: 'string' } } } },
    names: {
      type: 'array',
      items: { type: 'string' },
      annotation: { covers: ['mapping.column', 'key'], beside: ['types', 'key=k'] },
    },
    types: { type: 'array', items: { type: 'string' } },
    settings: {
      type: 'object',
      properties: {
        isOn: { type: 'boolean' },
        base: { type: 'number', annotation: { sibling: 'isOn=true' } },
        other: { type: 'number' },
      },
    },
  },
};

test('a list holds what the fields that it covers name, each once, and the list beside it is as long', () => {
  const mapping = [{ column: 'a' }, { column: 'b' }, {}];
  expect(consistentBody(schema, { key: 'k', mapping, names: ['b', 'c'], types: ['text', 'time'] })).toEqual({
    key: 'k',
    mapping,
    names: ['a', 'b', 'k', 'c'],
    types: ['text', 'time', 'text', 'time'],
  });
  expect(consistentBody(schema, { key: 'k', names: [], types: ['text', 'time'] }).types).toEqual(['text']);
});

test('what a body does not send is not added, and no list is made of something else', () => {
  for (const body of [{}, { key: 'k' }, { key: 'k', names: 5, types: ['text'] }, { names: ['a'], types: [] }])
    expect(consistentBody(schema, body)).toEqual(body);
});

test.each([
  [{ base: 10 }, { base: 10, isOn: true }],
  [
    { base: 10, isOn: true },
    { base: 10, isOn: true },
  ],
  [
    { base: 10, isOn: false, other: 1 },
    { isOn: false, other: 1 },
  ],
  [{ other: 1 }, { other: 1 }],
])('of %j remains what means something: %j', (settings, expected) => {
  expect(consistentBody(schema, { settings })).toEqual({ settings: expected });
});
