import { expect, test } from 'vitest';
import { changed } from './base.ts';

test.each([
  ['adds what is missing', '/a/b', { a: {} }, { a: { b: 1 } }],
  ['keeps what says something else', '/a/b', { a: { b: 2 } }, { a: { b: 2 } }],
  ['changes every item of a list', '/a/*/b', { a: [{}, { b: 2 }] }, { a: [{ b: 1 }, { b: 2 }] }],
  ['changes one item', '/a/1/b', { a: [{}, {}] }, { a: [{}, { b: 1 }] }],
  ['leaves a shorter list as it is', '/a/1/b', { a: [{}] }, { a: [{}] }],
  ['leaves a list as it is where another body has an object', '/a/b', { a: [{}] }, { a: [{}] }],
  ['leaves an object as it is where another body has a list', '/a/*/b', { a: {} }, { a: {} }],
  ['leaves a value as it is that can hold nothing', '/a/b', { a: 'x' }, { a: 'x' }],
])('a body is changed in one respect: it %s', (_what, pointer, body, expected) => {
  expect(changed(body, [{ pointer, becomes: 1 }])).toEqual(expected);
});

test('the items of a list get a value each, as far as there are some', () => {
  const change = { pointer: '/a/*/id', becomes: 'x', each: ['x', 'y'] };
  expect(changed({ a: [{}, { id: 'own' }, {}] }, [change])).toEqual({ a: [{ id: 'x' }, { id: 'own' }, { id: 'x' }] });
  expect(changed({ a: [{}, {}] }, [change])).toEqual({ a: [{ id: 'x' }, { id: 'y' }] });
});
