import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { LaneState } from './lane-state.ts';
import type { Sighting } from './suspected.ts';
import { isExplained } from './telling.ts';

/** Returns a lane whose one check reports a lost write at a place. */
function lost(pointer: string): LaneState {
  const violation = { requirement: 'state.patch-every-sent', pointer };
  return {
    units: [{ id: 'patch-gate/frame', endpoint: 'patch-gate' }],
    collectorOf: () => ({ groups: new Map([['one', { violation }]]) }),
  } as unknown as LaneState;
}

/** Returns what looks like an effect of a refused request on the `idType` of a gate, which another gate shows. */
const traced = (requirement: RequirementId = 'reject.no-trace', kind = 'trace') =>
  ({
    suspicion: { kind, requirements: [requirement], endpoint: 'patch-gate', field: 'idType', expected: [] },
    culprits: [{ id: 'one', request: { endpoint: 'patch-gate' } }],
    answer: { request: { endpoint: 'disable-gate', body: {} } },
  }) as unknown as Sighting;

describe('what looks like an effect of a refused request', () => {
  test.each([
    ['the same field', '/data/idType', true],
    ['the same field in a list', '/data/3/idType', true],
    ['the whole entity', '/data', true],
    ['the length of a list', '/pagination/totalItems', true],
    ['another field', '/data/type', false],
    ['another field in a list', '/data/3/tags/0', false],
  ])('is explained by a lost write of %s: %s, %s', (_what, pointer, isSo) => {
    expect(isExplained(traced(), lost(pointer))).toBe(isSo);
  });

  test('is explained by a lost write of any field, if it looks like one itself', () => {
    expect(isExplained(traced('state.neighbours', 'lost'), lost('/data/type'))).toBe(true);
    expect(isExplained(traced('state.neighbours', 'changed'), lost('/data/type'))).toBe(false);
  });

  test('is explained by a finding of its own requirement, of whichever field', () => {
    expect(isExplained(traced('state.patch-every-sent'), lost('/data/type'))).toBe(true);
  });
});
