import { describe, expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { everythingDeclared, nothingDeclared } from './capabilities.fixture.ts';
import { learnedIn, linesIn, references, referencesFor, remedyFor, unnamedBecause } from './references.ts';

const naming = (refersTo: keyof typeof references, more: object = { type: 'string' }): Schema =>
  ({ ...more, annotation: { semantics: 'reference', refersTo } }) as Schema;

describe('the values that name something stand in the shape of the field', () => {
  const metric = { type: 'object', properties: { name: { type: 'string' }, type: { type: 'string' } } };
  // biome-ignore format: a table
  test.each<[string, Schema, readonly Json[]]>([
    ['a text',                 naming('idType'),                                             ['userID', 'stableID']],
    ['the name of an object',  naming('metric'),                                             ['signup', 'purchase']],
    ['an object',              naming('metric', metric),                                     [{ name: 'signup', type: 'event_count' }, { name: 'purchase', type: 'sum' }]],
    ['members that it names',  naming('metric', { type: 'object', properties: { name: { type: 'string' } } }), [{ name: 'signup' }, { name: 'purchase' }]],
    ['a list of each, and all', naming('idType', { type: 'array', items: { type: 'string' } }), [['userID'], ['stableID'], ['userID', 'stableID']]],
    ['a list of the one',      naming('gate', { type: 'array', items: { type: 'string' } }), [['a_gate']]],
    ['an alternative',         naming('gate', { anyOf: [{ type: 'string' }, { type: 'null' }] }), ['a_gate']],
    ['anything',               naming('gate', {}),                                           ['a_gate']],
    ['no number, where names are texts', naming('gate', { type: 'number' }),                 []],
    ['nothing, where nothing exists', naming('layer'),                                       []],
    ['nothing, where nothing is named', { type: 'string' },                                  []],
  ])('%s', (_, schema, expected) => {
    expect(referencesFor(schema, everythingDeclared)).toEqual(expected);
  });

  test('objects that references tell apart have different ordinary values, and so have those around them', () => {
    const number = { type: 'number', annotation: { examples: [1], furtherExamples: [2] } } as Schema;
    const setting: Schema = { type: 'object', properties: { of: naming('groupKey'), mean: number } };
    const settings: Schema = { type: 'array', items: setting };
    const ofMetric: Schema = { type: 'object', properties: { metric: naming('metric'), settings } };
    const whole = naming('groupKey', { type: 'array', items: ofMetric });
    const groups: TargetCapabilities = {
      ...everythingDeclared,
      references: kind => (kind === 'groupKey' ? ['a', 'b'] : everythingDeclared.references(kind)),
    };
    const of = (a: number, b: number) => [
      { of: 'a', mean: a },
      { of: 'b', mean: b },
    ];
    expect(referencesFor(whole, groups)).toEqual([
      [
        { metric: 'signup', settings: of(1, 2) },
        { metric: 'purchase', settings: of(2, 1) },
      ],
    ]);
  });

  test('and nothing at a target that declares nothing', () => {
    expect(referencesFor(naming('idType'), nothingDeclared)).toEqual([]);
  });
});

test('every kind of reference has a remedy that names a list of the target file, or says that none can', () => {
  for (const kind of Object.keys(references) as (keyof typeof references)[]) {
    const { line, what } = references[kind];
    const remedy = remedyFor(kind);
    if (line === null) expect(remedy).toContain(what);
    else expect(remedy).toMatch(/^(vocabulary|fixtures)\.\w+: \[.+\]$/);
    if (line !== null) expect(() => JSON.parse(remedy.slice(remedy.indexOf('[')))).not.toThrow();
  }
  expect(remedyFor(undefined)).not.toBe('');
});

test('what fixtures name is not said to be named nowhere', () => {
  expect(remedyFor('groupName')).toBe(
    'nothing in the target file can add the name of a group: those of fixtures.experiments are sent as they stand there, and no others',
  );
  expect(unnamedBecause('groupName')).toMatch(/\(groupName\), and those of fixtures\.experiments are sent/);
  expect(unnamedBecause('environment')).toMatch(/\(environment\), and none of fixtures\.environments is told/);
  expect(unnamedBecause('model')).toMatch(/, and neither the target file nor an answer names one$/);
});

describe('a learned name in a body', () => {
  const reference = { kind: 'idType', value: 'learnedID', origin: 'get-gate a_gate: idType' } as never;
  const learning: TargetCapabilities = {
    references: kind => (kind === 'idType' ? ['learnedID', 'userID'] : []),
    has: () => true,
    learned: kind => (kind === 'idType' ? [reference] : []),
  };
  const unit = naming('idType');
  const schema: Schema = {
    type: 'object',
    properties: {
      unit,
      list: { type: 'array', items: { type: 'object', properties: { unit } } },
      either: { anyOf: [{ type: 'number' }, unit] },
    },
  };
  const found = (body: Json, template?: Json, capabilities = learning) =>
    learnedIn(schema, body, template, capabilities);

  test('is found wherever it stands', () => {
    for (const body of [
      { unit: 'learnedID' },
      { list: [{ unit: 'userID' }, { unit: 'learnedID' }] },
      { either: 'learnedID' },
    ])
      expect(found(body)).toBe(reference);
  });

  test('is none where the body holds another name, or the same text names nothing', () => {
    expect(found({ unit: 'userID', other: 'learnedID' })).toBe(undefined);
  });

  test('is none where the template has it in the same place', () => {
    expect(found({ unit: 'learnedID', list: [] }, { unit: 'learnedID' })).toBe(undefined);
    expect(found({ list: [{ unit: 'learnedID' }], unit: 'userID' }, { list: [{ unit: 'learnedID' }] })).toBe(undefined);
    expect(found({ unit: 'learnedID' }, { list: [{ unit: 'learnedID' }] })).toBe(reference);
  });

  test('is none at a target of which nothing was learned', () => {
    expect(found({ unit: 'learnedID' }, undefined, everythingDeclared)).toBe(undefined);
  });
});

test('where names are known and more are needed, the remedy asks for so many more', () => {
  expect(remedyFor('model', 1, 2)).toBe('vocabulary.models: a second model (2 wanted, 1 known)');
  expect(remedyFor('teamID', 1, 2)).toBe('vocabulary.teams: a second team with an id (2 wanted, 1 known)');
  expect(remedyFor('metric', 3, 10)).toBe('vocabulary.metrics: 7 more (10 wanted, 3 known)');
  expect(remedyFor('model', 0, 2)).toBe('vocabulary.models: ["a_model"]');
  expect(remedyFor('layer', 1, 2)).toMatch(/^nothing in the target file/);
});

test('the lines of the target file that name what a body names, and its template does not', () => {
  const { body } = endpoints['patch-gate'];
  const gate = { idType: 'userID', tags: ['a'], monitoringMetrics: [{ name: 'm', type: 'count' }], team: null };
  expect(linesIn(body, gate, undefined)).toEqual(['vocabulary.idTypes', 'vocabulary.metrics']);
  expect(linesIn(body, gate, { idType: 'userID' })).toEqual(['vocabulary.metrics']);
  expect(linesIn(body, gate, gate)).toEqual([]);
});
