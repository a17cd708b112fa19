import { expect, test } from 'vitest';
import { contextOf, modelSession } from '../../proof/testing/judged-by.ts';
import { createModel } from '../../proof/testing/model.ts';
import { minimalApiRequest } from '../../protocol/check.ts';
import { noteControl, sendControl } from './controls.ts';

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
