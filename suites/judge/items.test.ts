import { expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import { copyKeyOf, keyOf } from './items.ts';

test('an item without identity is known by what it shows, in whatever order it names its members', () => {
  const event = { name: 'a', metadata: { x: 1, y: 2 } };
  expect(keyOf({ metadata: { y: 2, x: 1 }, name: 'a' }, endpoints['list-events'])).toBe(
    keyOf(event, endpoints['list-events']),
  );
});

test.each([
  ['list-event-metrics', { id: 'a::sum' }, 'two'],
  ['list-config-versions', { version: 1 }, 'two'],
  ['list-segments', { id: 'a' }, 'one'],
  ['list-qualifying-events', { name: 'a' }, 'one'],
] as const)('%s: two different items with one key are %s', (endpoint, item, how) => {
  const [one, other] = ['mine', 'yours'].map(description => copyKeyOf({ ...item, description }, endpoints[endpoint]));
  expect(one === other ? 'one' : 'two').toBe(how);
});
