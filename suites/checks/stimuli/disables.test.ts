import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { disables } from './disables.ts';

const rules = [{ id: 'rule-1', name: 'Half of everyone', passPercentage: 50, conditions: [] }];

const isDisabling = ({ endpoint }: ApiRequest): boolean => endpoint === 'disable-gate';
/** Refuses to disable a disabled gate. */
const once: Wrong = model => {
  let isDisabled = false;
  return (request, body) => {
    const isAgain = isDisabling(request) && isDisabled;
    isDisabled = isDisabling(request) || (isDisabled && (body as { isEnabled?: boolean }).isEnabled !== true);
    return isAgain ? { status: 409 } : model(request, body);
  };
};

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, found: readonly string[]]>([
  ['a right server',                       right,                                                        []],
  ['a second disabling that is refused',   once,                                                         ['state.disable-gate-idempotent status']],
  ['one of a gate that does not exist',    instead({ status: 200, value: { data: {} } }, ({ param }) => param === 'conform-test-none'), ['state.disable-unknown-gate status']],
])('%s', async (_what, wrong, found) => {
  expect((await judgedBy(disables, 'disable-gate', wrong)).found).toEqual(found);
});

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: readonly string[]]>([
  ['disabled',         instead({ status: 400 }, isDisabling),                                    ['disabling was refused (status 400)']],
  ['enabled first',    instead({ status: 400 }, (_request, body) => body.isEnabled === true),    ['enabling the gate first was refused (status 400)']],
  ['read back',        instead({ status: 400 }, ({ endpoint }, body) => endpoint === 'patch-gate' && !('tags' in body)),  ['what was written could not be read back (status 400)']],
])('nothing is proved of a gate that could not be %s', async (_what, wrong, because) => {
  expect((await judgedBy(disables, 'disable-gate', wrong)).because).toEqual(because);
});

test('a target that refuses much at once is given what matters alone', async () => {
  const atOnce = instead({ status: 400 }, (_request, body) => 'tags' in body);
  const { results, because, suspected } = await judgedBy(disables, 'disable-gate', atOnce);
  expect([because, suspected]).toEqual([[], []]);
  expect(results.every(({ proved, violations }) => proved && violations.length === 0)).toBe(true);
});

const changed = ['the rules of a gate that was disabled, with parts changed'];
/** Runs the check at a server that holds this gate and another one. */
const withRules = (gate: JsonObject, other: JsonObject = {}, wrong: Wrong = right) => {
  const gates = new Map([
    ['gate_a', { isEnabled: true, rules, ...other }],
    ['gate_c', gate],
  ]);
  const holding: Wrong = model => {
    let held: JsonObject = gate;
    return wrong((request, body) => {
      held = isDisabling(request) ? { ...held, isEnabled: false } : { ...held, ...(body as JsonObject) };
      return answering(request.endpoint, data => ({ ...data, ...held }))(model)(request, body);
    });
  };
  const discovered = { qualifyingEvents: new Map(), gates };
  return judgedBy(disables, 'disable-gate', holding, { discovered }, changed);
};
const enabledGate = { id: 'gate_c', isEnabled: true, rules };

test('a gate with rules is disabled first, and sent other rules that keep it so', async () => {
  const { sent, suspected, cited, because } = await withRules(enabledGate);
  const other = [{ ...rules[0], name: 'Half of everyone test', passPercentage: 49.877 }];
  expect(
    sent.filter(({ body }) => JSON.stringify(body) !== '{}').map(({ endpoint, body }) => [endpoint, body]),
  ).toEqual([
    ['disable-gate', undefined],
    ['patch-gate', { isEnabled: false, rules: other }],
    ['patch-gate', { isEnabled: false, rules: [] }],
    ['patch-gate', { isEnabled: false, rules }],
  ]);
  expect([suspected, cited, because]).toEqual([[], [], []]);
});

test('nothing of it is sent where a gate was found disabled, the gate has no rules, or it is not disabled', async () => {
  expect((await withRules(enabledGate, { isEnabled: false })).sent).toEqual([]);
  expect((await withRules({ ...enabledGate, rules: [] })).sent).toEqual([]);
  const { sent, because } = await withRules(enabledGate, {}, instead({ status: 409 }, isDisabling));
  expect(sent.some(({ body }) => JSON.stringify(body ?? {}).includes('rules'))).toBe(false);
  expect(because).toEqual(['disabling was refused (status 409)']);
});
