import { describe, expect, it } from 'vitest';
import { changesBetween, stateChanges, type Value } from './difference.ts';

describe('a difference', () => {
  // biome-ignore format: a table
  it.each<[Value | undefined, Value | undefined, [string, unknown, unknown][]]>([
    [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 },     []],
    [{ a: 1 },            { a: '1' },              [['a', 1, '1']]],
    [{ a: { b: 1 } },     { a: { c: null } },      [['a.b', 1, undefined], ['a.c', undefined, null]]],
    [{ a: [1, 2, 3] },    { a: [1, 3] },           [['a.1', 2, 3], ['a.2', 3, undefined]]],
    [{ a: [] },           { a: {} },               [['a', [], {}]]],
    [1,                   undefined,               [['', 1, undefined]]],
  ])('between %j and %j is told place by place', (before, after, places) => {
    expect(changesBetween(before, after).map(one => [one.path, one.before, one.after])).toEqual(places);
  });

  it('is told of names that every object has, and of values that nest deeply', () => {
    const [before, after] = [JSON.parse('{"__proto__": 1, "constructor": {}}'), JSON.parse('{"__proto__": 2}')];
    expect(changesBetween(before, after).map(({ path }) => path)).toEqual(['__proto__', 'constructor']);
    const deep = (end: number): Value => JSON.parse(`${'['.repeat(190)}${end}${']'.repeat(190)}`);
    expect(changesBetween(deep(1), deep(1))).toEqual([]);
    expect(changesBetween(deep(1), deep(2))).toHaveLength(1);
  });

  it('between states names the entities that were added, removed or changed', () => {
    const changes = stateChanges(
      {
        gates: [
          ['a', { x: 1 }],
          ['b', { x: 1 }],
          ['c', { x: 1 }],
        ],
      },
      {
        gates: [
          ['c', { x: 1 }],
          ['a', { x: 2 }],
        ],
        metrics: [['d', { x: 1 }]],
      },
    );
    expect(changes.map(({ collection, id, kind }) => [collection, id, kind])).toEqual([
      ['gates', 'a', 'changed'],
      ['gates', 'b', 'removed'],
      ['metrics', 'd', 'added'],
    ]);
  });
});
