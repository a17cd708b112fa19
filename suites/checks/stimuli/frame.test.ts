import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { frame } from './frame.ts';

const isRead = (body: JsonObject): boolean => Object.keys(body).length === 0;
/** Toggles a flag with each empty patch. */
const turning: Wrong = model => {
  let flag = false;
  return (request, body) => {
    if (request.endpoint !== 'patch-gate' || !isRead(body as JsonObject)) return model(request, body);
    flag = !flag;
    return model(request, { measureMetricLifts: flag });
  };
};
// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                            right,                                                                                  []],
  ['an empty patch that is refused',            instead({ status: 400 }, (_request, body) => isRead(body)),                             ['state.patch-empty-reads']],
  ['an empty patch that ends in a 500',         instead({ status: 500 }, (_request, body) => isRead(body)),                             ['robust.never-5xx']],
  ['an empty patch that is never answered',     instead({ failure: { kind: 'timeout', message: 'none' } }, (_request, body) => isRead(body)), ['robust.no-hang']],
  ['an empty patch that writes',                turning,                                                                                ['state.patch-only-sent']],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(frame, 'patch-gate', wrong)).cited).toEqual(cited);
});

/** Answers every n-th reading after a patch of the description with the previous value. */
const frozen =
  (every: number): Wrong =>
  model => {
    let [number, old, now]: [number, Json | undefined, Json | undefined] = [0, undefined, undefined];
    return (request, body) => {
      const { description } = (body ?? {}) as JsonObject;
      if (description !== undefined) [number, old, now] = [0, now, description];
      if (!isRead(body as JsonObject) || now === undefined) return model(request, body);
      number += 1;
      const change = (gate: JsonObject) => (number % every === 0 ? { ...gate, description: old ?? '' } : gate);
      return answering('patch-gate', change)(model)(request, body);
    };
  };

test.each([1, 2, 3, 5])(
  'each reading of %i that is answered by a replica which never catches up is met',
  async every => {
    const often = ['a patch, then the gate again and again'];
    const { suspected } = await judgedBy(frame, 'patch-gate', frozen(every), {}, often);
    expect(suspected).toContain('state.patch-every-sent /data/description');
  },
);

test('where a gate cannot be read, or a patch is refused, nothing is proved', async () => {
  const { because, cited } = await judgedBy(frame, 'patch-gate', instead({ status: 403 }));
  expect(cited).toEqual(['state.patch-empty-reads']);
  expect(because).toEqual(['the patch was refused (status 403)', 'each of its fields was refused alone']);
  const refused = await judgedBy(
    frame,
    'patch-gate',
    instead({ status: 400 }, (_request, body) => !isRead(body)),
  );
  expect(refused.because).toEqual(['the patch was refused (status 400)', 'each of its fields was refused alone']);
});

test('a field that is refused is taken out of the company of the others', async () => {
  const withoutTags = instead({ status: 400 }, (_request, body) => 'tags' in body);
  const { results, cited, sent } = await judgedBy(frame, 'patch-gate', withoutTags);
  expect(cited).toEqual([]);
  expect(results.filter(({ proved }) => !proved).map(({ title }) => title)).toEqual(['tags: no item']);
  expect(sent.filter(({ body }) => Object.hasOwn(body as JsonObject, 'tags')).length).toBeLessThan(16);
});

test('each field is sent with two values, and as nothing, in company and without', async () => {
  const { sent } = await judgedBy(frame, 'patch-gate');
  const bodies = sent.flatMap(({ body }) => (Object.keys(body as JsonObject).length > 0 ? [body as JsonObject] : []));
  const valuesOf = (field: string) => new Set(bodies.map(body => JSON.stringify(body[field])));
  expect(valuesOf('isEnabled')).toEqual(new Set([undefined, 'true', 'false']));
  expect(valuesOf('type')).toEqual(new Set([undefined, '"PERMANENT"', '"TEMPORARY"']));
  expect(valuesOf('tags')).toContain('[]');
  expect(valuesOf('tags').size).toBeGreaterThan(2);
  expect(valuesOf('description')).toContain('""');
});

const rules = [{ id: 'rule-1', name: 'Half of everyone', passPercentage: 50, conditions: [] }];
const disabledGate = { id: 'gate_b', isEnabled: false, rules };
const partChanged = ['the rules of a disabled gate, with parts changed'];
/** Runs the check after an answer showed a gate as disabled and with rules. */
const withRules = (wrong: Wrong, gate: JsonObject = disabledGate) => {
  const gates = new Map([['gate_b', gate]]);
  const shown: Wrong = model => {
    let held: JsonObject = gate;
    return wrong((request, body) => {
      if (request.endpoint !== 'patch-gate' || request.param !== 'gate_b') return model(request, body);
      held = { ...held, ...(body as JsonObject) };
      return answering('patch-gate', data => ({ ...data, ...held }))(model)(request, {});
    });
  };
  return judgedBy(frame, 'patch-gate', shown, { discovered: { qualifyingEvents: new Map(), gates } }, partChanged);
};
const carriesRules = (_request: unknown, body: JsonObject): boolean => 'rules' in body;
/** Answers a patch with what was sent, and stores something else. */
const storesOther =
  (other: (body: JsonObject) => JsonObject): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, other(body as JsonObject));
    const { data } = given.value as { data: JsonObject };
    return { ...given, value: { ...(given.value as JsonObject), data: { ...data, ...(body as JsonObject) } } };
  };
const forgetsRules = storesOther(({ rules: _, ...rest }) => rest);
const forgetsRulesBeside = storesOther(({ rules, ...rest }) =>
  rules === undefined || rest.isEnabled === false ? rest : { ...rest, rules },
);
const cutsShares = storesOther(body => JSON.parse(JSON.stringify(body).replace('49.877', '49')) as JsonObject);

test('own rules are sent with parts changed, and put back', async () => {
  const { sent, results, suspected, cited } = await withRules(right);
  const bodies = sent.map(({ body }) => body as JsonObject).filter(body => 'rules' in body);
  const other = { ...rules[0], name: 'Half of everyone test', passPercentage: 49.877 };
  expect(bodies).toEqual([{ isEnabled: false, rules: [other] }, { rules: [] }, { rules }]);
  expect(results.map(({ proved, covers }) => [proved, [...(covers ?? [])]])).toEqual([
    [true, expect.arrayContaining(['state.patch-every-sent'])],
  ]);
  expect([suspected, cited]).toEqual([[], []]);
});

test('rules that are answered and not stored are suspected', async () => {
  for (const wrong of [forgetsRules, cutsShares, forgetsRulesBeside])
    expect((await withRules(wrong)).suspected).toEqual(['state.patch-every-sent /data/rules']);
});

test('where the state may not be sent, rules are sent without it', async () => {
  const stateStays = instead({ status: 403 }, (_request, body) => 'rules' in body && 'isEnabled' in body);
  const { sent, suspected, because } = await withRules(stateStays);
  expect(sent.map(({ body }) => body)).toContainEqual({ rules: [{ ...rules[0], name: 'Half of everyone test' }] });
  expect([suspected, because]).toEqual([[], []]);
});

test('where a share has to be a whole number the name is changed alone', async () => {
  const whole = instead({ status: 422 }, (_request, body) => JSON.stringify(body).includes('.877'));
  const { sent, cited, suspected, because } = await withRules(whole);
  expect(sent.map(({ body }) => body)).toContainEqual({ rules: [{ ...rules[0], name: 'Half of everyone test' }] });
  expect([cited, suspected, because]).toEqual([[], [], []]);
});

test('where a name cannot be changed another part is, and refusing each is open', async () => {
  const namesStay = instead({ status: 422 }, (_request, body) => JSON.stringify(body).includes('everyone test'));
  const { sent, cited, suspected } = await withRules(namesStay);
  expect(sent.map(({ body }) => body)).toContainEqual({ rules: [{ ...rules[0], passPercentage: 49 }] });
  expect([cited, suspected]).toEqual([[], []]);
  const { because, cited: none } = await withRules(instead({ status: 403 }, carriesRules));
  expect([because, none]).toEqual([['other rules were refused (status 403)'], []]);
});

test('ids that are given anew with each write, and members that are added, are no fault', async () => {
  const anew: Wrong = model => {
    let number = 0;
    return (request, body) => {
      if (carriesRules(request, body as JsonObject)) number += 1;
      const added = (rule: JsonObject): JsonObject => ({ ...rule, id: `rule-${number}`, baseID: 'a', variants: [] });
      const change = (gate: JsonObject) => ({ ...gate, rules: (gate.rules as JsonObject[]).map(added) });
      return answering('patch-gate', change)(model)(request, body);
    };
  };
  const { suspected, cited, because } = await withRules(anew);
  expect([suspected, cited, because]).toEqual([[], [], []]);
});

test('no other rules are sent to a gate that is enabled, or has none', async () => {
  for (const gate of [
    { ...disabledGate, isEnabled: true },
    { ...disabledGate, rules: [] },
  ])
    expect((await withRules(right, gate)).sent).toEqual([]);
});
