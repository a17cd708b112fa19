import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { answering, createModel, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { isNothingToDo } from '../../protocol/check.ts';
import { Withheld } from '../../protocol/stop.ts';
import { atOnce } from './at-once.ts';

/** Gives a request the answer of the previous one. */
function shared(): (data: object) => unknown {
  let last: object | undefined;
  return data => {
    const before = last ?? data;
    last = data;
    return before;
  };
}

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                'create-metric',         right,                                          []],
  ['a right server, prompts',       'create-prompt-version', right,                                          []],
  ['one answer for two clients',    'create-metric',         answering('create-metric', shared()),           ['state.concurrent-answers /data/name', 'state.concurrent-creations /data/id']],
  ['an answer without a name',      'create-metric',         answering('create-metric', () => ({})),         []],
])('%s', async (_what, endpoint, wrong, found) => {
  expect((await judgedBy(atOnce, endpoint, wrong)).suspected).toEqual(found);
});

test('eight are sent, each with a name of its own, and two of one name; refused ones prove nothing', async () => {
  const { sent, because } = await judgedBy(atOnce, 'create-metric', instead({ status: 400 }));
  expect(sent).toHaveLength(10);
  expect(because).toEqual([8, 2].map(count => `of ${count} requests at once all were refused (status 400)`));
});

test('where little may be left, the others are dry runs, or are not sent', async () => {
  const amounts = { fuzz: 1, enumerated: 1, walks: 1, creations: 1 };
  const isDry = ({ body }: { body?: unknown }) => (body as { dryRun?: unknown } | undefined)?.dryRun === true;
  const metrics = await judgedBy(atOnce, 'create-metric', right, { amounts });
  const created = metrics.sent.filter(({ endpoint }) => endpoint === 'create-metric');
  expect(created.filter(request => !isDry(request))).toHaveLength(2);
  expect(created).toHaveLength(8);
  expect((await judgedBy(atOnce, 'create-prompt-version', right, { amounts })).sent).toHaveLength(2);
});

/** Counts how often requests meet, of which the target puts one off the first time, with this outcome. */
async function metAgain(success: boolean): Promise<number> {
  const plan = atOnce.plan(contextOf('create-prompt-version'));
  const session = modelSession(createModel());
  let times = 0;
  const together: typeof session.together = async requests => {
    times += 1;
    const [first, ...others] = (await session.together?.(requests)) ?? [];
    if (first === undefined || times > 1) return [first ?? [], others].flat();
    return [{ ...first, success, reply: { ...first.reply, deferrals: 1 } }, ...others];
  };
  if (!isNothingToDo(plan)) for (const one of plan.cases ?? []) await plan.run(one, { ...session, together });
  return times;
}

test('where one comes later than the others, because the target puts it off, all are sent once more', async () => {
  expect(await metAgain(true)).toBe(2);
  expect(await metAgain(false)).toBe(1);
});

/** Does not store a creation that comes right after another one. */
const losing: Wrong = model => {
  let before = false;
  return (request, body) => {
    const isLost = before && request.endpoint === 'create-metric';
    before = request.endpoint === 'create-metric';
    return model(request, isLost ? { ...(body as JsonObject), dryRun: true } : body);
  };
};
/** Lists everything twice. */
const twice = answering('list-event-metrics', data => [data, data].flat());
/** Numbers versions by a count that grows by `step`: 0 gives all of them the same id. */
const numbered = (step: number): Wrong => {
  let count = 0;
  return answering('create-prompt-version', data => {
    count += step;
    return { ...data, id: `a_prompt-v${Math.ceil(count)}` };
  });
};

test('where the control may not be created, creations at once still prove what they prove', async () => {
  const plan = atOnce.plan(contextOf('create-prompt-version'));
  const session = modelSession(numbered(0)(createModel()));
  const send: typeof session.send = () => Promise.reject(new Withheld('the run may create no more'));
  const [one] = isNothingToDo(plan) ? [] : (plan.cases ?? []);
  if (isNothingToDo(plan) || one === undefined) throw new Error('there is nothing to do');
  expect(await plan.run(one, { ...session, send })).toMatchObject({ proved: true, violations: [] });
});

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, found: readonly string[]]>([
  ['a creation that is lost',            'create-metric',         losing,        ['state.metric-listed /data']],
  ['two metrics of one name',            'create-metric',         twice,         ['state.concurrent-creations /data/17']],
  ['versions with ids of their own',     'create-prompt-version', numbered(1),   []],
  ['versions that all have one id',      'create-prompt-version', numbered(0),   []],
])('%s', async (_what, endpoint, wrong, found) => {
  expect((await judgedBy(atOnce, endpoint, wrong)).suspected).toEqual(found);
});
