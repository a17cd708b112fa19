import { expect, test } from 'vitest';
import { type GivenExchange, givenExchange, judgedTraffic } from '../../proof/testing/exchanges.ts';

const limited = (more: GivenExchange = {}): GivenExchange => ({
  status: 429,
  answer: { message: 'Slow down.' },
  answerHeaders: [
    ['content-type', 'application/json'],
    ['retry-after', '30'],
  ],
  sentAtMs: 0,
  answeredAtMs: 10,
  ...more,
});
const asked = (sentAtMs: number, more: GivenExchange = {}): GivenExchange =>
  limited({ sentAtMs, answeredAtMs: sentAtMs + 10, ...more });
const breach = ['client client.retry-after time'];

// biome-ignore format: a table
test.each<readonly [what: string, second: GivenExchange, found: readonly string[]]>([
  ['back too soon',                                     asked(29_000),                                                          breach],
  ['back when the time is over',                        asked(30_010),                                                          []],
  ['back as a timer ends that is a little early',       asked(29_999),                                                          []],
  ['with a request that it began before and sent slowly', asked(1_000, { beganAtMs: 5 }),                                       []],
  ['with a request that it began afterwards',           asked(2_000, { beganAtMs: 1_000 }),                                     breach],
  ['under way when it was asked to wait',               asked(5),                                                               []],
  ['with another key',                                  asked(1_000, { headers: { 'SERVICE-API-KEY': 'another-key' } }),        []],
  ['to another operation',                              asked(1_000, { target: '/console/v1/experiments/qualifying_events' }), []],
])('a client that is asked to wait and comes %s', (_what, second, found) => {
  const exchanges = [limited(), second].map((one, index) => givenExchange(one, index + 1));
  expect(judgedTraffic(exchanges).found).toEqual(found);
});

// biome-ignore format: a table
test.each<readonly [what: string, backAtMs: number, found: readonly string[]]>([
  ['may have waited, and that is left open',    30_000, []],
  ['did not wait, and that is told',            29_000, breach],
  ['may have been under way, and is left open', 1_000,  []],
])('a client that by times cut to seconds %s', (_what, backAtMs, found) => {
  const exchanges = [limited({ answeredAtMs: 600 }), asked(backAtMs)].map((one, index) => ({
    ...givenExchange(one, index + 1),
    coarseMs: 1_000,
  }));
  expect(judgedTraffic(exchanges).found).toEqual(found);
});

test('a date is held against the clock of the answer, and a wait that is no time is none', () => {
  const dated = (value: string): GivenExchange =>
    limited({
      answerHeaders: [
        ['content-type', 'application/json'],
        ['date', 'Thu, 01 Jan 2026 00:00:00 GMT'],
        ['retry-after', value],
      ],
    });
  const foundAfter = (value: string) =>
    judgedTraffic([dated(value), asked(20_000)].map((one, index) => givenExchange(one, index + 1))).found;
  expect(foundAfter('Thu, 01 Jan 2026 00:00:30 GMT')).toEqual(breach);
  expect(foundAfter('Thu, 01 Jan 2026 00:00:10 GMT')).toEqual([]);
  expect(foundAfter('soon')).toEqual([]);
  expect(foundAfter('3000.5')).toEqual([]);
  // Both dates are truncated to whole seconds: their difference may be one second short.
  expect(foundAfter('Thu, 01 Jan 2026 00:00:21 GMT')).toEqual([]);
  expect(foundAfter('Thu, 01 Jan 2026 00:00:22 GMT')).toEqual(breach);
});
