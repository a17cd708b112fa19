import { describe, expect, test } from 'vitest';
import type { ReferenceKind } from '../../contracts/dialect.ts';
import { referenceTarget } from '../../reference-server/index.ts';
import { references } from '../generators/index.ts';
import { fixtureNames, renewableKey, subjectOf, targetOf } from './target.ts';

const url = new URL('http://127.0.0.1:9');
const file = {
  fixtures: { gates: ['a_gate', 'another_gate'], experiments: [{ id: 'an_experiment', groups: ['Control', 'Test'] }] },
  vocabulary: {
    idTypes: ['userID'],
    metrics: [{ name: 'a_metric', type: 'sum' as const }],
    teams: ['Design', { id: 'team_growth', name: 'Growth' }],
    users: [{ id: 'one', email: 'one@example.com' }, { id: 'two' }],
  },
};
const target = targetOf(file, url, 'a-key-of-tests');

describe('the words for a reference', () => {
  test.each<[ReferenceKind, unknown[]]>([
    ['gate', ['a_gate', 'another_gate']],
    ['idType', ['userID']],
    ['metric', [{ name: 'a_metric', type: 'sum' }]],
    ['user', ['one', 'two']],
    ['email', ['one@example.com']],
    ['team', ['Design', 'Growth']],
    ['teamID', ['team_growth']],
    ['group', []],
  ])('%s are %o', (kind, expected) => {
    expect(target.references(kind)).toEqual(expected);
  });

  test('are found of every kind that a target file can name', () => {
    const whole = targetOf(referenceTarget(), url, 'a-key-of-tests');
    for (const kind of Object.keys(references) as ReferenceKind[])
      expect([kind, whole.references(kind).length > 0]).toEqual([kind, references[kind].line !== null]);
  });
});

test('fixtures are named in the order of the file, and checks work on the first, or on the last where the row says so', () => {
  expect(fixtureNames(target, 'experiments')).toEqual(['an_experiment']);
  expect(fixtureNames(target, 'prompts')).toEqual([]);
  expect(subjectOf(target, 'patch-gate')).toBe('a_gate');
  expect(subjectOf(target, 'disable-gate')).toBe('another_gate');
  expect(subjectOf(target, 'list-segments')).toBeUndefined();
});

test('a key that could not be renewed is refused once, and stays in use', async () => {
  const keys = renewableKey('a-key-of-tests', () => Promise.reject(new Error('no key today')));
  await expect(keys.renew('a-key-of-tests')).rejects.toThrow('no key today');
  await expect(keys.renew('a-key-of-tests')).resolves.toBe('a-key-of-tests');
});
