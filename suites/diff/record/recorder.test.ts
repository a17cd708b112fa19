import { expect, test } from 'vitest';
import { givenAnswer } from '../../proof/testing/answers.ts';
import { targetOf } from '../../sut/target.ts';
import { createRecorder } from './recorder.ts';

test('every exchange is kept with its times, and what is sent again beside the first, under the same id', () => {
  const { watch, recording } = createRecorder(targetOf({}, new URL('http://recorded.invalid'), 'a-key-of-tests'));
  const exchange = (number: number, status: number, lost: readonly number[] = []): void => {
    const answer = givenAnswer({ id: 'patch-gate/accepts#0', status, value: { message: 'Done.' } });
    for (const one of [...lost, number])
      watch.begun?.({ number: one, id: answer.id, request: answer.request, sent: {}, atMs: 100 * one });
    watch.answer(answer);
    watch.answered?.(answer, { number, lost, atMs: 100 * number + 7 });
  };
  exchange(1, 200);
  exchange(3, 400, [2]);
  const { exchanges, again } = recording();
  expect(exchanges).toMatchObject([{ id: 'patch-gate/accepts#0', status: 200, begunMs: 100, answeredMs: 107 }]);
  expect(again).toMatchObject([{ id: 'patch-gate/accepts#0', status: 400, begunMs: 300, answeredMs: 307 }]);
});
