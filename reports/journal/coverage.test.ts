import { expect, test } from 'vitest';
import type { RequirementReport } from '../../contracts/report/report.ts';
import { coverageOf } from './coverage.ts';

const options = { readOnly: false, strict: false, only: [], skip: [] };
const row = (verdict: RequirementReport['verdict'], remedy?: string): RequirementReport => ({
  id: 'a',
  section: '1',
  level: 'MUST',
  statement: '',
  verdict,
  checks: [],
  ...(remedy === undefined ? {} : { remedy }),
});

test('counts what could be tested, and leaves out the rest', () => {
  const rows = (
    ['verified', 'failed', 'warned', 'untested', 'not-observed', 'not-applicable', 'not-verifiable', 'open'] as const
  ).map(verdict => row(verdict));
  expect(coverageOf(rows, options)).toEqual({ percent: 25, verified: 1, total: 4, remedies: [] });
});

test('names what would verify more, the most first', () => {
  const rows = [
    row('verified'),
    row('untested', 'b'),
    row('untested', 'a'),
    row('untested', 'c'),
    row('untested', 'c'),
    row('not-applicable', 'd'),
    row('untested'),
  ];
  expect(coverageOf(rows, { ...options, minCoverage: 95 })).toMatchObject({
    min: 95,
    remedies: [
      { remedy: 'c', requirements: 2 },
      { remedy: 'a', requirements: 1 },
      { remedy: 'b', requirements: 1 },
    ],
  });
});

test('is none of a part of a run, nor of nothing', () => {
  const parts = [{ only: ['a'] }, { skip: ['a'] }, { path: '0' }, { shard: { index: 1, total: 2 } }];
  for (const part of parts) expect(coverageOf([row('verified')], { ...options, ...part })).toBeUndefined();
  expect(coverageOf([row('open')], options)).toBeUndefined();
});
