import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import { type Given, givenAnswer, observed } from '../../proof/testing/answers.ts';
import { envelope } from './envelope.ts';

const gate = { message: 'Gate updated successfully.', data: { id: 'gate_a', isEnabled: true } };
const list = { message: '', data: [], pagination: {} };
const noJson: Given['body'] = { kind: 'broken', why: 'is no JSON', text: 'x' };

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['a right answer',                       { value: gate },                                              []],
  ['a right list',                         { endpoint: 'list-segments', value: list },                   []],
  ['another 2xx where 200 is not stated',  { endpoint: 'disable-gate', status: 201, value: gate },       []],
  ['JSON of a type of its own',            { value: gate, headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' } }, []],
  ['a refusal',                            { status: 400, value: {} },                                   'not judged'],
  ['an answer to another method',          { value: [], request: { method: 'HEAD' } },                   'not judged'],
  ['another 2xx where 200 is stated',      { status: 201, value: gate },                                 ['envelope.status-200 status']],
  ['no body where 200 is stated',          { status: 204 },                                              ['envelope.status-200 status', 'envelope.json body']],
  ['no body after 204',                    { endpoint: 'disable-gate', status: 204 },                    ['envelope.success-2xx body']],
  ['no body after 200',                    { endpoint: 'disable-gate' },                                 ['envelope.json body']],
  ['a body that is no JSON',               { endpoint: 'disable-gate', body: noJson },                   ['envelope.json body']],
  ['no content type',                      { value: gate, headers: {} },                                 ['envelope.content-type header content-type']],
  ['another content type',                 { value: gate, headers: { 'content-type': 'application/jsonp' } }, ['envelope.content-type header content-type']],
  ['a bare array',                         { endpoint: 'list-segments', value: [] },                     ['envelope.object ']],
  ['null',                                 { value: null },                                              ['envelope.object ']],
  ['no message',                           { value: { data: {} } },                                      ['envelope.message /message']],
  ['a message that is no text',            { value: { ...gate, message: 1 } },                           ['envelope.message /message']],
  ['no data',                              { value: { message: '' } },                                   ['envelope.data /data']],
  ['a list where one entity belongs',      { value: { message: '', data: [] } },                         ['envelope.data-shape /data']],
  ['data that is null',                    { value: { message: '', data: null } },                       ['envelope.data-shape /data']],
  ['one entity where a list belongs',      { endpoint: 'list-segments', value: { ...list, data: {} } },  ['envelope.data-shape /data']],
  ['no pagination',                        { endpoint: 'list-segments', value: { message: '', data: [] } }, ['envelope.pagination /pagination']],
  ['pagination that is a list',            { endpoint: 'list-segments', value: { ...list, pagination: [] } }, ['envelope.pagination /pagination']],
])('%s', (_what, given, found) => {
  expect(observed(envelope, given)).toEqual(found);
});

test('one broken part shows nothing of the others', () => {
  const covers = (value: unknown) => envelope.observe(givenAnswer({ value }), endpoints['patch-gate']).covers;
  expect(covers({ message: '', data: {} })).toEqual(envelope.requirements(endpoints['patch-gate'], 'patch-gate'));
  for (const value of [{}, { data: {} }, { message: '' }, { message: '', data: [] }, null])
    expect(covers(value)).toEqual([]);
});
