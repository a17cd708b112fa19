import { expect, test } from 'vitest';
import { givenAnswer } from '../../proof/testing/answers.ts';
import { contextOf, modelSession } from '../../proof/testing/judged-by.ts';
import { createModel } from '../../proof/testing/model.ts';
import type { Answer } from '../../protocol/answer.ts';
import { minimalApiRequest } from '../../protocol/check.ts';
import { createRecheck, noteControl, sendControl, sendPersistently } from './controls.ts';

const context = contextOf('patch-gate');
const request = minimalApiRequest(context, { description: 'a control' });

test('a request that was accepted in a run is the control of all checks, and is not sent again', async () => {
  const session = modelSession(createModel());
  noteControl(session, await session.send(request));
  const later = { ...session, run: session };
  expect((await sendControl(later, request)).success).toBe(true);
  expect(session.sent).toHaveLength(1);
});

test('another body, and another entity, are other controls', async () => {
  const session = modelSession(createModel());
  await sendControl(session, request);
  await sendControl(session, { ...request, body: { description: 'another' } });
  await sendControl(session, { ...request, param: 'gate_b' });
  expect(session.sent).toHaveLength(3);
});

test('what was refused is sent again, and so is what another run had accepted', async () => {
  const session = modelSession(() => ({ status: 409, value: { message: 'Later' } }));
  await sendControl(session, request);
  await sendControl(session, request);
  expect(session.sent).toHaveLength(2);
  const other = modelSession(createModel());
  await sendControl(other, request);
  expect(other.sent).toHaveLength(1);
});

const refused = (status: number, message: string) => givenAnswer({ status, value: { message } });

/** A control that is accepted this often; counts how often it is sent. */
function control(accepted: number) {
  let sent = 0;
  const send = async () => {
    sent += 1;
    return sent > accepted ? refused(402, 'Your plan is used up') : givenAnswer({ status: 200 });
  };
  return { send, sent: () => sent };
}

test('a refusal as invalid needs no control', async () => {
  const { send, sent } = control(0);
  expect(await createRecheck()(refused(400, 'Invalid'), send)).toBeNull();
  expect(sent()).toBe(0);
});

test.each([402, 403, 404, 409, 423, 429])(
  'a refusal with %s proves something while the control is accepted',
  async status => {
    const { send, sent } = control(9);
    const recheck = createRecheck();
    for (let time = 0; time < 20; time += 1) expect(await recheck(refused(status, 'No'), send)).toBeNull();
    expect(sent()).toBe(5);
  },
);

test('once the control is refused, refusals like it prove nothing, in its words, and others do', async () => {
  const { send, sent } = control(1);
  const recheck = createRecheck();
  await recheck(refused(402, 'No'), send);
  const because =
    'its control, accepted before, is refused now (status 402: "Your plan is used up"), so a refusal proves nothing';
  expect(await recheck(refused(402, 'No'), send)).toBe(because);
  expect(await recheck(refused(402, 'Your plan is used up'), send)).toBe(because);
  expect(await recheck(refused(403, 'No'), send)).toBeNull();
  expect(await recheck(refused(400, 'Invalid'), send)).toBeNull();
  expect(sent()).toBe(2);
});

test('no more controls are sent again than may be', async () => {
  const { send, sent } = control(9);
  const recheck = createRecheck(2);
  for (const word of ['one', 'two', 'three', 'four']) await recheck(refused(409, word), send);
  expect(sent()).toBe(2);
});

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
