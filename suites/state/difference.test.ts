import { expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Members } from '../../contracts/json.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import { differencesOf, differenceViolations, volatile } from './difference.ts';

// biome-ignore format: a table
test.each<readonly [what: string, before: Members, after: Members, fields: readonly string[]]>([
  ['the same',                        { name: 'a', tags: ['b'] },    { tags: ['b'], name: 'a' },    []],
  ['another value',                   { name: 'a' },                 { name: 'b' },                 ['name']],
  ['another order of a set',          { tags: ['a', 'b'] },          { tags: ['b', 'A'] },          []],
  ['another order and another letter case of tags', { tags: ['a', 'B'] }, { tags: ['A', 'b'] },     []],
  ['a tag that comes once more',      { tags: ['a', 'b'] },          { tags: ['a', 'b', 'b'] },     ['tags']],
  ['a set without one of its members', { tags: ['a', 'b'] },         { tags: ['a'] },               ['tags']],
  ['a set with a member twice for another', { holdoutIDs: ['a', 'b'] }, { holdoutIDs: ['a', 'a'] }, ['holdoutIDs']],
  ['reviewers in another order',      { reviewSettings: { allowedReviewers: ['a', 'b'] } }, { reviewSettings: { allowedReviewers: ['b', 'a'] } }, []],
  ['another reviewer',                { reviewSettings: { allowedReviewers: ['a', 'b'] } }, { reviewSettings: { allowedReviewers: ['b'] } }, ['reviewSettings']],
  ['a state that is not shown',       { status: 'In Progress' },     { status: 'Launched' },        []],
  ['a member deep down',              { rules: [{ name: 'a' }] },    { rules: [{ name: 'b' }] },    ['rules']],
  ['a member that is gone',           { name: 'a' },                 {},                            ['name']],
  ['a null that is left out',         { creatorID: null },           {},                            []],
  ['a null that got a value',         { creatorID: null },           { creatorID: 'u' },            ['creatorID']],
  ['what is not documented',          { shiny: 1 },                  { shiny: 2 },                  []],
  ['what changes by itself',          { version: 1, checksPerHour: 1 }, { version: 2, checksPerHour: 2 }, []],
])('%s', (_what, before, after, fields) => {
  expect(differencesOf(endpoints['patch-gate'], before, after, volatile).map(({ field }) => field)).toEqual(fields);
});

test('the order of the columns of unit ids counts', () => {
  const mapping = ['a', 'b'].map(column => ({ serviceUnitID: column, column }));
  const before = { name: 'a', idTypeMapping: mapping };
  const after = { name: 'a', idTypeMapping: mapping.toReversed() };
  expect(
    differencesOf(endpoints['update-qualifying-event'], before, after, volatile).map(({ field }) => field),
  ).toEqual(['idTypeMapping']);
});

test('members of documented objects that no section names may move with every answer', () => {
  const gate = (more: object) => ({ reviewSettings: { requiredReview: false, allowedReviewers: ['a'], ...more } });
  const differ = (before: object, after: object) =>
    differencesOf(endpoints['patch-gate'], before as never, after as never, volatile).map(({ field }) => field);
  expect(differ(gate({ readAt: 1 }), gate({ readAt: 2, more: {} }))).toEqual([]);
  expect(differ(gate({ readAt: 1 }), gate({ readAt: 1, requiredReview: true }))).toEqual(['reviewSettings']);
  expect(differ(gate({}), gate({ allowedReviewers: ['b'] }))).toEqual(['reviewSettings']);
});

test('what is left out is not compared', () => {
  expect(differencesOf(endpoints['patch-gate'], { name: 'a' }, {}, ['name'])).toEqual([]);
});

test('a difference is a violation at its member, in words', () => {
  const differences = differencesOf(endpoints['patch-gate'], { name: 'a' }, {}, []);
  const answer = givenAnswer({});
  expect(
    differenceViolations(differences, answer, 'state.neighbours', ({ before }) => `still ${before}`, '/data/*'),
  ).toEqual([
    {
      requirement: 'state.neighbours',
      pointer: '/data/*/name',
      expected: 'still a',
      actual: '"a" became nothing (the member is absent)',
      fault: { kind: 'changed', expected: 'a' },
      answer,
    },
  ]);
});
