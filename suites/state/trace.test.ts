import { expect, test } from 'vitest';
import { type EndpointId, endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import { contextOf, modelSession } from '../proof/testing/judged-by.ts';
import { createModel } from '../proof/testing/model.ts';
import { traceOf, withMark } from './trace.ts';

const readable = endpointsWhere(row => typeof traceOf(row)?.field === 'string');

test('writes that can be read back leave one', () => {
  expect(readable).toEqual(['update-qualifying-event', 'patch-gate', 'create-metric'] satisfies EndpointId[]);
});

test.each(readable)('the mark of %s is found once it is stored, at its place, and not before', async endpoint => {
  const trace = traceOf(endpointRow(endpoint));
  if (trace === undefined) throw new Error('no trace');
  const context = contextOf(endpoint);
  const session = modelSession(createModel());
  expect(await trace.find(context, session, 'a mark')).toBeNull();
  const { body, param } = context.minimal;
  await session.send({ endpoint, param, body: withMark(body, trace, 'a mark') });
  const answer = await trace.find(context, session, 'a mark');
  const places = trace.pointer.includes('*')
    ? [0, 1].map(index => trace.pointer.replace('*', String(index)))
    : [trace.pointer];
  expect(isObject(answer?.value)).toBe(true);
  expect(places.map(place => at(answer?.value, place))).toContain('a mark');
  expect(await trace.find(context, session, 'another mark')).toBeNull();
});

test('a mark is added to a body, or is the whole of it', () => {
  const trace = traceOf(endpointRow('patch-gate'));
  if (trace === undefined) throw new Error('no trace');
  expect(withMark({ isEnabled: true }, trace, 'm')).toEqual({ isEnabled: true, description: 'm' } satisfies JsonObject);
  expect(withMark(undefined, trace, 'm')).toEqual({ description: 'm' });
});

test('disabling shows itself, of a gate that was enabled before; and is sent no mark', async () => {
  const trace = traceOf(endpointRow('disable-gate'));
  if (trace === undefined) throw new Error('no trace');
  const context = contextOf('disable-gate');
  const { param } = context.minimal;
  const session = modelSession(createModel());
  await session.send({ endpoint: 'patch-gate', param, body: { isEnabled: true } });
  expect(await trace.find(context, session, '')).toBeNull();
  const silently = { ...session, lastWritten: () => ({ isEnabled: true }) };
  await session.send({ endpoint: 'disable-gate', param });
  expect(at((await trace.find(context, silently, ''))?.value, trace.pointer)).toBe(false);
  expect(await trace.find(context, { ...session, lastWritten: () => undefined }, '')).toBeNull();
  expect(withMark(undefined, trace, 'm')).toBeUndefined();
});
