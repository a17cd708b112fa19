import { describe, expect, test } from 'vitest';
import { dialects } from '../../../reference-server/index.ts';
import { comparedDialect, mayBreak } from './dialects.fixture.ts';
import { notedDifferences } from './page.fixture.ts';
import { sampleOf } from './sample.fixture.ts';

const noted = notedDifferences().dialects;

describe('a server that speaks a dialect', () => {
  test.each(sampleOf(dialects).map(row => [row.id, row] as const))(
    '%s differs from itself in nothing, and from the reference server in what is open',
    async (id, dialect) => {
      const { toItself, toReference } = await comparedDialect(dialect);
      expect(toItself).toEqual([]);
      const known = noted[id] ?? [];
      expect(toReference.filter(line => !known.includes(line) && !mayBreak(dialect).includes(line))).toEqual([]);
    },
  );

  test('is noted', () => expect(Object.keys(noted)).toEqual(dialects.map(({ id }) => id)));

  test.each(dialects.map(row => [row.id, row] as const))('%s is noted with no broken clause', (id, dialect) => {
    const broken = (noted[id] ?? []).filter(line => line.includes('-breaks'));
    expect(broken.filter(line => !mayBreak(dialect).includes(line))).toEqual([]);
  });
});
