import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { justified, reasonFor } from './justified.fixture.ts';
import { reportOn, verifiedIn } from './run.fixture.ts';
import { vacuousTargets } from './targets.fixture.ts';

const verified = JSON.parse(readFileSync(new URL('verified.json', import.meta.url), 'utf8')) as Record<
  string,
  string[]
>;

test('every vacuous target has a row, and each requirement that it may verify a reason', () => {
  const ids = vacuousTargets.map(({ id }) => id);
  expect(Object.keys(justified)).toEqual(ids);
  expect(Object.keys(verified)).toEqual(ids);
  for (const [id, row] of Object.entries(justified)) {
    expect(verified[id]?.filter(one => reasonFor(one, row) === undefined)).toEqual([]);
    expect(row.verified.filter(one => !verified[id]?.some(name => reasonFor(name, row) === one))).toEqual([]);
  }
});

describe('a server that', () => {
  test.each(vacuousTargets.map(target => [target.title, target] as const))(
    '%s verifies nothing beyond what it could have failed',
    async (_title, target) => {
      const report = await reportOn(target);
      expect(verifiedIn(report), 'in verified.json: npm run vacuous').toEqual(verified[target.id]);
      expect(report.verdict).not.toBe('conformant');
      expect(report.exitCode).not.toBe(0);
      const conforming = report.endpoints.filter(({ verdict }) => verdict === 'conformant').map(({ id }) => id);
      expect(conforming).toEqual((justified[target.id]?.conformant ?? []).map(({ endpoint }) => endpoint));
    },
  );
});
