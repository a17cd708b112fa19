import { expect, test } from 'vitest';
import { endpoints } from '../../../contracts/endpoints.ts';
import { type Given, givenAnswer, observed } from '../../proof/testing/answers.ts';
import { refusals } from './refusals.ts';

const page: Given['body'] = { kind: 'broken', why: 'is no JSON', text: '<html>' };

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['a JSON refusal',                      { status: 400, value: { message: 'No.' } },                          []],
  ['an empty refusal',                    { status: 400 },                                                     []],
  ['a success',                           { status: 200, body: page },                                         'not judged'],
  ['no answer',                           { failure: { kind: 'timeout', message: '' } },                       'not judged'],
  ['a page',                              { status: 400, body: page },                                         ['reject.body-json body']],
  ['a page after a fault of the server',  { status: 500, body: page },                                         ['reject.body-json body']],
  ['a page before the API is asked',      { status: 413, body: page },                                         ['robust.error-json-elsewhere body']],
  ['a page on another path',              { status: 404, body: page, request: { rawPath: '/x' } },             ['robust.error-json-elsewhere body']],
  ['a page on another method',            { status: 404, body: page, request: { method: 'DELETE' } },          ['robust.error-json-elsewhere body']],
  ['a page on a GET with a body',         { status: 400, body: page, request: { method: 'GET', body: '{}' } }, ['robust.error-json-elsewhere body']],
  ['a body after HEAD, which has none',   { status: 404, body: page, request: { method: 'HEAD' } },            []],
])('%s', (_what, given, found) => {
  expect(observed(refusals, given)).toEqual(found);
});

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, covers: readonly string[]]>([
  ['one with a JSON body',               { status: 400, value: {} },                              ['reject.body-json']],
  ['one with a JSON body on another path', { status: 404, value: {}, request: { rawPath: '/x' } }, ['robust.error-json-elsewhere']],
  ['one without a body',                 { status: 400 },                                         []],
])('of a refusal, %s shows', (_what, given, covers) => {
  expect(refusals.observe(givenAnswer(given), endpoints['patch-gate']).covers).toEqual(covers);
});
