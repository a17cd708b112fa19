import { describe, expect, test } from 'vitest';
import type { Schema } from '../dialect.ts';
import { validatorFor } from '../validation.ts';
import { childrenOf } from '../walk.ts';
import * as r from './index.ts';
import { samples } from './samples.fixture.ts';

type Name = keyof typeof samples;
const names = Object.keys(samples) as Name[];
const schemas: Readonly<Record<Name, Schema>> = r;
const schemaOf = (name: Name): Schema => schemas[name];

/** Returns the members that only the schema or only the sample has. */
function differences(schema: Schema, value: unknown, at = ''): string[] {
  if (Array.isArray(value)) {
    const items = 'items' in schema ? schema.items : undefined;
    return items === undefined ? [] : value.slice(0, 1).flatMap(item => differences(items, item, `${at}/0`));
  }
  const properties = 'properties' in schema ? schema.properties : undefined;
  if (properties === undefined || typeof value !== 'object' || value === null) return [];
  const members = value as Record<string, unknown>;
  return [...new Set([...Object.keys(properties), ...Object.keys(members)])].flatMap(name => {
    const node = properties[name];
    if (node === undefined) return [`${at}/${name} is not in the schema`];
    if (!(name in members)) return [`${at}/${name} is not in the sample`];
    return differences(node, members[name], `${at}/${name}`);
  });
}

/** Intended differences between samples and schemas: owners vary. */
const excused: Partial<Record<Name, string[]>> = {
  metric: ['ownerID', 'ownerType', 'ownerName', 'ownerEmail'].map(name => `/owner/${name} is not in the sample`),
};

describe.each(names)('%s', name => {
  test('has a complete sample that is valid', () => {
    expect(validatorFor(schemaOf(name))(samples[name])).toEqual([]);
    expect(differences(schemaOf(name), samples[name])).toEqual(excused[name] ?? []);
  });

  test('accepts members that nobody knows', () => {
    expect(validatorFor(schemaOf(name))({ ...samples[name], somethingElse: [{}] })).toEqual([]);
  });
});

test('tables of fields have as many rows as the specification prints', () => {
  const rows = (schema: { readonly properties: object }) => Object.keys(schema.properties).length;
  expect(rows(r.experimentRequest)).toBe(66);
  expect(rows(r.experiment)).toBe(91);
  expect(rows(r.warehouseNative)).toBe(43);
  expect(rows(r.gatePatch)).toBe(17);
  expect(rows(r.dynamicConfig)).toBe(29);
});

/** Returns a copy of a sample with the member at a dotted path set, or removed for `undefined`. */
function changed(value: unknown, path: string, to: unknown): unknown {
  const copy = structuredClone(value);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const parent = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], copy) as Record<
    string,
    unknown
  >;
  if (to === undefined) delete parent[last];
  else parent[last] = to;
  return copy;
}

const long = (length: number) => 'a'.repeat(length);

// biome-ignore format: a table
const boundaries: readonly (readonly [Name, path: string, right: readonly unknown[], wrong: readonly unknown[]])[] = [
  ['gatePatch', 'name',                     ['abc', long(100), 'A-z_0. '],        ['ab', long(101), 'a/b', 'a:b', 'ab\u00e9', 3, null]],
  ['gatePatch', 'description',              ['', long(1000)],                     [long(1001), null]],
  ['gatePatch', 'type',                     ['PERMANENT', 'TEMPORARY'],           ['permanent', ' PERMANENT', '', null]],
  ['gatePatch', 'targetApps',               ['', 'web', [], ['web']],             [1, null, [1]]],
  ['gatePatch', 'isEnabled',                [true, false],                        [0, 'true', null]],
  ['gatePatch', 'team',                     [null, 'a'],                          [1]],
  ['gatePatch', 'releasePipelineID',        [null, 'a'],                          [1]],
  ['gate', 'targetApps',                    [[], ['web']],                        ['web', null]],
  ['gate', 'isEnabled',                     [true],                               [1, undefined]],
  ['gate', 'id',                            ['x'],                                [null, undefined]],
  ['gate', 'name',                          ['', long(200)],                      [1, null]],
  ['gate', 'type',                          ['PERMANENT'],                        ['Permanent']],
  ['gate', 'status',                        ['Anything'],                         [1]],
  ['gate', 'creatorName',                   [null, 'Ada'],                        [7]],
  ['gate', 'createdTime',                   [0, -1],                              [1.5, '1', null]],
  ['gate', 'owner',                         [undefined, {}],                      [null, []]],
  ['dynamicConfig', 'team',                 ['a', undefined],                     [null]],
  ['dynamicConfig', 'rules.0.conditions.0.targetValue', [[], ['a']],              ['a', [1], null]],
  ['dynamicConfig', 'rules.0.variants.0.passPercentage', [0.5],                   ['1', null]],
  ['dynamicConfig', 'rules.0.completedAutomatedRollouts.0.time', [1],             [1.5]],
  ['segment', 'rules.conditions.0.targetValue', [[], 'a', 1, true, ['a'], [1, true]], [null, {}, [null], [['a']]]],
  ['experiment', 'inlineTargetingRules.0.conditions.0.targetValue', [['a'], 1, [1]], [null, {}]],
  ['segment', 'rules',                      [undefined, {}],                      [[], null]],
  ['segment', 'count',                      [0],                                  [0.5, '0']],
  ['experimentRequest', 'allocation',       [0, 100, 50.46],                      [-0.01, 100.01, '50', null, undefined]],
  ['experimentRequest', 'description',      [long(1000)],                         [long(1001), undefined]],
  ['experimentRequest', 'idType',           ['a'],                                [undefined, null]],
  ['experimentRequest', 'hypothesis',       [''],                                 [undefined]],
  ['experimentRequest', 'groups',           [[]],                                 [undefined, {}, [1]]],
  ['experimentRequest', 'targetingGateID',  [null, 'g'],                          [undefined, 1]],
  ['experimentRequest', 'bonferroniCorrection', [true],                           [undefined, 1]],
  ['experimentRequest', 'defaultConfidenceInterval', ['80', '99', undefined],     ['85', 95]],
  ['experimentRequest', 'status',           ['active', undefined],                ['Active', 'deleted']],
  ['experimentRequest', 'name',             ['abc', long(100), 'a-b_c d'],        ['ab', long(101), 'a.b']],
  ['experimentRequest', 'userBuckets.0',    [0, 999.99],                          [-0.5, 1000]],
  ['experimentRequest', 'duration',         [2],                                  [1, 2.5, null]],
  ['experimentRequest', 'targetExposures',  [2],                                  [1]],
  ['experimentRequest', 'allocationDuration', [2, null],                          [1]],
  ['experimentRequest', 'cohortedAnalysisDuration', [2],                          [1, null]],
  ['experimentRequest', 'fixedAnalysisDuration', [2],                             [1]],
  ['experimentRequest', 'scheduledReloadHour', [0, 23, null],                     [-1, 24, 0.5]],
  ['experimentRequest', 'scheduledReloadDays', [[], [0, 6], null],                [[7], [-1]]],
  ['experimentRequest', 'scheduledReloadType', ['full', 'incremental'],           ['FULL']],
  ['experimentRequest', 'identifierMappingMode', ['lastTouchOneToMany'],          ['lasttouchonetomany']],
  ['experimentRequest', 'analyticsType',    ['frequentist', 'bayesian'],          ['SPRT']],
  ['experimentRequest', 'sprtBaselineMode', ['in_experiment_control'],            ['']],
  ['experimentRequest', 'defaultRollupWindow', [-1, 1, 7, 3],                     [1.5]],
  ['experimentRequest', 'manualQualityScores', [Array(10).fill({})],              [Array(11).fill({})]],
  ['experimentRequest', 'isAnalysisOnly',   [null, true],                         ['true']],
  ['experiment', 'duration',                [1, 0],                               [1.5, undefined]],
  ['experiment', 'status',                  ['archived'],                         ['Archived', undefined]],
  ['experiment', 'targetingGateID',         [null],                               [undefined]],
  ['experiment', 'allocation',              [101],                                ['100']],
  ['experiment', 'healthChecks.0.metadata.missingMetrics', [[]],                  [[1], 'a']],
  ['experiment', 'healthChecks.0.metadata.metrics.0.earliest_date', ['2025-01-01'], [1]],
  ['experiment', 'qualityScore.score',      [1.5],                                ['1']],
  ['experiment', 'inlineTargetingRules.0.conditions.0.field', ['a'],              [1]],
  ['qualifyingEventRequest', 'sql',         ['SELECT 1'],                         [undefined, null]],
  ['qualifyingEventRequest', 'timestampColumn', ['ts'],                           [undefined]],
  ['qualifyingEventRequest', 'idTypeMapping', [[]],                               [undefined, {}]],
  ['qualifyingEventRequest', 'name',        [1, null, {}, undefined],             []],
  ['qualifyingEventRequest', 'all_columns', [[]],                                 [undefined, [1]]],
  ['qualifyingEventRequest', 'column_types', [[]],                                [undefined, [1]]],
  ['qualifyingEventRequest', 'sourceType',  ['query'],                            ['Query', null]],
  ['qualifyingEvent', 'name',               ['a'],                                [undefined]],
  ['metricRequest', 'name',                 ['abc', long(200), 'a(b)/c %:.-_'],   ['ab', long(201), 'a#b', undefined]],
  ['metricRequest', 'type',                 ['ratio', 'mean'],                    ['event_count', 'Ratio', undefined]],
  ['metricRequest', 'percentile',           [0.001, 0.999],                       [0.0009, 0.9991]],
  ['metricRequest', 'metricEvents.0',       [{ name: 'a', type: 'count' }],       [{ name: 'a' }, { type: 'count' }, { name: 'a', type: 'sum' }]],
  ['metricRequest', 'directionality',       ['decrease'],                         ['Increase']],
  ['metricRequest', 'funnelCountDistinct',  ['events'],                           ['event']],
  ['metricRequest', 'warehouseNative.criteria.0.nullVacuousOverride', [true],     ['true']],
  ['metric', 'type',                        ['event_dau', 'anything'],            [1, undefined]],
  ['metric', 'lineage.events',              [[]],                                 ['a', [1]]],
  ['promptVersionRequest', 'name',          ['abc', long(100)],                   ['ab', long(101), 'a/b']],
  ['promptVersionRequest', 'id',            ['', 'a-b_c.d'],                      ['a b', 'a/b']],
  ['promptVersionRequest', 'description',   [long(1000)],                         [long(1001)]],
  ['promptVersionRequest', 'max_tokens',    [1.5],                                ['1', null]],
  ['loggedEvent', 'timestamp',              ['0'],                                ['', '1.5', 'a', 1, undefined]],
  ['loggedEvent', 'value',                  [''],                                 [null, undefined]],
  ['pagination', 'nextPage',                [null, ''],                           [undefined, 2]],
  ['pagination', 'all',                     [''],                                 [null, undefined]],
  ['environmentsData', 'environments.0.requiresReview', [true],                   [undefined, null, 'true']],
  ['enableGroupsBody', 'group_names',       [[]],                                 [undefined, 'Control', [1]]],
];

describe.each(boundaries)('%s %s', (name, path, right, wrong) => {
  test.each(right.map(value => [value]))('may be %j', value => {
    expect(validatorFor(schemaOf(name))(changed(samples[name], path, value))).toEqual([]);
  });
  test.each(wrong.map(value => [value]))('must not be %j', value => {
    expect(validatorFor(schemaOf(name))(changed(samples[name], path, value))).not.toEqual([]);
  });
});

test('a ratio metric counts, another need not', () => {
  const summed = { name: 'abc', metricEvents: [{ name: 'a', type: 'sum' }] };
  expect(validatorFor(r.metricRequest)({ ...summed, type: 'sum' })).toEqual([]);
  expect(validatorFor(r.metricRequest)({ ...summed, type: 'ratio' })).not.toEqual([]);
});

test('columns are required only where validation is skipped', () => {
  const { all_columns, column_types, ...body } = samples.qualifyingEventRequest;
  expect(all_columns.length).toBe(column_types.length);
  expect(validatorFor(r.qualifyingEventRequest)({ ...body, skip_validation: false })).toEqual([]);
  expect(validatorFor(r.qualifyingEventRequest)(body).map(problem => problem.pointer)).toEqual([
    '/all_columns',
    '/column_types',
  ]);
});

/** The members that section 2 documents as "or null" in requests; every other typed member refuses null. */
const nullable: Partial<Record<Name, string[]>> = {
  gatePatch: ['creatorEmail', 'creatorID', 'releasePipelineID', 'team', 'teamID'],
  experimentRequest: [
    'allocationDuration',
    'creatorEmail',
    'creatorID',
    'identityResolutionSource',
    'isAnalysisOnly',
    'launchedGroupID',
    'scheduledReloadDays',
    'scheduledReloadHour',
    'secondaryIDType',
    'targetingGateID',
    'team',
    'teamID',
  ],
  qualifyingEventRequest: ['name', 'team', 'teamID'],
  metricRequest: ['team', 'teamID'],
};

test.each([
  'gatePatch',
  'experimentRequest',
  'qualifyingEventRequest',
  'metricRequest',
  'promptVersionRequest',
  'archiveBody',
] as const)('%s takes null just where it is documented', name => {
  const members = childrenOf(schemaOf(name)).flatMap(([step]) => step.match(/^properties\/(.+)$/)?.[1] ?? []);
  const taking = members.filter(
    member => validatorFor(schemaOf(name))({ ...samples[name], [member]: null }).length === 0,
  );
  expect(taking.sort()).toEqual(nullable[name] ?? []);
});

test('an answer may hold an emptier owner, and a request that is no object is refused', () => {
  expect(validatorFor(r.gate)({ id: 'a', isEnabled: false, version: 1 })).toEqual([]);
  for (const body of [null, [], 'x', 1, true]) expect(validatorFor(r.gatePatch)(body)).toHaveLength(1);
});

/** The members whose absence makes a resource invalid, as sections 2 and 4 state. */
// biome-ignore format: a table
const required: Readonly<Record<Name, readonly string[]>> = {
  pagination:             ['all', 'itemsPerPage', 'nextPage', 'pageNumber', 'previousPage', 'totalItems'],
  environmentsBody:       [],
  environmentsData:       ['environments'],
  gatePatch:              [],
  gate:                   ['id', 'isEnabled', 'version'],
  dynamicConfig:          ['id', 'version'],
  archiveBody:            [],
  experimentRequest:      ['allocation', 'bonferroniCorrection', 'description', 'groups', 'hypothesis', 'idType', 'targetingGateID'],
  experiment:             ['allocation', 'bonferroniCorrection', 'defaultConfidenceInterval', 'description', 'duration', 'groups', 'hypothesis', 'id', 'idType', 'lastModifierID', 'lastModifierName',
                           'layerID', 'primaryMetricTags', 'primaryMetrics', 'secondaryMetricTags', 'secondaryMetrics', 'status', 'tags', 'targetingGateID', 'version'],
  enableGroupsBody:       ['group_names'],
  // The sample skips validation, so the columns are required too.
  qualifyingEventRequest: ['all_columns', 'column_types', 'idTypeMapping', 'sql', 'timestampColumn'],
  qualifyingEvent:        ['name'],
  metricRequest:          ['name', 'type'],
  metric:                 ['id', 'name', 'type'],
  segment:                ['id'],
  promptVersionRequest:   [],
  promptVersion:          [],
  loggedEvent:            ['metadata', 'name', 'source', 'timestamp', 'userID', 'value'],
};

test.each(names)('%s requires just what is stated', name => {
  const missed = Object.keys(samples[name]).filter(
    member => validatorFor(schemaOf(name))(changed(samples[name], member, undefined)).length > 0,
  );
  expect(missed.sort()).toEqual(required[name]);
});
