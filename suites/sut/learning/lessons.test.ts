import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../contracts/endpoint.ts';
import type { Members } from '../../../contracts/json.ts';
import { fieldValues, type IsName, lessons } from './lessons.ts';

const isName: IsName = (value): value is string => typeof value === 'string' && value !== 'NOT A NAME';

/** Returns an entity's words by kind. */
function learned(resource: Resource, entity: Members): Readonly<Record<string, readonly unknown[]>> {
  const words: Record<string, unknown[]> = {};
  for (const { kind, read } of lessons[resource] ?? []) {
    const found = read(entity, isName);
    if (found.length > 0) words[kind] = [...(words[kind] ?? []), ...found];
  }
  return words;
}

describe('the values of a field', () => {
  test('are found through objects and lists, and are none where a step is missing', () => {
    const entity = { a: [{ b: [1, 2] }, { b: 3 }, { c: 4 }, 'text'], d: { e: null } };
    expect(fieldValues(entity, 'a.b')).toEqual([1, 2, 3]);
    expect(fieldValues(entity, 'd.e')).toEqual([null]);
    expect(fieldValues(entity, 'd.f')).toEqual([]);
    expect(fieldValues(entity, 'a.b.c')).toEqual([]);
  });

  test('are those that an answer has: not what every object inherits', () => {
    expect(fieldValues({ a: {} }, 'a.toString')).toEqual([]);
  });

  test('are bounded, however long a list is', () => {
    expect(fieldValues({ a: Array.from({ length: 5000 }, () => 'x') }, 'a').length).toBeLessThan(1000);
  });
});

describe('what is learned', () => {
  const people = {
    creatorID: 'u1',
    creatorEmail: 'u1@example.com',
    lastModifierID: 'u2',
    owner: { ownerType: 'USER', ownerID: 'u3', ownerEmail: 'u3@example.com' },
    reviewSettings: { allowedReviewers: ['u4', { id: 'u5', email: 'u5@example.com' }, 7, {}] },
  };
  const everybody = [
    { id: 'u1', email: 'u1@example.com' },
    { id: 'u2' },
    { id: 'u3', email: 'u3@example.com' },
    { id: 'u4' },
    { id: 'u5', email: 'u5@example.com' },
  ];
  const metric = (name: string) => ({ name, type: 'sum' });

  test('of a gate', () => {
    const entity = {
      ...people,
      idType: 'userID',
      targetApps: ['web', 'ios'],
      monitoringMetrics: [{ ...metric('m'), direction: 'up' }, { name: 'no type' }],
      releasePipelineID: 'p1',
      team: 'growth',
      teamID: 't1',
    };
    expect(learned('gate', entity)).toEqual({
      idTypes: ['userID'],
      apps: ['web', 'ios'],
      metrics: [metric('m')],
      pipelines: ['p1'],
      users: everybody,
      teams: [{ id: 't1', name: 'growth' }],
    });
  });

  test('of an experiment', () => {
    const entity = {
      ...people,
      idType: 'userID',
      secondaryIDType: 'stableID',
      targetApps: ['web'],
      primaryMetrics: [metric('a')],
      secondaryMetrics: [metric('b')],
      otherMetrics: [metric('c')],
      enabledNonProdEnvironments: ['staging'],
      identityResolutionSource: 'identities',
      assignmentSourceName: 'exposures',
      assignmentSourceExperimentName: 'checkout',
      groups: [{ id: 'g1', name: 'Control' }, { name: 'Test' }, { size: 50 }],
      team: 'growth',
    };
    expect(learned('experiment', entity)).toEqual({
      idTypes: ['userID', 'stableID'],
      apps: ['web'],
      metrics: ['a', 'b', 'c'].map(metric),
      environments: ['staging'],
      identitySources: ['identities'],
      assignmentSources: [{ name: 'exposures', experiment: 'checkout' }],
      groups: ['g1', 'Test'],
      groupKeys: ['g1', 'Test'],
      users: everybody,
      teams: ['growth'],
    });
  });

  test('of a metric source', () => {
    const entity = {
      name: 'purchases',
      timestampColumn: 'ts',
      idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
      all_columns: ['amount'],
      teamID: 't1',
    };
    expect(learned('qualifying-event', entity)).toEqual({
      idTypes: ['userID'],
      columns: ['ts', 'user_id', 'amount'],
      metricSources: ['purchases'],
      teams: [{ id: 't1' }],
    });
  });

  test('of a config version', () => {
    const entity = {
      idType: 'userID',
      targetApps: ['web'],
      rules: [{ environments: ['staging'] }, { environments: null }],
    };
    expect(learned('config-version', entity)).toEqual({
      idTypes: ['userID'],
      apps: ['web'],
      environments: ['staging'],
    });
  });

  test('of a metric is the metric, where its id shows that name and type are its own, and the suite did not create it', () => {
    const entity = { id: 'revenue::sum', name: 'revenue', type: 'sum', unitTypes: ['userID'] };
    expect(learned('metric', entity)).toEqual({ idTypes: ['userID'], metrics: [metric('revenue')] });
    for (const other of [
      { id: 'other' },
      { name: 'other' },
      { type: undefined },
      { id: 'conform_x::sum', name: 'conform_x' },
    ])
      expect(learned('metric', { ...entity, ...other })).toEqual({ idTypes: ['userID'] });
  });

  test('are names alone', () => {
    const nameless = {
      idType: 'NOT A NAME',
      creatorID: 'NOT A NAME',
      creatorEmail: 'a@example.com',
      owner: { ownerType: 'SDK_KEY', ownerID: 'k1' },
      primaryMetrics: [{ name: 'm', type: 7 }],
      assignmentSourceName: 5,
    };
    expect(learned('experiment', nameless)).toEqual({});
    expect(learned('experiment', { creatorID: 'u1', creatorEmail: 'NOT A NAME' })).toEqual({ users: [{ id: 'u1' }] });
    expect(learned('experiment', { assignmentSourceName: 'exposures' })).toEqual({
      assignmentSources: [{ name: 'exposures' }],
    });
  });
});
