import { referenceTarget } from '../../../reference-server/index.ts';
import type { RunsOfSide } from '../../diff/compare.ts';
import { createRecorder, type Recorder, type Recording } from '../../diff/index.ts';
import { targetOf } from '../../sut/target.ts';
import { recordedRuns, type Setting, testKey } from '../testing/reference-run.ts';

const nowhere = targetOf(referenceTarget(), new URL('http://127.0.0.1'), testKey);

/** The tokens of the runs of one side, the first of them before the others. */
const tokens = ['early', 'late1', 'late2'];

/**
 * Records runs of the suite, one after another, against one reference server.
 *
 * @param runs how many; the last of them stands first, as that which is compared
 */
export async function recordedSide(setting: Setting, runs: number, side: 'a' | 'b'): Promise<RunsOfSide> {
  const recordings: Recording[] = [];
  let recorder: Recorder = createRecorder(nowhere);
  await recordedRuns(
    {
      ...setting,
      run: {
        ...setting.run,
        watch: {
          answer: answer => recorder.watch.answer(answer),
          sent: (...told) => recorder.watch.sent(...told),
        },
      },
      onEvent(event) {
        if (event.event === 'run-start') recorder = createRecorder(nowhere);
        recorder.event(event);
        if (event.event === 'run-end') recordings.unshift(recorder.recording());
      },
    },
    tokens.slice(0, runs).map(token => side + token),
  );
  const [last, ...others] = recordings;
  if (last === undefined) throw new Error('a run ends');
  return [last, ...others];
}
