import { describe, expect, test } from 'vitest';
import { dialects } from '../../../reference-server/index.ts';
import { comparedDialect, mayBreak } from './dialects.fixture.ts';
import { notedDifferences } from './page.fixture.ts';
import { sampleOf } from './sample.fixture.ts';

const noted = notedDifferences().dialects;

/** The endpoints at which one shows members that the other leaves out. */
const withOwnMembers = (lines: readonly string[]): string[] => [
  ...new Set(lines.flatMap(line => /^unsaid (\S+) \S+ presence$/.exec(line)?.[1] ?? [])),
];

describe('a server that speaks a dialect', () => {
  test.each(sampleOf(dialects).map(row => [row.id, row] as const))(
    '%s differs from itself in nothing, and from the reference server in what is open',
    async (id, dialect) => {
      const { toItself, toReference } = await comparedDialect(dialect);
      expect(toItself).toEqual([]);
      const known = noted[id] ?? [];
      expect(toReference.filter(line => !known.includes(line) && !mayBreak(dialect).includes(line))).toEqual([]);
      // An operation of which nothing is compared any more would differ in nothing.
      expect(withOwnMembers(known).filter(endpoint => !withOwnMembers(toReference).includes(endpoint))).toEqual([]);
    },
  );

  test('is noted', () => expect(Object.keys(noted)).toEqual(dialects.map(({ id }) => id)));

  test.each(dialects.map(row => [row.id, row] as const))('%s is noted with no broken clause', (id, dialect) => {
    const broken = (noted[id] ?? []).filter(line => line.includes('-breaks'));
    expect(broken.filter(line => !mayBreak(dialect).includes(line))).toEqual([]);
  });
});
