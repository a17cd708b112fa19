import { describe, expect, it } from 'vitest';
import { at, deepestDifference, differences, join, put } from './pointer.ts';

describe('pointers', () => {
  const value = { 'a/b': [{ '~c': 1 }, 2], d: null };

  it('escape and find members', () => {
    expect(join(join(join('', 'a/b'), 0), '~c')).toBe('/a~1b/0/~0c');
    expect(at(value, '/a~1b/0/~0c')).toBe(1);
    expect(at(value, '/d')).toBeNull();
    expect(at(value, '/toString')).toBeUndefined();
  });

  it('find an item by its index alone, as RFC 6901 writes it', () => {
    const found = ['/tags/0', '/tags/1', '/tags/', '/tags/01', '/tags/-', '/tags/1.0'];
    expect(found.map(pointer => at({ tags: ['a', 'b'] }, pointer))).toEqual(['a', 'b', ...Array(4)]);
  });

  it('replace, add and take away without touching the original', () => {
    const before = structuredClone(value);
    expect(put(value, '/a~1b/0/~0c', 5)).toEqual({ 'a/b': [{ '~c': 5 }, 2], d: null });
    expect(put(value, '/e/f', 5)).toEqual({ ...value, e: { f: 5 } });
    expect(put(value, '/d', undefined)).toEqual({ 'a/b': value['a/b'] });
    expect(put(value, '/a~1b/1', undefined)).toEqual({ 'a/b': [{ '~c': 1 }], d: null });
    expect(value).toEqual(before);
  });

  it('name each place where two values differ', () => {
    expect(differences(value, structuredClone(value))).toEqual([]);
    expect(differences({ a: 1, b: [1, { c: 2 }] }, { a: 2, b: [1, { c: 3 }] })).toEqual(['/a', '/b/1/c']);
    expect(differences({ a: [1] }, { a: [1, 2] })).toEqual(['/a']);
    expect(differences({ a: 1 }, {})).toEqual(['/a']);
    expect(differences({ a: null }, { a: {} })).toEqual(['/a']);
    expect(differences([], {})).toEqual(['']);
  });

  it('name the deepest place where two values differ, where it is one', () => {
    const sent = { list: [{ name: 'a' }, null], 'a/b': 1 };
    expect(deepestDifference(sent, { ...sent, list: [{ name: 'a' }] })).toEqual({
      pointer: '/list/1',
      one: null,
      other: undefined,
    });
    expect(deepestDifference([{ a: 1, b: 2 }], [{ a: 1, b: 3 }])).toEqual({ pointer: '/0/b', one: 2, other: 3 });
    expect(deepestDifference(sent, { ...sent, 'a/b': 2 }).pointer).toBe('/a~1b');
    expect(deepestDifference({ a: 1, b: 2 }, { a: 2, b: 3 }).pointer).toBe('');
    expect(deepestDifference([1], { 0: 2 }).pointer).toBe('');
    expect(deepestDifference(['a'], ['b'], one => !Array.isArray(one)).pointer).toBe('');
    expect(deepestDifference(sent, structuredClone(sent)).pointer).toBe('');
  });
});
