import { expect, test } from 'vitest';
import type { Scalar } from '../../contracts/dialect.ts';
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
