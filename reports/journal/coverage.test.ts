import { expect, test } from 'vitest';
import type { CellGroup, CellsEvent } from '../../contracts/report/ledger.ts';
import { cellsOf, coverageOf } from './coverage.ts';

const options = { readOnly: false, strict: false, only: [], skip: [] };
const whole = { options, profile: 'standard' } as const;
const event = (...groups: readonly CellGroup[]): CellsEvent => ({
  event: 'cells',
  endpoint: 'patch-gate',
  relations: [
    { relation: 'accepted', what: '', tenths: 30, groups: [...groups] },
    {
      relation: 'in-company',
      what: '',
      tenths: 1,
      groups: [{ state: 'not tried', reason: 'budget', cells: ['a b', 'a c'] }],
    },
  ],
});
const proven = (...cells: string[]): CellGroup => ({ state: 'proven', by: 'x#1', cells });
const lacking = (line: string, ...cells: string[]): CellGroup => ({
  state: 'not tried',
  reason: 'vocabulary',
  line,
  cells,
});
const capable: CellGroup = { state: 'not tried', reason: 'capability', line: 'capabilities: ["x"]', cells: ['c'] };

test('is the part of the weight that is proven, without what is not declared', () => {
  const [broken, unseen] = (['broken', 'not shown'] as const).map(
    state => ({ state, by: 'x#2', cells: [state] }) satisfies CellGroup,
  );
  expect(coverageOf([event(proven('name'), broken as CellGroup, unseen as CellGroup, capable)], whole)).toMatchObject({
    percent: 32.6,
    proven: 1,
    broken: 1,
    notShown: 1,
    all: 5,
    notTried: { capability: 1, budget: 2, vocabulary: 0 },
    tenths: { proven: 30, all: 92 },
    byOperation: [{ endpoint: 'patch-gate', percent: 32.6, proven: 1, all: 5 }],
    byRelation: [
      { relation: 'accepted', percent: 33.3, all: 3 },
      { relation: 'in-company', percent: 0, all: 2 },
    ],
  });
});

test('names what would have more tried, the most weight first', () => {
  const events = [event(lacking('b', '1'), lacking('a', '2'), lacking('c', '3', '4'), capable)];
  const remediesOf = (profile: 'quick' | 'standard') => coverageOf(events, { options, profile })?.remedies;
  expect(remediesOf('standard')).toEqual([
    { remedy: 'c', cells: 2 },
    { remedy: 'a', cells: 1 },
    { remedy: 'b', cells: 1 },
  ]);
  expect(remediesOf('quick')?.at(-1)).toEqual({ remedy: 'a larger profile, which sends more', cells: 2 });
});

test('of shards joins what each has of a cell', () => {
  const [one, other] = [event(proven('a'), lacking('x', 'b')), event(lacking('x', 'a'), proven('b'))];
  const coverage = coverageOf([one, other], whole);
  expect(coverage).toMatchObject({ proven: 2, all: 4 });
  expect(cellsOf(coverage?.ledger ?? []).map(({ cell }) => cell)).toEqual(['a', 'b', 'a b', 'a c']);
});

test('of a part of a run says so, and asks for no least coverage; of no cells there is none', () => {
  const parts = [{ only: ['a'] }, { skip: ['a'] }, { shard: { index: 1, total: 2 } }];
  for (const part of parts) {
    const coverage = coverageOf([event(proven('a'))], { ...whole, options: { ...options, ...part, minCoverage: 90 } });
    expect(coverage).toMatchObject({ partial: true });
    expect(coverage).not.toHaveProperty('min');
  }
  expect(coverageOf([event(proven('a'))], { ...whole, options: { ...options, minCoverage: 90 } })).toMatchObject({
    min: 90,
  });
  expect(coverageOf([event(capable)].slice(1), whole)).toBeUndefined();
});
