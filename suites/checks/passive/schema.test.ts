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
  ['another type after a broken body', gate({ isEnabled: 'yes' }, broken),         ['reject.well-typed-if-accepted /data/isEnabled']],
  ['nothing wrong after a broken body', gate({}, broken),                          []],
  ['another message',                  { value: { message: 'Done.', data: samples.gate } }, []],
  ['no object',                        { value: [] },                              []],
  ['an empty body',                    {},                                         'not judged'],
  ['a refusal',                        gate({ id: undefined }, { status: 400 }),   'not judged'],
])('%s', (_what, given, found) => {
  expect(observed(schema, given)).toEqual(found);
});

const coveredBy = (given: Given) => [...(schema.observe(givenAnswer(given), endpoints['patch-gate']).covers ?? [])];

test('an answer covers the fields that it has, and no others', () => {
  const covers = coveredBy({ value: { data: { id: 'gate_a', isEnabled: true } } });
  expect(covers).toEqual(expect.arrayContaining(['presence.must', 'gate.id', 'gate.isEnabled']));
  expect(covers).not.toContain('gate.name');
  expect(covers).not.toContain('reject.well-typed-if-accepted');
});

test('the answer to a broken body covers that it must be well typed all the same', () => {
  expect(coveredBy(gate({}, broken))).toContain('reject.well-typed-if-accepted');
});
