import { describe, expect, test } from 'vitest';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Violation } from '../protocol/check.ts';
import type { LaneState } from './lane-state.ts';
import type { Sighting, Told } from './suspected.ts';
import { isExplained, isMoreOfTheSame } from './telling.ts';

/** Returns a lane whose one check reports a lost write at a place. */
function lost(pointer: string, more: Partial<Violation> = {}): LaneState {
  const violation = { requirement: 'state.patch-every-sent', pointer, ...more };
  return {
    units: [{ id: 'patch-gate/frame', endpoint: 'patch-gate' }],
    collectorOf: () => ({ groups: new Map([['one', { violation }]]) }),
  } as unknown as LaneState;
}

/** Returns what looks like an effect of a refused request on the `idType` of a gate, which another gate shows. */
const traced = (requirement: RequirementId = 'reject.no-trace', kind = 'trace') =>
  ({
    suspicion: { kind, requirements: [requirement], endpoint: 'patch-gate', field: 'idType', expected: [], got: 'a' },
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

  test('is not explained by another field that always reads wrong, but by one that is lost now and then', () => {
    const suspected = traced('reject.no-trace', 'lost');
    const read = { kind: 'value', expected: false, got: true } as const;
    expect(isExplained(suspected, lost('/data/type', { fault: read }))).toBe(false);
    expect(isExplained(suspected, lost('/data/type', { fault: { ...read, kind: 'lost' } }))).toBe(true);
  });

  test('is not explained by an answer that leaves out the field that a reading shows', () => {
    const unshown: Partial<Violation> = { requirement: 'echo.sent-field', fault: { kind: 'missing' } };
    const suspected = traced('state.patch-every-sent', 'lost');
    expect(isExplained(suspected, lost('/data/idType', unshown))).toBe(false);
    expect(isExplained(suspected, lost('/data/idType', { ...unshown, fault: { kind: 'value' } }))).toBe(true);
  });

  test('is told beside a field that always reads wrong only if it shows what the request carried', () => {
    const lane = lost('/data/type', { fault: { kind: 'value' } });
    const found = (got: string, requirement: RequirementId = 'reject.no-trace'): Told => {
      const telling = traced('reject.no-trace', 'lost');
      const violation = { requirement, fault: { kind: 'trace', got } } as Violation;
      return { telling, violation, write: { id: 'one', request: { endpoint: 'patch-gate', body: { idType: 'a' } } } };
    };
    expect(isMoreOfTheSame(found('a'), lane)).toBe(false);
    expect(isMoreOfTheSame(found('b'), lane)).toBe(true);
    expect(isMoreOfTheSame(found('a', 'state.patch-every-sent'), lane)).toBe(true);
  });

  test('is explained by a finding of its own requirement, of whichever field', () => {
    expect(isExplained(traced('state.patch-every-sent'), lost('/data/type'))).toBe(true);
  });
});
