import { expect, test } from 'vitest';
import type { Scalar, Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { nearMisses } from './near-misses.ts';

const sentFor = (...members: readonly [Scalar, ...Scalar[]]) =>
  nearMisses({ enum: members }, members[0]).map(({ sent }) => sent);

test.each(['Permanent', 'PERMANENT', 'permanent', 'strictOneToOne', 'decision_made'])(
  'of the closed set of %s every other letter case is tried, and never the member itself',
  member => {
    const sent = sentFor(member);
    const first = member.slice(0, 1);
    const turned = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
    for (const other of [member.toLowerCase(), member.toUpperCase(), turned + member.slice(1)])
      if (other !== member) expect(sent).toContain(other);
    expect(sent).not.toContain(member);
  },
);

test('a letter case that is a member itself is no near miss', () => {
  expect(sentFor('on', 'ON')).not.toContain('on');
  expect(sentFor('on', 'ON')).not.toContain('ON');
});

test('no near miss of a closed set differs by white space at an end alone', () => {
  for (const sent of sentFor('table', 'query')) expect(String(sent).trim()).toBe(sent);
});

test('of a closed set of numerals those between the members are tried, and the one after the last', () => {
  const sent = sentFor('80', '90', '95', '98', '99');
  expect(sent).toEqual(expect.arrayContaining(['85', '92', '96', '100']));
  expect(sentFor('PERMANENT', 'TEMPORARY')).not.toContain('1');
});

test('a list that is one item too long ends in an item like the others, and in one of zeros', () => {
  const item: Schema = {
    type: 'object',
    properties: { name: { type: 'string' }, weight: { type: 'number' }, rank: { type: 'integer', minimum: 1 } },
  };
  const long = (items: Schema, valid: Json) =>
    nearMisses({ type: 'array', items, maxItems: 2 }, [valid, valid]).map(({ sent }) => (sent as Json[]).at(-1));
  const valid = { name: 'a', weight: 5, rank: 3 };
  expect(long(item, valid)).toEqual([valid, { ...valid, weight: 0 }]);
  expect(long(item, { name: 'a', rank: 3 })).toEqual([{ name: 'a', rank: 3 }]);
  expect(long({ type: 'string' }, 'a')).toEqual(['a']);
});
