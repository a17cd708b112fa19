import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { lists } from './lists.ts';

/** Returns the stored list, from the list before and the one sent. */
type Stored = (before: readonly Json[], sent: readonly Json[]) => readonly Json[];

/** Stores another list than was sent; calls back each time. */
const storing =
  (field: string, stored: Stored, told: () => void = () => {}): Wrong =>
  model => {
    let before: readonly Json[] = [];
    return (request, body) => {
      const sent = (body as JsonObject | undefined)?.[field];
      if (!Array.isArray(sent)) return model(request, body);
      before = stored(before, sent);
      if (JSON.stringify(before) !== JSON.stringify(sent)) told();
      return model(request, { ...(body as JsonObject), [field]: [...before] });
    };
  };

const sorted = (items: readonly Json[]): string =>
  items
    .map(item => JSON.stringify(item))
    .toSorted()
    .join();
const firstHalf = (items: readonly Json[]): readonly Json[] => items.slice(0, -1);

const writes = ['patch-gate', 'update-qualifying-event', 'update-experiment'] as const satisfies EndpointId[];

test.each(writes)('a right server is asked few requests by %s, and nothing is found', async id => {
  const { found, suspected, results, sent } = await judgedBy(lists, id, right);
  expect([...found, ...suspected]).toEqual([]);
  expect(results.filter(({ proved, covers = [] }) => !proved || [...covers].length === 0)).toEqual([]);
  expect(sent.length).toBeLessThan(18);
});

const isSame = (one: readonly Json[], other: readonly Json[]): boolean => JSON.stringify(one) === JSON.stringify(other);

describe('what is sent tells a list that is stored otherwise', () => {
  // biome-ignore format: a table
  test.each<readonly [what: string, stored: Stored]>([
    ['where only its order changes',  (before, sent) => (sorted(before) === sorted(sent) ? before : sent)],
    ['where it gets shorter',         (before, sent) => (sent.length < before.length ? before : sent)],
    ['where its last item changes',   (before, sent) => (before.length === sent.length && isSame(firstHalf(before), firstHalf(sent)) ? before : sent)],
    ['where its first item changes',  (before, sent) => (before.length === sent.length && isSame(before.slice(1), sent.slice(1)) ? before : sent)],
    ['where an item stands twice',    (_before, sent) => [...new Map(sent.map(item => [JSON.stringify(item), item])).values()]],
  ])('%s', async (_what, stored) => {
    let times = 0;
    const wrong = storing('links', stored, () => {
      times += 1;
    });
    await judgedBy(lists, 'update-experiment', wrong);
    expect(times).toBeGreaterThan(0);
  });

  test('and it is suspected where the gate shows it later', async () => {
    const union = storing('tags', (before, sent) => [...new Set([...before, ...sent])]);
    const hidden: Wrong = model =>
      answering('patch-gate', (data, { body }) => ({ ...data, ...(body as JsonObject) }))(union(model));
    expect((await judgedBy(lists, 'patch-gate', hidden)).suspected.join()).toContain('/data/tags');
  });
});

test('a list that is refused is taken out of the company of the others', async () => {
  const wrong = instead({ status: 400 }, (_request, body) => JSON.stringify(body.links ?? []).length > 2);
  const { found, results } = await judgedBy(lists, 'update-experiment', wrong);
  expect(found).toEqual([]);
  expect(results.every(({ proved }) => proved)).toBe(true);
});

test('a server that maps a column once takes every form but the last', async () => {
  const isDoubled = (_request: unknown, { idTypeMapping = [] }: JsonObject): boolean => {
    const columns = (idTypeMapping as readonly JsonObject[]).map(({ column }) => column);
    return new Set(columns).size < columns.length;
  };
  const { found, results } = await judgedBy(lists, 'update-qualifying-event', instead({ status: 422 }, isDoubled));
  expect(found).toEqual([]);
  expect(results.every(({ proved }) => proved)).toBe(true);
});

test('where all is refused nothing is proved', async () => {
  const { found, results } = await judgedBy(lists, 'patch-gate', instead({ status: 409 }));
  expect(found).toEqual([]);
  expect(results.some(({ proved }) => proved)).toBe(false);
});
