import { expect, test } from 'vitest';
import { redactions } from '../../../contracts/report/evidence.ts';
import { givenAnswer } from '../../proof/testing/answers.ts';
import { sameShape } from '../../sut/near-miss-keys.ts';
import { targetOf } from '../../sut/target.ts';
import { createRecorder } from './recorder.ts';

test.each([
  ['a-key-of-testsx', redactions.longer],
  ['A-KEY-OF-TESTS', redactions.otherCase],
  ['a-key-of-test', redactions.butLast],
  [sameShape('a-key-of-tests'), redactions.sameShape],
  ['', '«empty»'],
  ['conform-wrong-key', '«unlike it»'],
])('of another key (%j) it is kept what it is to the right one, and never its value', (value, words) => {
  const { watch, recording } = createRecorder(targetOf({}, new URL('http://recorded.invalid'), 'a-key-of-tests'));
  const answer = givenAnswer({ id: 'patch-gate/authentication#0', status: 401 });
  watch.answer({ ...answer, request: { ...answer.request, key: { kind: 'value', value } } });
  const [kept] = recording().exchanges;
  expect(kept?.request).toMatchObject({ key: 'other', presented: words.slice(1, -1) });
  if (value !== '') expect(JSON.stringify(kept)).not.toContain(value);
});

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
  exchange(3, 400);
  exchange(5, 409, [4]);
  const { exchanges, again } = recording();
  expect(exchanges).toMatchObject([{ id: 'patch-gate/accepts#0', status: 200, begunMs: 100, answeredMs: 107 }]);
  expect(again?.[0]).toMatchObject({ id: 'patch-gate/accepts#0', status: 400, begunMs: 300, answeredMs: 307 });
  // The first answer was lost, so the time of the write is unknown.
  expect(again?.[1]).toMatchObject({ status: 409 });
  expect(again?.[1]).not.toHaveProperty('begunMs');
});
