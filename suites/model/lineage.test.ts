import { expect, test } from 'vitest';
import { eventFinder, type Lineage } from './lineage.ts';

const [layers, width] = [7, 30];

/** Metrics in layers, each of which names all of the next layer: more ways than anybody could walk. */
const woven = (events: readonly string[]): ReadonlyMap<string, Lineage> =>
  new Map(
    Array.from({ length: layers * width }, (_, number): [string, Lineage] => {
      const next = Math.floor(number / width) + 1;
      const metrics = Array.from({ length: width }, (_item, index) => `${next * width + index}`);
      return [`${number}`, next < layers ? { events: [], metrics } : { events: [...events], metrics: [] }];
    }),
  );

test.each([
  ['another', false],
  ['the event', true],
])('metrics that all name one another are looked through once: they lead to %s', (event, isRight) => {
  const shown = woven([event]);
  expect(eventFinder('the event', shown)(shown.get('0') as Lineage)).toBe(isRight);
});

test('a circle of metrics, and a metric that is not shown, prove nothing', () => {
  const shown = new Map<string, Lineage>([
    ['a', { events: [], metrics: ['b'] }],
    ['b', { events: [], metrics: ['a'] }],
    ['c', { events: [], metrics: ['gone'] }],
  ]);
  const hasEvent = eventFinder('the event', shown);
  expect([...shown.values()].map(one => hasEvent(one))).toEqual([undefined, undefined, undefined]);
});
