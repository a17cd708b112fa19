import { expect, test } from 'vitest';
import type { Schema } from './dialect.ts';
import { documented } from './documented.ts';

const item: Schema = { type: 'object', properties: { a: { type: 'string' } } };
const schema: Schema = {
  type: 'object',
  properties: { items: { type: 'array', items: item }, free: { type: 'object' }, a: { type: 'string' } },
};

test('members that are not documented are left out at every depth, but those of free-form objects', () => {
  const own = { a: 'x', own: 1 };
  expect(documented({ ...own, items: [own, 'text'], free: { own } }, schema)).toEqual({
    a: 'x',
    items: [{ a: 'x' }, 'text'],
    free: { own },
  });
  expect(documented(own, undefined)).toEqual(own);
});
