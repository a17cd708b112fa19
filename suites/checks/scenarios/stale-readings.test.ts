import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { contextOf, modelSession } from '../../proof/testing/judged-by.ts';
import { answering, createModel, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { createCare } from './scenario.ts';
import { patchAndReadOften } from './stale-readings.ts';

const isRead = (body: unknown): boolean => JSON.stringify(body) === '{}';

/** Answers the how-manieth reading after a patch with another description, where `shown` gives one. */
const reading =
  (shown: (number: number, old: Json | undefined) => Json | undefined): Wrong =>
  model => {
    let [number, old, now]: [number, Json | undefined, Json | undefined] = [0, undefined, undefined];
    return (request, body) => {
      const { description } = (body ?? {}) as JsonObject;
      if (description !== undefined) [number, old, now] = [0, now, description];
      if (!isRead(body) || now === undefined) return model(request, body);
      number += 1;
      const other = shown(number, old);
      const change = (gate: JsonObject) => (other === undefined ? gate : { ...gate, description: other });
      return answering('patch-gate', change)(model)(request, body);
    };
  };

async function judged(wrong: Wrong, settleMs = 0) {
  const session = modelSession(wrong(createModel()));
  await session.send({ endpoint: 'patch-gate', param: 'gate_a', body: { description: 'old' } });
  const {
    violations,
    covers = [],
    because,
  } = await patchAndReadOften(contextOf('patch-gate', { settleMs }), session, createCare(settleMs));
  return {
    found: violations.map(({ requirement, doubt }) => (doubt === undefined ? requirement : `${requirement}: ${doubt}`)),
    covers: [...covers],
    because,
  };
}

const stored = 'state.patch-every-sent';

test.each<readonly [what: string, wrong: Wrong]>([
  ['one of two replicas that never catches up', reading((number, old) => (number % 2 === 0 ? old : undefined))],
  ['one of three replicas that never catches up', reading((number, old) => (number % 3 === 2 ? old : undefined))],
])('%s is met', async (_what, wrong) => {
  const { found, covers } = await judged(wrong);
  expect(found).toEqual([stored]);
  expect(covers).toContain(stored);
});

test('what is stored and shown each time is verified', async () => {
  expect(await judged(right)).toMatchObject({ found: [], covers: [stored] });
});

test('what is late and then stays is nothing to accuse of', async () => {
  expect(
    (
      await judged(
        reading((number, old) => (number <= 2 ? old : undefined)),
        1_000,
      )
    ).found,
  ).toEqual([]);
});

test('what somebody else writes is nothing to accuse of, and verifies nothing', async () => {
  const byOthers = reading(number => (number > 2 ? 'written by somebody else' : undefined));
  expect(await judged(byOthers)).toMatchObject({ found: [], covers: [] });
});

test('what is never shown is the finding of another case', async () => {
  expect(await judged(reading((_number, old) => old))).toMatchObject({ found: [], covers: [] });
});

test('a gate that shows no description, cannot be read or takes no patch proves nothing', async () => {
  const bare = answering('patch-gate', ({ description: _hidden, ...gate }) => gate);
  expect((await judged(bare)).because).toBe('the gate shows no description');
  const unreadable = instead({ status: 404 }, (_request, body) => !('description' in body));
  expect((await judged(unreadable)).because).toMatch(/could not be read back \(status 404/);
  const locked = instead({ status: 423 }, (_request, { description }) => String(description).includes('read often'));
  expect((await judged(locked)).because).toMatch(/the patch was refused \(status 423/);
});
