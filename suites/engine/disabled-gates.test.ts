import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { createDisabledGates } from './disabled-gates.ts';

const gates = new Map<string, JsonObject>([
  ['first', { isEnabled: true }],
  ['second', { isEnabled: true }],
  ['off', { isEnabled: false }],
]);

const disabling = (param: string, more: Partial<Given> = {}): Given => ({
  endpoint: 'disable-gate',
  request: { param },
  value: { data: { isEnabled: false } },
  ...more,
});
const patching = (param: string, body: JsonObject, more: Partial<Given> = {}): Given => ({
  endpoint: 'patch-gate',
  request: { param, body },
  sent: body,
  value: { data: body },
  ...more,
});

/** Returns why a request would be held back after some answers; undefined if it would be sent. */
function obstructionAfter(request: ApiRequest, ...answers: Given[]): string | undefined {
  const disabled = createDisabledGates(gates);
  for (const given of answers) disabled.note(givenAnswer(given));
  return disabled.obstructionTo(request);
}
const second: ApiRequest = { endpoint: 'disable-gate', param: 'second' };

test.each<[string, ApiRequest, Given[]]>([
  ['the first gate', second, []],
  ['the same gate again', { endpoint: 'disable-gate', param: 'first' }, [disabling('first')]],
  ['a gate that was disabled before the run', { endpoint: 'disable-gate', param: 'off' }, [disabling('first')]],
  ['a gate that does not exist', { endpoint: 'disable-gate', param: 'none' }, [disabling('first')]],
  ['a gate after one that was found disabled', second, [disabling('off')]],
  ['a gate after a refused disabling', second, [disabling('first', { status: 409, value: {} })]],
  ['a gate after one that was enabled again', second, [disabling('first'), patching('first', { isEnabled: true })]],
])('%s may be disabled', (_what, request, answers) => {
  expect(obstructionAfter(request, ...answers)).toBeUndefined();
});

test('other settings of another gate may be changed', () => {
  const request: ApiRequest = { endpoint: 'patch-gate', param: 'second', body: { description: 'x', isEnabled: true } };
  expect(obstructionAfter(request, disabling('first'))).toBeUndefined();
});

test.each<[string, Given[]]>([
  ['while the first has not been enabled again', []],
  ['if the first was answered as disabled', [patching('first', { isEnabled: true }, { value: { data: {} } })]],
  [
    'if the first was refused beside other settings',
    [patching('first', { isEnabled: true, tags: [] }, { status: 400 })],
  ],
])('no second gate is disabled %s', (_when, answers) => {
  const because = 'gate first was disabled and has not been enabled since, so no other gate is disabled';
  expect(obstructionAfter(second, disabling('first'), ...answers)).toBe(because);
  const patch: ApiRequest = { endpoint: 'patch-gate', param: 'second', body: { isEnabled: false, tags: [] } };
  expect(obstructionAfter(patch, patching('first', { isEnabled: false }), ...answers)).toBe(because);
});

test('the refusal to enable the first gate again is the reason', () => {
  const refused = patching('first', { isEnabled: true }, { status: 422, value: { message: 'No way back.' } });
  expect(obstructionAfter(second, disabling('first'), refused)).toBe(
    'gate first was disabled and could not be enabled again (status 422: "No way back."), so no other gate is disabled',
  );
});
