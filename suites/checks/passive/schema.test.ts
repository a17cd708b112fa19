import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import { samples } from '../../../contracts/resources/samples.fixture.ts';
import { type Given, givenAnswer, observed } from '../../proof/testing/answers.ts';
import { schema } from './schema.ts';

const gate = (changes: object, more: Given = {}): Given => ({
  value: { message: 'Gate updated successfully.', data: { ...samples.gate, ...changes } },
  ...more,
});
const broken = { sent: { isEnabled: 'yes' } };

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['an answer as documented',          gate({}),                                   []],
  ['a member beyond the documents',    gate({ more: 1 }),                          []],
  ['a boolean as a number',            gate({ isEnabled: 1 }),                     ['gate.isEnabled /data/isEnabled']],
  ['a number as a text',               gate({ version: '3' }),                     ['gate.version /data/version']],
  ['a null that is not documented',    gate({ description: null }),                ['gate.description /data/description']],
  ['a null that is',                   gate({ creatorID: null }),                  []],
  ['a value outside a closed set',     gate({ type: 'permanent' }),                ['gate.type /data/type']],
  ['an item of another type',          gate({ holdoutIDs: ['a', 1] }),             ['gate.holdoutIDs /data/holdoutIDs/1']],
  ['no identity',                      gate({ id: undefined }),                    ['presence.must /data/id']],
  ['no identity of a dry run',         { endpoint: 'create-metric', sent: { name: 'abc', type: 'sum', dryRun: true }, value: { message: '', data: { name: 'abc', type: 'sum' } } }, []],
  ['no identity of a creation',        { endpoint: 'create-metric', sent: { name: 'abc', type: 'sum' }, value: { message: '', data: { name: 'abc', type: 'sum' } } }, ['presence.must /data/id']],
  ['no identity, where no dry run is stated', gate({ id: undefined }, { sent: { dryRun: true } }), ['presence.must /data/id']],
  ['another type after a broken body', gate({ isEnabled: 'yes' }, broken),         ['reject.well-typed-if-accepted /data/isEnabled']],
  ['nothing wrong after a broken body', gate({}, broken),                          []],
  ['a wrong type kept where requests alone have the field', gate({ teamID: 7 }, { sent: { teamID: 7 } }), ['reject.well-typed-if-accepted /data/teamID']],
  ['within such a field',              { endpoint: 'create-metric', sent: { name: 'abc', type: 'sum', warehouseNative: { cap: '1' } }, value: { message: '', data: { id: 'abc::sum', name: 'abc', type: 'sum', warehouseNative: { cap: '1' } } } }, ['reject.well-typed-if-accepted /data/warehouseNative/cap']],
  ['a field of requests that is shown otherwise than it was sent', gate({ teamID: null }, { sent: { teamID: 7 } }), []],
  ['a field of requests that nobody sent', gate({ teamID: 7 }),                    []],
  ['another message',                  { value: { message: 'Done.', data: samples.gate } }, []],
  ['no object',                        { value: [] },                              'not judged'],
  ['an empty body',                    {},                                         'not judged'],
  ['a refusal',                        gate({ id: undefined }, { status: 400 }),   'not judged'],
])('%s', (_what, given, found) => {
  expect(observed(schema, given)).toEqual(found);
});

const coveredBy = (given: Given) => [...(schema.observe(givenAnswer(given), endpoints['patch-gate']).covers ?? [])];

test('an answer covers the fields that it has, and no others', () => {
  const covers = coveredBy({ value: { message: '', data: { id: 'gate_a', isEnabled: true } } });
  expect(covers).toEqual(expect.arrayContaining(['presence.must', 'gate.id', 'gate.isEnabled']));
  expect(covers).not.toContain('gate.name');
  expect(covers).not.toContain('reject.well-typed-if-accepted');
});

test('the answer to a broken body covers that it must be well typed all the same', () => {
  expect(coveredBy(gate({}, broken))).toContain('reject.well-typed-if-accepted');
});

test('an answer with a broken frame covers nothing, and is accused of what is wrong in it all the same', () => {
  expect(coveredBy({ value: { data: samples.gate } })).toEqual([]);
  expect(observed(schema, { value: { data: samples.gate } })).toBe('not judged');
  expect(observed(schema, { value: { data: { ...samples.gate, isEnabled: 1 } } })).toEqual([
    'gate.isEnabled /data/isEnabled',
  ]);
});

test('an empty list shows its pagination and nothing of its items, and says what would', () => {
  const pagination = { itemsPerPage: 10, pageNumber: 1, totalItems: 0, nextPage: null, previousPage: null, all: '' };
  const given = { endpoint: 'list-segments', value: { message: '', data: [], pagination } } as const;
  const { covers = [], notExercised } = schema.observe(givenAnswer(given), endpoints['list-segments']);
  expect([...covers].filter(id => !id.startsWith('pagination.'))).toEqual(['presence.must']);
  expect(notExercised).toMatchObject([{ remedy: 'add a segment that GET /console/v1/segments lists' }]);
  expect(notExercised?.[0]?.requirements).toEqual(expect.arrayContaining(['segment.id', 'segment.count']));
});
