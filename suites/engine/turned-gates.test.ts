import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { createTurnedGates } from './write-guard.ts';

const gates = new Map<string, JsonObject>([
  ['first', { isEnabled: true }],
  ['second', { isEnabled: true }],
  ['off', { isEnabled: false }],
  ['off too', { isEnabled: false }],
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

/** Returns an answer that shows a gate without having been sent `isEnabled`. */
const shown = (param: string, isEnabled: boolean): Given => patching(param, {}, { value: { data: { isEnabled } } });

/** Returns why a request would be held back after some answers; undefined if it would be sent. */
const obstructionAfter = (request: ApiRequest, ...answers: Given[]): string | undefined =>
  obstructionAfterEach(request, { settleMs: 0, everyMs: 1 }, ...answers);

/** The same of answers that come at an interval from a target that may be behind. */
function obstructionAfterEach(
  request: ApiRequest,
  { settleMs, everyMs }: { readonly settleMs: number; readonly everyMs: number },
  ...answers: Given[]
): string | undefined {
  const turned = createTurnedGates(gates, settleMs);
  for (const [index, given] of answers.entries())
    turned.note(givenAnswer(given), { number: index + 1, lost: [], atMs: (index + 1) * everyMs });
  return turned.obstructionTo(request);
}
const second: ApiRequest = { endpoint: 'disable-gate', param: 'second' };
const enabling = (param: string): ApiRequest => ({ endpoint: 'patch-gate', param, body: { isEnabled: true } });
const disabled = disabling('first');
const enabled = patching('first', { isEnabled: true });

test.each<[string, ApiRequest, Given[]]>([
  ['the first gate is disabled', second, []],
  ['the same gate is disabled again', { endpoint: 'disable-gate', param: 'first' }, [disabled]],
  ['a gate is disabled that was so before the run', { endpoint: 'disable-gate', param: 'off' }, [disabled]],
  ['a gate is disabled that does not exist', { endpoint: 'disable-gate', param: 'none' }, [disabled]],
  ['a gate is disabled after one that was found disabled', second, [disabling('off')]],
  ['a gate is disabled after a refused disabling', second, [disabling('first', { status: 409, value: {} })]],
  [
    'a gate is disabled after OPTIONS to the disable of another',
    second,
    [disabling('first', { request: { param: 'first', method: 'OPTIONS' } })],
  ],
  ['a gate is disabled after one that was enabled again', second, [disabled, enabled]],
  ['a gate is enabled after one that was disabled', enabling('off'), [disabled]],
  [
    'a gate is enabled after another, which was seen disabled again',
    enabling('off too'),
    [patching('off', { isEnabled: true }), disabling('off'), shown('off', false)],
  ],
  ['a gate is enabled after another', enabling('off too'), [patching('off', { isEnabled: true })]],
  ['other settings of another gate are changed', { ...enabling('second'), body: { description: 'x' } }, [disabled]],
  ['a read is sent', { endpoint: 'list-segments' }, [disabled]],
])('%s', (_what, request, answers) => {
  expect(obstructionAfter(request, ...answers)).toBeUndefined();
});

test.each<[string, Given[]]>([
  ['while nothing was sent to the first', []],
  [
    'if the first was answered as disabled',
    [patching('first', { isEnabled: true }, { value: { data: { isEnabled: false } } })],
  ],
  [
    'if the first was refused beside other settings',
    [patching('first', { isEnabled: true, tags: [] }, { status: 400 })],
  ],
])('no second gate is disabled %s', (_when, answers) => {
  const because = 'gate first was disabled and has not been enabled since, so no other gate is disabled';
  expect(obstructionAfter(second, disabled, ...answers)).toBe(because);
  const patch: ApiRequest = { endpoint: 'patch-gate', param: 'second', body: { isEnabled: false, tags: [] } };
  expect(obstructionAfter(patch, patching('first', { isEnabled: false }), ...answers)).toBe(because);
});

test('the refusal to enable a gate again is the reason, also after others were enabled again', () => {
  const refused = patching('first', { isEnabled: true }, { status: 422, value: { message: 'No way back.' } });
  const before = [disabling('second'), patching('second', { isEnabled: true }), shown('second', true)];
  const because =
    'gate first was disabled and could not be enabled again (status 422: "No way back."), so no other gate is disabled';
  expect(obstructionAfter(second, disabled, refused)).toBe(because);
  expect(obstructionAfter(second, ...before, disabled, refused)).toBe(because);
});

test('no second gate is disabled once the first is shown as disabled, although enabling it was accepted', () => {
  const because =
    'gate first was disabled and is not shown as enabled, although that was accepted, so no other gate is disabled';
  expect(obstructionAfter(second, disabled, enabled, shown('first', false))).toBe(because);
});

test.each<[string, number, Given[], boolean]>([
  ['soon after that', 50, [shown('first', false)], true],
  ['and at last as enabled', 50, [shown('first', false), shown('first', false), shown('first', true)], true],
  [
    'until a target that is behind has had time',
    50,
    [shown('first', false), shown('first', false), shown('first', false)],
    false,
  ],
  ['in an answer that came later to a request sent before', 101, [shown('first', false)], true],
  ['in an answer to a request sent later', 102, [shown('first', false)], false],
  [
    'after it was read as enabled when the disabling had settled',
    60,
    [shown('first', true), shown('first', false)],
    true,
  ],
  ['after it was read as enabled', 102, [shown('first', true), shown('first', false)], true],
  [
    'after it was read as enabled by a target that may be behind',
    50,
    [shown('first', true), shown('first', false), shown('first', false)],
    false,
  ],
])('a gate may be shown as disabled %s', (_when, everyMs, answers, isAdmitted) => {
  const because = obstructionAfterEach(second, { settleMs: 101, everyMs }, disabled, enabled, ...answers);
  expect(because === undefined).toBe(isAdmitted);
});

test('no second gate is enabled once a target refused to disable the first again', () => {
  const because = 'gate off was enabled and could not be disabled again (status 403), so no other gate is enabled';
  const refused = disabling('off', { status: 403, value: {} });
  expect(obstructionAfter(enabling('off too'), patching('off', { isEnabled: true }), refused)).toBe(because);
});
