import { expect, test } from 'vitest';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import type { Violation } from '../protocol/check.ts';
import type { FailureKind } from '../protocol/reply.ts';
import { acceptanceViolations, livenessViolations, refusalViolations } from './outcome.ts';

const failed = (kind: FailureKind): Given => ({ failure: { kind, message: `it was ${kind}` } });
const requirement = 'accept.smallest';

// The requirement that each judgement cites; null: it conforms.
// biome-ignore format: a table
const rows: readonly (readonly [what: string, given: Given, alive: string | null, refused: string | null, accepted: string | null])[] = [
  ['200',                  { status: 200 },     null,               requirement,        null],
  ['201',                  { status: 201 },     null,               requirement,        null],
  ['299',                  { status: 299 },     null,               requirement,        null],
  ['301',                  { status: 301 },     null,               null,               requirement],
  ['400',                  { status: 400 },     null,               null,               requirement],
  ['499',                  { status: 499 },     null,               null,               requirement],
  ['500',                  { status: 500 },     'robust.never-5xx', 'reject.never-5xx', requirement],
  ['501',                  { status: 501 },     'robust.never-5xx', 'reject.never-5xx', requirement],
  ['no answer in time',    failed('timeout'),   'robust.no-hang',   'robust.no-hang',   'robust.no-hang'],
  ['a dropped connection', failed('dropped'),   'robust.no-drop',   'robust.no-drop',   'robust.no-drop'],
  ['no connection',        failed('refused'),   'robust.no-drop',   'robust.no-drop',   'robust.no-drop'],
  ['no HTTP',              failed('garbage'),   'robust.no-drop',   'robust.no-drop',   'robust.no-drop'],
];

const cited = (violations: readonly Violation[]): string | null => {
  expect(violations.length).toBeLessThan(2);
  return violations[0]?.requirement ?? null;
};

test.each(rows)('%s is judged', (_what, given, alive, refused, accepted) => {
  const answer = givenAnswer(given);
  expect(cited(livenessViolations(answer))).toBe(alive);
  expect(cited(refusalViolations(answer, requirement, 'why'))).toBe(refused);
  expect(cited(acceptanceViolations(answer, requirement, 'why'))).toBe(accepted);
});

test('a violation says what was due, why, and what came', () => {
  const answer = givenAnswer({ status: 200 });
  expect(refusalViolations(answer, requirement, 'a name of 2 characters')).toEqual([
    {
      requirement,
      pointer: 'status',
      expected: 'a refusal (4xx): a name of 2 characters',
      actual: 'status 200, accepted',
      fault: { kind: 'accepted' },
      answer,
    },
  ]);
});

test('a failure is told in its own words, at the connection', () => {
  expect(livenessViolations(givenAnswer(failed('timeout')))).toMatchObject([
    { pointer: 'connection', actual: 'it was timeout' },
  ]);
});
