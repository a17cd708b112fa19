import { expect, test } from 'vitest';
import { faultNamed, referenceTarget } from '../../../reference-server/index.ts';
import { allCells } from '../../ledger/cells.ts';
import { targetOf } from '../../sut/target.ts';
import { settingOf, wholeOf } from '../kill-matrix/detection.fixture.ts';
import { type Setting, testKey } from '../testing/reference-run.ts';
import { watchedRun } from '../testing/watched-run.ts';
import { countCells } from './count.ts';
import { findingsOf } from './measured.fixture.ts';
import { triedBy } from './tried.ts';

/** What the acceptances of gates fill: how many cells are in each state, and the fields that are broken. */
async function filledBy(setting: Setting) {
  const { recording } = await watchedRun({ ...setting, only: ['patch-gate/accepts', 'patch-gate/frame'] });
  const file = referenceTarget();
  const target = targetOf(file, new URL(recording.baseUrl), testKey);
  const cells = allCells(file.fixtures ?? {}).filter(({ endpoint }) => endpoint === 'patch-gate');
  const counted = countCells(cells, triedBy(recording.exchanges), findingsOf(recording), target);
  const of = (state: string) => counted.filter(one => one.state === state);
  return { proven: of('proven').length, broken: [...new Set(of('broken').map(({ cell }) => cell.node?.path))] };
}

test('the acceptances of a sound server fill cells, and break none', async () => {
  const { proven, broken } = await filledBy({});
  expect(proven).toBeGreaterThan(100);
  expect(broken).toEqual([]);
});

test('a field that is not stored breaks its own cells alone', async () => {
  const fault = faultNamed('patch-ignores-description');
  const { proven, broken } = await filledBy(settingOf(fault, wholeOf(fault)));
  expect(proven).toBeGreaterThan(50);
  expect(broken).toEqual(['description']);
});
