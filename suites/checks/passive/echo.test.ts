import { expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { type Given, givenAnswer, observed } from '../../proof/testing/answers.ts';
import { echo } from './echo.ts';

const gate = { id: 'gate_a', isEnabled: true };
const written = (endpoint: EndpointId, sent: JsonObject, data: unknown, more: Given = {}): Given => ({
  endpoint,
  sent,
  value: { message: '', data },
  ...more,
});
const patched = (sent: JsonObject, data: object, more: Given = {}) =>
  written('patch-gate', sent, { ...gate, ...data }, more);
const named = (...environments: JsonObject[]) => ({ environments });
const [dev, prod] = [
  { name: 'development', isProduction: false },
  { name: 'production', isProduction: true },
];

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['what was sent',                     patched({ description: 'a' }, { description: 'a' }),             []],
  ['another text',                      patched({ description: 'a' }, { description: 'b' }),             ['echo.sent-field /data/description']],
  ['a field that was dropped',          patched({ description: 'a' }, {}),                               ['echo.sent-field /data/description']],
  ['another text beyond ASCII',         patched({ description: 'é🎉' }, { description: 'é' }),           ['echo.unicode /data/description']],
  ['a text trimmed',                    patched({ description: ' a ' }, { description: 'a' }),           ['echo.order-and-space /data/description']],
  ['tags in another order',             patched({ tags: ['a', 'b'] }, { tags: ['b', 'a'] }),             ['echo.order-and-space /data/tags']],
  ['apps as a list',                    patched({ targetApps: 'web' }, { targetApps: ['web'] }),         []],
  ['apps lost',                         patched({ targetApps: ['web'] }, { targetApps: [] }),            ['echo.target-apps /data/targetApps']],
  ['another type, which the schema sees', patched({ isEnabled: true }, { isEnabled: 1 }),                'not judged'],
  ['another type, which it does not',   patched({ teamID: 'a' }, { teamID: 1 }),                         ['echo.outside-shape /data/teamID']],
  ['a field outside the shape, left out', patched({ teamID: 'a' }, {}),                                  'not judged'],
  ['a field that no request has',       patched({ other: 'a' }, { other: 'b' }),                         'not judged'],
  ['a member of a list of ordered ones', written('create-metric', { name: 'abc', type: 'ratio', metricEvents: [{ name: 'a', type: 'count' }, { name: 'b', type: 'count' }] }, { name: 'abc', type: 'ratio', metricEvents: [{ name: 'b', type: 'count' }, { name: 'a', type: 'count' }] }), ['echo.ordered-lists /data/metricEvents']],
  ['a free-form object that lost one',  written('update-experiment', { groups: [{ name: 'A', size: 50, parameterValues: { a: 1 } }], description: '', idType: 'userID', hypothesis: '', allocation: 1, targetingGateID: null, bonferroniCorrection: false, defaultConfidenceInterval: '95', status: 'setup' }, { groups: [{ name: 'A', size: 50, parameterValues: {} }], description: '', idType: 'userID', hypothesis: '', allocation: 1, targetingGateID: null, bonferroniCorrection: false, defaultConfidenceInterval: '95', status: 'setup' }), ['echo.free-form /data/groups/0/parameterValues']],
  ['a prompt version without a field',  written('create-prompt-version', { name: 'abc', temperature: 0.5 }, { name: 'abc' }), ['state.prompt-fields /data/temperature']],
  ['environments in another order',     written('update-environments', named(dev, prod), named({ ...prod, id: '2' }, { ...dev, id: '1' })), []],
  ['an environment by its id',          written('update-environments', named({ ...dev, id: '1' }), named({ ...dev, id: '1', isProduction: true })), ['echo.sent-field /data/environments/0/isProduction']],
  ['an environment of that id renamed', written('update-environments', named({ ...dev, id: '1' }), named({ ...prod, id: '2' }, { ...dev, id: '1', name: 'other' })), ['echo.sent-field /data/environments/1/name']],
  ['one that a new name makes',         written('update-environments', named({ ...dev, id: '1', name: 'new' }), named({ ...dev, id: '1' }, { ...dev, id: '9', name: 'new' })), []],
  ['an environment of another id',      written('update-environments', named({ ...dev, id: '1' }), named({ ...dev, id: '9' })), ['state.environments-listed /data/environments']],
  ['an environment lost',               written('update-environments', named(dev, prod), named(dev)),    ['state.environments-listed /data/environments']],
  ['a review group, of requests only',  written('update-environments', named({ ...dev, requiredReviewGroupID: 'g' }), named(dev)), []],
  ['a broken body that was accepted',   patched({ isEnabled: 'yes' }, {}),                               'not judged'],
  ['a dry run of an update',            written('update-qualifying-event', { sql: 'a', timestampColumn: 'b', idTypeMapping: [], dryRun: true }, { name: 'x', sql: 'c' }), 'not judged'],
  ['a body that was sent raw',          patched({ description: 'a' }, {}, { request: { raw: '{}' } }),   'not judged'],
  ['a refusal',                         patched({ description: 'a' }, {}, { status: 400 }),              'not judged'],
  ['data that is a list',               written('patch-gate', { description: 'a' }, []),                 'not judged'],
])('%s', (_what, given, found) => {
  expect(observed(echo, given)).toEqual(found);
});

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, covers: readonly string[]]>([
  ['a field that came back',            patched({ description: 'a', isEnabled: true }, { description: 'a' }), ['echo.sent-field']],
  ['a text beyond ASCII',               patched({ description: 'é🎉' }, { description: 'é🎉' }),               ['echo.sent-field', 'echo.unicode']],
  ['several tags',                      patched({ tags: ['a', 'b'] }, { tags: ['a', 'b'] }),                   ['echo.order-and-space', 'echo.sent-field']],
  ['one tag, in upper case',            patched({ tags: ['A'] }, { tags: ['A'] }),                             ['echo.order-and-space', 'echo.sent-field']],
  ['one tag',                           patched({ tags: ['a'] }, { tags: ['a'] }),                             ['echo.sent-field']],
  ['a field outside the shape',         patched({ teamID: 'a' }, { teamID: 'a' }),                             ['echo.outside-shape']],
  ['apps',                              patched({ targetApps: 'web' }, { targetApps: ['web'] }),               ['echo.target-apps']],
  ['a null that came back',             patched({ team: null }, { team: null }),                               ['echo.sent-field']],
  ['a list of one ordered item',        written('create-metric', { name: 'abc', type: 'sum', metricEvents: [{ name: 'a', type: 'count' }] }, { metricEvents: [{ name: 'a', type: 'count' }] }), ['echo.sent-field']],
  ['environments, in any order',        written('update-environments', named(dev, prod), named(prod, dev)),    ['echo.sent-field', 'state.environments-listed']],
  ['a member that is never compared',   patched({ reviewSettings: {} }, { reviewSettings: {} }),               []],
  ['a frame without a message',         patched({ description: 'a' }, {}, { value: { data: { description: 'a' } } }), []],
])('of what was sent, %s shows', (_what, given, covers) => {
  const { covers: found = [] } = echo.observe(givenAnswer(given), endpoints[given.endpoint ?? 'patch-gate']);
  expect([...found].sort()).toEqual(covers);
});

test('the order of a list whose order counts is shown by two items that differ', () => {
  const events = [
    { name: 'a', type: 'count' },
    { name: 'b', type: 'count' },
  ];
  const given = written(
    'create-metric',
    { name: 'abc', type: 'ratio', metricEvents: events },
    { metricEvents: events },
  );
  expect(echo.observe(givenAnswer(given), endpoints['create-metric']).covers).toContain('echo.ordered-lists');
});
