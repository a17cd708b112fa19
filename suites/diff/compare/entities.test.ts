import { expect, test } from 'vitest';
import type { Json } from '../../../contracts/json.ts';
import { exchange, type Made, recording, shows } from '../record/recordings.fixture.ts';
import { compareRecordings } from './differences.ts';

/** Returns an accepted patch of the gate `g` that shows these members, with the times of request and answer in ms. */
const patch = (
  id: string,
  body: { readonly [name: string]: Json },
  shown: { readonly [name: string]: Json },
  [begunMs, answeredMs]: readonly [number, number] = [0, 0],
) => ({ ...exchange({ id, param: 'g', body, value: shows({ id: 'g', ...shown }) }), begunMs, answeredMs });

type Exchanges = readonly ReturnType<typeof patch>[];
const placesOf = (a: Exchanges, b: Exchanges): string[] =>
  compareRecordings(recording('aaaa', a), recording('bbbb', b), true).differences.map(
    ({ located: { pointer, aspect } }) => `${pointer} ${aspect}`,
  );

const name = { description: 'x' };

test('what two cases of a run wrote is no difference, whichever of them came last', () => {
  const run = (last: Json) => [
    patch('patch-gate/accepts#1', { creatorID: null }, { creatorID: null }),
    patch('patch-gate/accepts#2', { creatorID: 'ada' }, { creatorID: 'ada' }),
    patch('patch-gate/accepts#3', name, { ...name, creatorID: last }),
  ];
  expect(placesOf(run(null), run('ada'))).toEqual([]);
  expect(placesOf(run('ada'), run(7))).toEqual(['/data/creatorID type']);
});

test('a null that one side alone was sent, and shows, is as it was sent', () => {
  const one = (value: Json, shown: Json) => [patch('patch-gate/accepts#1', { creatorID: value }, { creatorID: shown })];
  expect(placesOf(one(null, null), one('ada', 'ada'))).toEqual([]);
  expect(placesOf(one(null, 'bob'), one(null, null))).toEqual(['/data/creatorID value']);
});

test('which of two writes at once is stored is no difference; which of two in turn is', () => {
  const run = (times: readonly (readonly [number, number])[], last: string) => [
    patch('patch-gate/races#1', { description: 'one' }, { description: 'one' }, times[0]),
    patch('patch-gate/races#1.2', { description: 'two' }, { description: 'two' }, times[1]),
    patch('patch-gate/races#1.3', {}, { description: last }, [9, 10]),
  ];
  const atOnce = [
    [0, 5],
    [1, 6],
  ] as const;
  const inTurn = [
    [0, 1],
    [2, 3],
  ] as const;
  expect(placesOf(run(atOnce, 'one'), run(atOnce, 'two'))).toEqual([]);
  expect(placesOf(run(inTurn, 'one'), run(inTurn, 'two'))).toEqual(['/data/description value']);
});

test('the step of a version is compared between requests in turn alone', () => {
  const run = (begunMs: number, version: number) => [
    patch('patch-gate/races#1', name, { ...name, version: 1 }, [0, 5]),
    patch('patch-gate/races#1.2', name, { ...name, version }, [begunMs, 8]),
  ];
  expect(placesOf(run(6, 2), run(6, 3))).toEqual(['/data/version value']);
  expect(placesOf(run(1, 2), run(1, 3))).toEqual([]);
  // Another case writes to the same entity in between.
  const beside = (version: number) => [...run(6, version), patch('patch-gate/accepts#1', {}, {}, [5, 7])];
  expect(placesOf(beside(2), beside(3))).toEqual([]);
});

test('what comes of the writes of other cases is compared by its form', () => {
  const experiment = (id: string, request: Made['body'], shown: { readonly [member: string]: Json }) => ({
    ...exchange({
      id,
      endpoint: 'update-experiment',
      param: 'e',
      body: request ?? {},
      value: shows({ id: 'e', ...shown }),
    }),
    begunMs: 0,
    answeredMs: 0,
  });
  const run = (...criteria: Json[]) => [
    experiment('update-experiment/accepts#1', { hypothesis: 'h' }, { hypothesis: 'h', decisionReason: 'a' }),
    experiment(
      'update-experiment/accepts#2',
      { description: 'd' },
      { description: 'd', decisionReason: criteria[0] ?? null },
    ),
    experiment('update-experiment/accepts#3', {}, { decisionReason: criteria[1] ?? null }),
  ];
  expect(placesOf(run('a', 'p'), run('a', 'q'))).toEqual([]);
  expect(placesOf(run('p', 'p'), run('q', 'q'))).toEqual(['/data/decisionReason value']);
});
