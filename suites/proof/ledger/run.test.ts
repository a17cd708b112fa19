import { expect, test } from 'vitest';
import { faultNamed } from '../../../reference-server/index.ts';
import { cellsOf } from '../../../reports/journal/coverage.ts';
import { settingOf, wholeOf } from '../kill-matrix/detection.fixture.ts';
import { recordedRun, type Setting } from '../testing/reference-run.ts';

/** Runs the acceptances of gates. Returns the number of proven cells and the fields of the broken ones. */
async function filledBy(setting: Setting) {
  const { events } = await recordedRun({ ...setting, only: ['patch-gate/accepts', 'patch-gate/frame'] });
  const cells = cellsOf(events.filter(one => one.event === 'cells'));
  const of = (state: string) => cells.filter(one => one.state === state);
  return { proven: of('proven').length, broken: [...new Set(of('broken').map(({ cell }) => cell.split(/[ .[]/)[0]))] };
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
