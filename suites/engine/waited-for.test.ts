import { expect, test } from 'vitest';
import { membersOf } from '../../contracts/json.ts';
import type { TargetFile } from '../../contracts/target.ts';
import type { ReferenceServerOptions } from '../../reference-server/index.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';

/** Answers about experiments without what they are about. */
const silent: ReferenceServerOptions = {
  decorateOperation: (_id, handler) => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    const { launchedGroupID: _, ...data } = membersOf(membersOf(answer.body).data);
    return answer.status === 200 ? { ...answer, body: { ...membersOf(answer.body), data } as never } : answer;
  },
};

test('a check of which the answers show nothing says what was waited for', async () => {
  const file = (given: TargetFile): TargetFile => {
    const experiments = given.fixtures?.experiments ?? [];
    return { ...given, disposable: { experiments: [experiments.at(-1)?.id ?? ''] } };
  };
  const { checks } = await recordedRun({
    server: silent,
    only: ['update-experiment/disposable'],
    file,
    run: { profile: 'standard' },
  });
  expect(checks.get('update-experiment/disposable')).toMatchObject({
    verdict: 'untested',
    because:
      'the answers do not show whether it holds (a launched group, read back: state.enable-groups-frame): a value that is not shown before, or not after, proves nothing',
  });
});
