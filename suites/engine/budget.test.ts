import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { Withheld } from '../protocol/stop.ts';
import { targetOf } from '../sut/target.ts';
import { type CreationBudget, createBudget, mostCreated } from './budget.ts';
import { configOf, type RunOptions } from './config.ts';

const configWith = (metrics: number | undefined, options: Partial<RunOptions> = {}) =>
  configOf({
    target: targetOf(metrics === undefined ? {} : { limits: { metrics } }, new URL('http://127.0.0.1:9'), 'k'),
    ...options,
  });
const creation = (more: JsonObject = {}): ApiRequest => ({
  endpoint: 'create-metric',
  body: { name: 'm', type: 'sum', ...more },
});
const answered = (budget: CreationBudget, request: ApiRequest, more: Given = {}) =>
  budget.note(
    givenAnswer({
      endpoint: 'create-metric',
      request,
      sent: request.body ?? {},
      value: { data: { name: 'm' } },
      ...more,
    }),
  );
/** Sends requests one after another, and returns the outcome of each. */
const sendAll = async (budget: CreationBudget, requests: readonly ApiRequest[], more: Given = {}) => {
  const outcomes: string[] = [];
  for (const request of requests) {
    try {
      await budget.admit(request);
      answered(budget, request, more);
      outcomes.push('sent');
    } catch (error) {
      outcomes.push((error as Withheld).message);
    }
  }
  return outcomes;
};

describe('a run that may create two metrics', () => {
  const over = 'the run creates 2 metrics at most, and has';

  test('creates two and holds back the others, with the line that would allow them', async () => {
    const budget = createBudget(configWith(2));
    expect(await sendAll(budget, [creation(), creation(), creation()])).toEqual(['sent', 'sent', over]);
    await expect(Promise.resolve().then(() => budget.admit(creation()))).rejects.toMatchObject({
      remedy: 'limits.metrics: 10',
    });
    expect(budget.all?.()).toEqual([
      expect.objectContaining({ text: expect.stringContaining('2 requests to create-metric were not sent') }),
    ]);
  });

  test('counts an attempt that was put off for nothing, and one that was lost for a metric', async () => {
    const outcomeAfter = async (more: object) => {
      const budget = createBudget(configWith(2));
      const answer = givenAnswer({ endpoint: 'create-metric', sent: {}, value: { data: { name: 'm' } } });
      await budget.admit(creation());
      budget.note({ ...answer, reply: { ...answer.reply, attempts: 2, ...more } });
      return sendAll(budget, [creation()]);
    };
    expect(await outcomeAfter({ deferrals: 1 })).toEqual(['sent']);
    expect(await outcomeAfter({})).toEqual([over]);
  });

  test('leaves half of the creations to others when a warning is examined', async () => {
    const examining: ApiRequest = { ...creation(), spare: 'examining' };
    const keptFor = 'what else the run may create is kept for others (10 at most)';
    const requests = [...Array(7).fill(examining), creation()];
    expect(await sendAll(createBudget(configWith(10)), requests)).toEqual([
      ...Array(5).fill('sent'),
      keptFor,
      keptFor,
      'sent',
    ]);
  });

  test('keeps the last creations for those that nothing else can show', async () => {
    const budget = createBudget(configWith(5));
    const spare: ApiRequest = { ...creation(), spare: true };
    const keptFor = 'what else the run may create is kept for others (5 at most)';
    const outcomes = await sendAll(budget, [
      spare,
      spare,
      spare,
      spare,
      spare,
      creation(),
      creation(),
      creation(),
      creation(),
      creation(),
    ]);
    const sent = (from: number, to: number) => outcomes.slice(from, to).filter(one => one === 'sent').length;
    expect(outcomes.slice(0, 5).at(-1)).toBe(keptFor);
    expect(sent(0, 5)).toBeLessThan(5);
    expect(sent(0, 10)).toBe(5);
  });

  test('still sends dry runs, other methods and other operations', async () => {
    const budget = createBudget(configWith(0));
    const raw: ApiRequest = { endpoint: 'create-metric', raw: '{ "name": "m", "dryRun" : true }' };
    const free = [creation({ dryRun: true }), raw, { ...creation(), method: 'GET' }];
    expect(await sendAll(budget, free)).toEqual(['sent', 'sent', 'sent']);
    expect(await sendAll(budget, [{ endpoint: 'patch-gate', param: 'g', body: {} }])).toEqual(['sent']);
    expect(budget.all?.()).toEqual([]);
  });

  test('counts what was accepted although it should not have been, and creations whose answer got lost', async () => {
    const budget = createBudget(configWith(2));
    const wrong: ApiRequest = { ...creation(), key: { kind: 'none' }, rawPath: '/console/v1/metrics/' };
    expect(await sendAll(budget, [wrong])).toEqual(['sent']);
    expect(await sendAll(budget, [creation()], { failure: { kind: 'timeout', message: 'no answer' } })).toEqual([
      'sent',
    ]);
    expect(await sendAll(budget, [creation()])).toEqual([over]);
  });

  test('does not count refusals', async () => {
    const budget = createBudget(configWith(2));
    const refused = await sendAll(budget, [creation(), creation(), creation()], { status: 400 });
    expect(refused).toEqual(['sent', 'sent', 'sent']);
  });

  test('waits near the limit for what is in flight, and sends again where that was refused or never sent', async () => {
    const budget = createBudget(configWith(2));
    const [first, second, third, fourth, fifth] = [creation(), creation(), creation(), creation(), creation()];
    budget.admit(first);
    budget.admit(second);
    const order: string[] = [];
    const later = [third, fourth, fifth].map(async (request, index) => {
      await Promise.resolve(budget.admit(request)).then(
        () => order.push(`${index} admitted`),
        error => order.push(`${index} ${error instanceof Withheld ? 'withheld' : error}`),
      );
    });
    await Promise.resolve();
    expect(order).toEqual([]);
    answered(budget, first, { status: 400 });
    budget.release(second);
    await Promise.all(later.slice(0, 2));
    expect(order).toEqual(['0 admitted', '1 admitted']);
    answered(budget, third);
    answered(budget, fourth);
    await Promise.all(later);
    expect(order.at(-1)).toBe('2 withheld');
  });
});

test.each([
  ['quick', 12, 16],
  ['standard', 40, 40],
  ['thorough', 200, 150],
] as const)('profile %s creates %i metrics and %i prompt versions at most', (profile, metrics, versions) => {
  const config = configWith(undefined, { profile });
  expect(mostCreated('create-metric', config)).toBe(metrics);
  expect(mostCreated('create-prompt-version', config)).toBe(versions);
  expect(mostCreated('list-event-metrics', config)).toBeUndefined();
});

test('of two limits on requests the smaller one counts', () => {
  const target = targetOf({ limits: { requests: 100 } }, new URL('http://127.0.0.1:9'), 'k');
  expect(configOf({ target }).maxRequests).toBe(100);
  expect(configOf({ target, maxRequests: 30 }).maxRequests).toBe(30);
  expect(configOf({ target, maxRequests: 300 }).maxRequests).toBe(100);
});
