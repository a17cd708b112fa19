import { expect, test } from 'vitest';
import { givenAnswer } from '../../proof/testing/answers.ts';
import { createRecheck } from './recheck.ts';

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
