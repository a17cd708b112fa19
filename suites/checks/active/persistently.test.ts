import { expect, test } from 'vitest';
import type { Answer } from '../../protocol/answer.ts';
import { sendPersistently } from './persistently.ts';

// biome-ignore format: a table
test.each([
  ['accepted at once',                    [200],                     200, 1],
  ['a conflict that passes',              [409, 200],                200, 2],
  ['conflicts that pass at the last try', [409, 423, 409, 200],      200, 4],
  ['a conflict each time',                [409, 409, 409, 409, 200], 409, 4],
  ['refused for what was sent',           [400, 200],                400, 1],
  ['a failure of the server',             [500, 200],                500, 1],
])('%s', async (_what, statuses, last, times) => {
  let sent = 0;
  const send = async () => ({ status: statuses[sent++] }) as Answer;
  expect((await sendPersistently(send)).status).toBe(last);
  expect(sent).toBe(times);
});
