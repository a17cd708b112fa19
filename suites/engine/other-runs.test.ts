import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { TargetFile } from '../../contracts/target.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import { marksIn } from '../protocol/created-names.ts';
import { targetOf } from '../sut/target.ts';
import { type Ending, noCases } from './ending.ts';
import { createOtherRuns } from './other-runs.ts';

const own = '0a1b2c3d';
const other = 'conform_4e5f6071_patch_gate_3x';

const file: TargetFile = {
  fixtures: { gates: ['g'], qualifyingEvents: ['mine'], environments: [{ id: 'e1', name: 'staging' }] },
};
const target = targetOf(file, new URL('http://127.0.0.1:9'), 'k');

/** Watches answers that show a gate so, one after another, after these bodies were sent. */
function watched(gates: readonly JsonObject[], sent: readonly JsonObject[] = []) {
  const runs = createOtherRuns(own, target);
  for (const [number, body] of sent.entries())
    runs.begun({ number, id: 'a/b#1', request: { endpoint: 'patch-gate' }, sent: body, atMs: 0 });
  for (const gate of gates) {
    const answer = givenAnswer({ request: { param: 'g' }, value: { message: 'm', data: { id: 'g', ...gate } } });
    runs.note({ ...answer, own: true });
  }
  return runs;
}

const words = expect.stringMatching(/^Another run of the suite .* conform_4e5f6071 .* description of the gate g\./);

// biome-ignore format: a table
test.each<[what: string, gates: readonly JsonObject[], sent: readonly JsonObject[], expected: readonly unknown[]]>([
  ['that comes into a field',                  [{ description: 'a' }, { description: other }],       [],                       [words]],
  ['that a field shows from the beginning',    [{ description: other }, { description: other }],     [],                       []],
  ['that comes back, as this run has sent it', [{ description: 'a' }, { description: other }],       [{ description: other }], []],
  ['of this run',                              [{ tags: [] }, { tags: [`conform-${own}-a`] }],       [],                       []],
  ['in a field that was not shown before',     [{ tags: [] }, { tags: [], description: other }],     [],                       []],
])('a mark %s', (_what, gates, sent, expected) => {
  expect(watched(gates, sent).all().map(({ text }) => text)).toEqual(expected);
});

// biome-ignore format: a table
test.each<[what: string, endpoint: EndpointId, shown: (text: string) => Json, expected: readonly unknown[]]>([
  ['a source of this run',          'list-qualifying-events', description => [{ name: 'mine', description }],               [expect.stringContaining('description of the qualifying event mine')]],
  ['a source that is no fixture',   'list-qualifying-events', description => [{ name: 'theirs', description }],             []],
  ['a metric',                      'list-event-metrics',     description => [{ id: 'a::sum', description }],               []],
  ['an environment',                'update-environments',    name => ({ environments: [{ id: 'e1', name }] }),             [expect.stringContaining('name of the environment e1')]],
  ['another environment',           'update-environments',    name => ({ environments: [{ id: 'e2', name }] }),             []],
])('a mark that comes into %s', (_what, endpoint, shown, expected) => {
  const runs = createOtherRuns(own, target);
  for (const text of ['before', other]) {
    const answer = givenAnswer({ request: { param: 'page_view' }, endpoint, value: { message: 'm', data: shown(text) } });
    runs.note({ ...answer, own: true });
  }
  expect(runs.all().map(({ text }) => text)).toEqual(expected);
});

test('a token is found in names and in texts, whatever the letter case', () => {
  const value = { name: 'conform_0a1b2c3d_7', tags: ['Conform-4E5F6071-neighbours-1', 'conform_extra'] };
  expect([...marksIn(value)]).toEqual(['0a1b2c3d', '4e5f6071']);
});

describe('what was found', () => {
  const found = (...requirements: readonly RequirementId[]) =>
    requirements.map(requirement => ({ violation: { requirement } }));
  const passed: Ending = { verdict: 'pass', notExercised: [], stats: noCases };
  const comes = [{ description: 'a' }, { description: other }];

  test('stands where no other run was seen', () => {
    const all = found('state.neighbours', 'reject.no-trace');
    expect(watched([]).without(all, passed)).toEqual({ found: all, ending: passed });
  });

  test('about stored state proves nothing beside another run, and what a single answer shows stands', () => {
    const runs = watched(comes);
    expect(runs.without(found('state.neighbours', 'gate.id'), passed)).toEqual({
      found: found('gate.id'),
      ending: passed,
    });
    const { found: none, ending } = runs.without(
      found('state.neighbours', 'reject.no-trace', 'auth.no-effect'),
      passed,
    );
    expect(none).toEqual([]);
    const because = expect.stringContaining('(state.neighbours, reject.no-trace, auth.no-effect)');
    expect(ending).toMatchObject({
      verdict: 'untested',
      because,
      remedy: expect.stringContaining('one run at a time'),
    });
    expect(runs.without([], passed).ending).toBe(passed);
  });
});
