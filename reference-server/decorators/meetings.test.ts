import { afterEach, expect, test, vi } from 'vitest';
import type { HandlerRequest } from '../api/request.ts';
import { createMeeting } from './meetings.ts';

const requestOf = (endpoint: HandlerRequest['endpoint']): HandlerRequest => ({ endpoint }) as HandlerRequest;
const [first, second] = [requestOf('patch-gate'), requestOf('disable-gate')];

afterEach(() => void vi.useRealTimers());

test('two requests of one key meet, in the order in which they came', async () => {
  const meet = createMeeting(2);
  const met = await Promise.all([meet('gate', first), meet('gate', second)]);
  expect(met.map(({ index, requests }) => [index, requests])).toEqual([
    [0, [first, second]],
    [1, [first, second]],
  ]);
});

test('requests of different keys do not meet, and each goes on alone', async () => {
  const meet = createMeeting(2);
  const met = await Promise.all([meet('gate', first), meet('other', second)]);
  expect(met.map(({ requests }) => requests)).toEqual([[first], [second]]);
});

test('a request that had come before the time was up meets the other, however late it is read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const meet = createMeeting(2);
  const waiting = meet('gate', first);
  vi.runAllTimers();
  await new Promise(resolve => setImmediate(resolve));
  const met = await Promise.all([waiting, meet('gate', second)]);
  expect(met.map(({ requests }) => requests.length)).toEqual([2, 2]);
});
