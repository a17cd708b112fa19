import { expect, test } from 'vitest';
import type { Counted } from './observed.fixture.ts';
import { counted, measureObserved } from './observed.fixture.ts';

const countedOf = async (id: string): Promise<Counted> => (await measureObserved(id)).noted as Counted;

test('of a server that is right and behind, every suspicion has an excuse, and later answers explain most', async () => {
  const { firm, excused } = await countedOf('dialect/gate-patch-late');
  expect(firm).toBe(0);
  expect(excused.explained).toBeGreaterThan(100);
});

test.each([
  ['a write is not stored', 'patch-ignores-description'],
  ['a refused write is', 'gate-refusal-retypes'],
  ['a dry run creates', 'metric-dry-run-creates-half'],
])('where %s, the model that watches an ordinary run names it firmly', async (_what, fault) => {
  expect((await countedOf(`fault/${fault}`)).named).toMatch(/firm|alone/);
});

test('no server that is right was firmly suspected when it was last counted', () => {
  const rows = Object.entries(counted()).filter(([id]) => id.startsWith('dialect/'));
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter(([, { firm }]) => firm > 0)).toEqual([]);
});
