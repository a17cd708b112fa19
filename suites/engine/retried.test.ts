import { expect, test } from 'vitest';
import { seedOf } from '../../reference-server/index.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';

/** The lineage check of a run over an event of which no metric is listed before the run. */
const lineageOf = async (only: readonly string[]) => {
  const initial = seedOf({ extends: 'fixtures', events: ['fresh'] });
  const { checks } = await recordedRun({
    server: { initial },
    only,
    file: file => ({ ...file, fixtures: { ...file.fixtures, events: ['fresh'] } }),
  });
  return checks.get('list-event-metrics/lineage');
};

test('a check that proved nothing looks again at what the other checks of its collection have made', async () => {
  expect(await lineageOf(['list-event-metrics/lineage', 'create-metric/*'])).toMatchObject({
    verdict: 'pass',
    exercised: ['state.lineage-truth'],
  });
});

test('it stays untested where none was made', async () => {
  expect(await lineageOf(['list-event-metrics/lineage'])).toMatchObject({
    verdict: 'untested',
    because: 'no listed metric shows a lineage',
  });
});
