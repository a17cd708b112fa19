import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import { marksIn } from '../protocol/created-names.ts';
import type { Arrival } from '../sut/observer.ts';
import { createOtherRuns } from './other-runs.ts';

const own = '0a1b2c3d';
const other = 'conform_4e5f6071_patch_gate_3x';
const arrival: Arrival = { number: 1, lost: [], atMs: 0 };

/** Returns what is told when answers show a gate so, one after another, and these bodies were sent before. */
function told(gates: readonly JsonObject[], sent: readonly JsonObject[] = []): readonly string[] {
  const runs = createOtherRuns(own);
  for (const [number, body] of sent.entries())
    runs.begun?.({ number, id: 'a/b#1', request: { endpoint: 'patch-gate' }, sent: body, atMs: 0 });
  for (const gate of gates) {
    const answer = givenAnswer({ request: { param: 'g' }, value: { message: 'm', data: { id: 'g', ...gate } } });
    runs.note({ ...answer, own: true }, arrival);
  }
  return (runs.all?.() ?? []).map(one => (one.event === 'notice' ? one.text : ''));
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
  expect(told(gates, sent)).toEqual(expected);
});

test('a token is found in names and in texts, whatever the letter case', () => {
  const value = { name: 'conform_0a1b2c3d_7', tags: ['Conform-4E5F6071-neighbours-1', 'conform_extra'] };
  expect([...marksIn(value)]).toEqual(['0a1b2c3d', '4e5f6071']);
});
