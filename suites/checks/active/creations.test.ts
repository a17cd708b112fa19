import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { createModel, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, isNothingToDo, minimalApiRequest } from '../../protocol/check.ts';
import { accepts } from './accepts.ts';
import { authentication } from './authentication.ts';
import { combinations } from './combinations.ts';
import { malformedBodies } from './malformed-bodies.ts';
import { rejects } from './rejects.ts';
import { violations } from './violations.ts';

const refused = { status: 400, value: { message: 'Refused' } };
const isDry = ({ body, raw }: ApiRequest): boolean =>
  (body as JsonObject | undefined)?.dryRun === true || String(raw ?? '').includes('"dryRun":true');
const bodyOf = ({ body }: ApiRequest): JsonObject => (body ?? {}) as JsonObject;

/** Counts the requests of a check that the model carried out, except dry runs. */
async function created<I>(
  check: ActiveCheck<I>,
  endpoint: EndpointId,
  wrong: Wrong = right,
  more: Partial<CheckContext> = {},
): Promise<number> {
  let count = 0;
  const counting: Wrong = inner => {
    const model = wrong(inner);
    return (request, body) => {
      const given = model(request, body);
      if (given.status === 200 && request.endpoint === endpoint && !isDry(request)) count += 1;
      return given;
    };
  };
  await judgedBy(check, endpoint, counting, more);
  return count;
}

// biome-ignore format: a table
test.each<readonly [check: ActiveCheck<never>, metrics: number, versions: number]>([
  [accepts as ActiveCheck<never>,         6, 14],
  [combinations as ActiveCheck<never>,    0,  1],
  [rejects as ActiveCheck<never>,         1,  1],
  [violations as ActiveCheck<never>,      0,  1],
  [authentication as ActiveCheck<never>,  2,  2],
  [malformedBodies as ActiveCheck<never>, 0,  8],
])('$id creates no more than it must', async (check, metrics, versions) => {
  expect(await created(check, 'create-metric')).toBeLessThanOrEqual(metrics);
  expect(await created(check, 'create-prompt-version')).toBeLessThanOrEqual(versions);
});

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a bound of a prompt version that is one too strict', 'create-prompt-version', instead(refused, (_request, { name }) => String(name).length === 100),                 ['accept.stated-boundary']],
  ['a field of a prompt version that is refused',        'create-prompt-version', instead(refused, (_request, body) => 'top_p' in body),                               ['accept.plain-value']],
  ['a field that is refused without another',            'create-prompt-version', instead(refused, (_request, body) => 'top_p' in body && !('temperature' in body)),   ['accept.plain-value']],
  ['two fields that are refused together',               'create-prompt-version', instead(refused, (_request, body) => 'top_p' in body && 'temperature' in body),      ['accept.combination']],
  ['a second message of the system refused',             'create-prompt-version', instead(refused, (_request, { prompts }) => Array.isArray(prompts) && prompts.length > 1), ['accept.combination']],
  ['a fault of the server for one field',                'create-prompt-version', instead({ status: 500 }, (_request, body) => 'top_p' in body),                       ['accept.plain-value', 'robust.never-5xx']],
  ['a bound of a metric that only creations refuse',     'create-metric',         instead(refused, (_request, { name, dryRun }) => dryRun !== true && String(name).length === 200), ['accept.stated-boundary']],
  ['a bound of a metric that only dry runs refuse',      'create-metric',         instead(refused, (_request, { name, dryRun }) => dryRun === true && String(name).length === 200), ['accept.stated-boundary']],
  ['a field of a metric that is refused',                'create-metric',         instead(refused, (_request, body) => 'tags' in body),                                ['accept.combination', 'accept.plain-value']],
  ['no dry runs, and a field that is refused',           'create-metric',         instead(refused, (_request, body) => 'dryRun' in body || 'tags' in body),            ['accept.combination', 'accept.plain-value', 'accept.stated-boundary']],
  ['no dry runs',                                        'create-metric',         instead(refused, (_request, body) => 'dryRun' in body),                              ['accept.stated-boundary']],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(accepts, endpoint, wrong)).cited).toEqual(cited);
});

const hasTwo = ({ prompts }: JsonObject): boolean => Array.isArray(prompts) && prompts.length > 1;

// biome-ignore format: a table
test.each<readonly [what: string, status: number, isRefused: (body: JsonObject) => boolean, more: number]>([
  ['a second message of the system',          422, hasTwo,                                                        0],
  ['a second message of the system, and one field', 422, body => hasTwo(body) || 'top_p' in body, 3],
  ['a field that no plan has',                402, body => 'temperature' in body, 1],
  ['several fields that no plan has',         403, body => 'temperature' in body || 'top_p' in body || 'eval_model' in body, 4],
])('%s: what is refused for reasons of its own leaves hardly more than what is accepted', async (_what, status, isRefused, more) => {
  const few: Partial<CheckContext> = { amounts: { fuzz: 4, walks: 1, creations: 1 } };
  const wrong = instead({ status, value: { message: 'Not here' } }, (_request, body) => isRefused(body));
  const named: Wrong = model => (request, body) => {
    const members = (body ?? {}) as JsonObject;
    const message = `${Object.keys(members).find(name => isRefused({ [name]: members[name] ?? null }))}: not here`;
    return isRefused(members) ? { status, value: { message } } : model(request, body);
  };
  const usual = await created(accepts, 'create-prompt-version', right, few);
  expect(await created(accepts, 'create-prompt-version', wrong, few)).toBeLessThanOrEqual(usual + more);
  // A refusal that names its field needs no search; one that breaks a rule is examined between creations.
  expect(await created(accepts, 'create-prompt-version', named, few)).toBeLessThanOrEqual(usual + 2);
});

test('a finding names the field that is refused, not the pack in which it was', async () => {
  const wrong = instead(refused, (_request, body) => 'top_p' in body);
  const { results } = await judgedBy(accepts, 'create-prompt-version', wrong);
  const accusing = results.filter(one => one.violations.length > 0);
  expect(accusing.map(({ title }) => title)).toEqual([
    'top_p: an ordinary number, 0.9',
    'top_p: an ordinary number, 1',
  ]);
  for (const { violations: found } of accusing)
    for (const { answer } of found) expect(Object.keys(answer.sent as object)).toContain('top_p');
});

test('of a run that leaves cases out, packs hold those alone that it sends', async () => {
  const session = modelSession(createModel());
  const plan = accepts.plan(contextOf('create-prompt-version'));
  if (isNothingToDo(plan)) throw new Error(plan.because);
  const chosen = (plan.cases ?? []).filter(({ title }) =>
    /^(description: exactly|name: exactly|id: every)/.test(title),
  );
  plan.chosen?.(chosen);
  for (const one of chosen) expect((await plan.run(one, session)).proved).toBe(true);
  const fields = new Set(session.sent.flatMap(request => Object.keys(bodyOf(request))));
  expect(
    [...fields].filter(field => !(field in bodyOf(minimalApiRequest(contextOf('create-prompt-version'))))),
  ).toEqual(['description', 'id']);
  expect(session.sent.length).toBeLessThan(chosen.length);
});

test('where few may be created, the key is examined beside what others had accepted', async () => {
  const few = { amounts: { fuzz: 25, walks: 4, creations: 1 } };
  const { sent } = await judgedBy(authentication, 'create-prompt-version', right, few);
  expect(sent.filter(({ key }) => key?.kind === 'spelled')).toEqual([]);
  expect(sent.filter(({ key }) => key === undefined)).toHaveLength(1);
});

test('a broken creation differs from an accepted one in one place, dry or not', async () => {
  const { sent } = await judgedBy(rejects, 'create-metric');
  const broken = sent.filter(request => bodyOf(request).directionality === 'Increase');
  expect(broken.map(request => bodyOf(request).dryRun ?? false)).toEqual([false, true]);
  const others = sent.map(bodyOf).filter(body => body.directionality === 'increase');
  const controls = others.map(({ directionality: _other, ...body }) => JSON.stringify(body));
  for (const request of broken) {
    const { directionality: _one, ...rest } = bodyOf(request);
    expect(controls).toContain(JSON.stringify(rest));
  }
});

test('where the control with all fields is refused, each field has its own', async () => {
  const wrong = instead(refused, (_request, body) => Object.keys(body).length > 8);
  const { cited, because } = await judgedBy(rejects, 'create-prompt-version', wrong);
  expect([cited, because]).toEqual([[], []]);
});

test('where a service takes wrong types, no more than a few are created', async () => {
  const lax: Wrong = model => (request, body) => {
    const given = model(request, body);
    return given.status === 400 ? { status: 200, value: { message: 'Done.', data: {} } } : given;
  };
  const { results } = await judgedBy(rejects, 'create-prompt-version', lax);
  const soft = results.filter(({ violations: found }) =>
    found.some(({ requirement }) => requirement === 'reject.wrong-type'),
  );
  expect(soft.length).toBeLessThan(5);
});
