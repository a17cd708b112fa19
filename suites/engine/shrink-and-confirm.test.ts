import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';

import { contextOf } from '../proof/testing/judged-by.ts';
import { type Violation, violation } from '../protocol/check.ts';
import { RunStopped } from '../protocol/stop.ts';
import type { Execution, UnitInput } from './execution.ts';
import type { FindingGroup } from './findings.ts';
import { runDouble } from './run.fixture.ts';
import { confirm, confirmAfterWrongValue, confirmByOther, isUnsteady } from './shrink-and-confirm.ts';

const shown = (requirement: RequirementId, given: Given = {}): Violation =>
  violation(givenAnswer(given), requirement, '/data/tags', 'as it was', 'changed');

/** Returns the group of a violation after repetitions of its case, with the outcomes in `again`. */
async function confirmed(
  first: Violation,
  again: readonly (boolean | 'withheld' | 'unsent' | 'refused')[],
): Promise<FindingGroup> {
  const description = { title: 'a case', pointer: '' };
  const group: FindingGroup = {
    signature: 's',
    violation: first,
    source: { unit: 'patch-gate/frame', index: 0, path: '0', description },
    occurrences: 1,
    shrinks: 0,
    others: [],
  };
  let round = 0;
  const execute: Execution = async () => {
    const attributed =
      again[round] === true ? [{ owner: 'o', signature: 's', violation: first, about: description }] : [];
    const isWithheld = again[round] === 'withheld';
    const requests = again[round] === 'unsent' ? 0 : 1;
    const asked = [{ request: first.answer.request, isRefused: again[round] === 'refused' }];
    round += 1;
    return { attributed, description, isWithheld, requests, asked };
  };
  await confirm(group, {}, execute);
  return group;
}

test('what is seen each time is a violation', async () => {
  const { seen, violation: kept } = await confirmed(shown('state.patch-only-sent'), [true, true]);
  expect(seen).toEqual({ times: 3, of: 3 });
  expect(kept.doubt).toBeUndefined();
});

test.each([
  [[true, false], 'seen 2 of 3 times'],
  [[false, false], 'seen 1 of 3 times'],
])('what is seen only sometimes is a warning that says so', async (again, doubt) => {
  expect((await confirmed(shown('state.patch-only-sent'), again)).violation.doubt).toBe(doubt);
});

// biome-ignore format: a table
test.each<readonly [what: string, first: Violation]>([
  ['an accepted write that is lost',   shown('state.patch-every-sent')],
  ['answers that are mixed up',        shown('state.concurrent-answers')],
  ['an effect of a refused request',   shown('reject.no-trace')],
  ['another entity than was asked for', shown('identity.gate-id')],
  ['a wrong key that is accepted',     shown('auth.wrong-key')],
  ['a 500 to a valid request',         shown('accept.plain-value', { status: 500 })],
  ['no answer at all',                 shown('accept.plain-value', { failure: { kind: 'dropped', message: 'closed' } })],
])('%s is a violation, however often it is seen', async (_what, first) => {
  const { seen, violation: kept } = await confirmed(first, [false, false]);
  expect(seen).toEqual({ times: 1, of: 3 });
  expect(kept.doubt).toBeUndefined();
});

test('another value is stored for a doubt by repetition alone, at the entity of the minimal request', async () => {
  const context = contextOf('patch-gate');
  const of = (requirement: RequirementId, param = context.minimal.param): Violation => ({
    ...violation(givenAnswer({ request: { param } }), requirement, '/data/team', 'a', 'b'),
    fault: { kind: 'value', expected: 'a', got: 'b' },
  });
  const send: Execution = () => Promise.reject(new Error('it was sent'));
  // Without a lane, storing anything throws.
  const input = { context } as UnitInput;
  const others = [
    { ...of('echo.sent-field'), doubt: 'not seen when it was sent again' },
    of('echo.sent-field', 'another'),
    of('state.patch-only-sent'),
  ];
  for (const one of others) {
    const group = await confirmed(one, [false, false]);
    const { doubt } = group.violation;
    await confirmAfterWrongValue(group, {}, send, input);
    expect([doubt, group.violation.doubt]).toEqual([expect.any(String), doubt]);
  }
  const own = await confirmed(of('echo.sent-field'), [false, false]);
  await expect(confirmAfterWrongValue(own, {}, send, input)).rejects.toThrow();
});

test('a part of a field is stored as it was shown, or else the minimal request is, as a dry run where it creates', async () => {
  const events = (...names: readonly string[]) => names.map(name => ({ name, type: 'count' }));
  const sent = { name: 'a', metricEvents: events('purchase', 'page_view') };
  const answer = givenAnswer({ endpoint: 'create-metric', sent });
  const one: Violation = {
    ...violation(answer, 'echo.sent-field', '/data/metricEvents/1/name', 'page_view', 'sign_up'),
    fault: { kind: 'value', expected: 'page_view', got: 'sign_up' },
  };
  const group = await confirmed(one, [false, false]);
  const bodies: JsonObject[] = [];
  const { wire } = runDouble({
    answers: ({ body }) => {
      bodies.push(JSON.parse(String(body)) as JsonObject);
      return bodies.length === 1 ? { status: 400 } : { value: { message: 'done', data: {} } };
    },
  });
  const { description } = group.source;
  const attributed = [{ owner: 'o', signature: 's', violation: one, about: description }];
  const again: Execution = async () => ({
    attributed,
    description,
    isWithheld: false,
    requests: 1,
    asked: [],
  });
  const input = { context: contextOf('create-metric'), lane: { run: { wire } } } as unknown as UnitInput;
  await confirmAfterWrongValue(group, {}, again, input);
  expect(bodies.map(({ dryRun, metricEvents }) => [dryRun, metricEvents])).toEqual([
    [true, events('purchase', 'sign_up')],
    [true, events('page_view')],
    [true, events('purchase', 'sign_up')],
  ]);
  expect(group).toMatchObject({ violation: { requirement: 'echo.sent-field' }, seen: { times: 2, of: 2 } });
  expect(group.violation.doubt).toBeUndefined();
});

test('a doubt that there was stays', async () => {
  const first = { ...shown('state.neighbours'), doubt: 'it could not be put back' };
  expect((await confirmed(first, [false, false])).violation.doubt).toBe('it could not be put back');
});

// biome-ignore format: a table
test.each<readonly [again: readonly (boolean | 'withheld' | 'unsent')[], seen: object, doubt: string | undefined]>([
  [['withheld', true], { times: 1, of: 1 }, undefined],
  [[true, 'withheld'], { times: 2, of: 2 }, undefined],
  [[false, 'withheld'], { times: 1, of: 2 }, 'seen 1 of 2 times'],
  [['unsent', 'unsent'], { times: 1, of: 1 }, undefined],
])('a case that the budget or its check holds back (%j) says nothing against what was seen', async (again, seen, doubt) => {
  const { seen: told, violation: kept } = await confirmed(shown('state.patch-only-sent'), again);
  expect([told, kept.doubt]).toEqual([seen, doubt]);
});

// biome-ignore format: a table
test.each<readonly [again: readonly (boolean | 'refused')[], seen: object, doubt: string | undefined]>([
  [['refused', 'refused'], { times: 1, of: 1 }, 'seen once, and refused whenever the same was sent again'],
  [['refused', true],      { times: 2, of: 2 }, undefined],
  [['refused', false],     { times: 1, of: 2 }, 'seen 1 of 2 times'],
])('a repetition that is refused (%j) says nothing against what an accepted one showed', async (again, seen, doubt) => {
  const { seen: told, violation: kept } = await confirmed(shown('state.patch-only-sent'), again);
  expect([told, kept.doubt]).toEqual([seen, doubt]);
});

test('a refusal that could not be asked for again is a doubt, and one that could is none', async () => {
  const refused = shown('accept.plain-value', { status: 422 });
  expect((await confirmed(refused, ['unsent'])).violation.doubt).toBe(
    'it was refused once, and could not be sent again',
  );
  expect((await confirmed(refused, [true, 'unsent'])).violation.doubt).toBeUndefined();
});

test('a run that ends while it confirms leaves the finding as it was seen first', async () => {
  const group = await confirmed(shown('state.patch-only-sent'), [true, true]);
  const ended = new RunStopped('limit', 'the limit of 10 requests is reached');
  const before = { ...group };
  await expect(confirm(group, {}, () => Promise.reject(ended))).rejects.toBe(ended);
  expect(group).toEqual(before);
});

test.each([
  ['each time', [true, true, true], undefined, '7'],
  ['not each time', [true, true, false], 'seen 2 of 3 times', '0'],
])('what another case shows %s', async (_often, shows, doubt, path) => {
  const first = shown('state.patch-only-sent');
  const group = await confirmed(first, [true, false]);
  expect(isUnsteady(group)).toBe(true);
  const description = { title: 'another case', pointer: '' };
  let round = 0;
  const execute: Execution = async () => {
    const attributed = shows[round] ? [{ owner: 'o', signature: 's', violation: first, about: description }] : [];
    round += 1;
    return { attributed, description, isWithheld: false, requests: 1, asked: [] };
  };
  await confirmByOther(group, { ...group.source, index: 7, path: '7', description }, {}, execute);
  expect([group.violation.doubt, group.source.path, isUnsteady(group)]).toEqual([doubt, path, doubt !== undefined]);
});
