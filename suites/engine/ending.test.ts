import { describe, expect, test } from 'vitest';
import type { Finding } from '../../contracts/report/evidence.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import { checkEnd, endingOf, untested } from './ending.ts';
import type { UnitOutcome } from './execution.ts';

const outcome = (more: Partial<UnitOutcome> = {}): UnitOutcome => ({
  cases: 3,
  requests: 4,
  accepted: 2,
  refused: 2,
  proved: 0,
  provisional: 0,
  because: [],
  notExercised: [],
  exercised: new Set(),
  exercisedIfAccepted: new Set(),
  ...more,
});
const ended = (more: Partial<UnitOutcome>, isAccepted = true) =>
  endingOf(outcome(more), 12.4, 'patch-gate', isAccepted);

describe('an active unit', () => {
  test('passes when one case proved something, with what was exercised in order', () => {
    expect(ended({ proved: 1, exercised: new Set(['b', 'a']) })).toEqual({
      verdict: 'pass',
      notExercised: [],
      stats: { cases: 3, requests: 4, accepted: 2, refused: 2, durationMs: 12 },
      exercised: ['a', 'b'],
    });
  });

  test('is untested for its most frequent reason, and what would help', () => {
    const ending = ended({ because: ['often', 'rarely'], remedy: 'fixtures.gates: ["a_gate"]' });
    expect(ending).toMatchObject({ verdict: 'untested', because: 'often', remedy: 'fixtures.gates: ["a_gate"]' });
    expect(ended({}).because).toBe('nothing was sent');
  });

  test('whose refusals all depend on the minimal request is blocked where that was not accepted', () => {
    expect(ended({ proved: 2, provisional: 2 }, true).verdict).toBe('pass');
    expect(ended({ proved: 3, provisional: 2 }, false).verdict).toBe('pass');
    expect(ended({ proved: 2, provisional: 2 }, false)).toMatchObject({
      verdict: 'untested',
      blockedBy: 'patch-gate/accepts',
    });
  });
});

describe('the event', () => {
  const unit = allUnits().find(({ id }) => id === 'patch-gate/rejects') as Unit;
  const finding = { requirement: 'r', level: 'MUST' } as Finding;
  const reasons = { remedy: 'a line', blockedBy: 'patch-gate/accepts' };

  test('of a unit without findings gives its reasons', () => {
    const event = checkEnd(unit, untested('no words', reasons), []);
    expect(event).toMatchObject({
      id: unit.id,
      check: 'rejects',
      verdict: 'untested',
      because: 'no words',
      ...reasons,
    });
  });

  test('of a unit with findings is decided by them, and gives no reason for what it did not test', () => {
    const event = checkEnd(unit, untested('no words', reasons), [finding]);
    expect(event).toMatchObject({ verdict: 'fail', findings: [finding] });
    expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['because']));
    expect(checkEnd(unit, untested(''), [{ ...finding, level: 'SHOULD' }]).verdict).toBe('warn');
  });

  test('of a fault of the suite stays one, whatever was found', () => {
    const event = checkEnd(unit, untested('a fault', { verdict: 'error' }), [finding]);
    expect(event).toMatchObject({ verdict: 'error', because: 'a fault' });
  });
});
