import { expect, test } from 'vitest';
import { type Given, observed } from '../../proof/testing/answers.ts';
import { message } from './message.ts';

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, found: readonly string[] | 'not judged']>([
  ['the documented text',        { value: { message: 'Gate updated successfully.', data: {} } },                                  []],
  ['a text without its stop',    { value: { message: 'Gate updated successfully' } },                                   ['message.patch-gate /message']],
  ['the text of another',        { endpoint: 'create-metric', value: { message: 'Gate updated successfully.' } },       ['message.create-metric /message']],
  ['an empty text',              { value: { message: '' } },                                                            ['message.patch-gate /message']],
  ['a message that is no text',  { value: { message: 1 } },                                                             'not judged'],
  ['no object',                  { value: [] },                                                                         'not judged'],
  ['the documented text in a broken frame', { value: { message: 'Gate updated successfully.' } },                       'not judged'],
  ['a refusal',                  { status: 400, value: { message: 'No.' } },                                            'not judged'],
  ['an answer to a dry run',     { endpoint: 'create-metric', sent: { dryRun: true }, value: { message: 'Tried.' } },   'not judged'],
  ['an answer to a dry run sent as it is', { endpoint: 'create-metric', request: { raw: '{"dryRun":true,}' }, value: { message: 'Tried.' } }, 'not judged'],
  ['an answer to another path',  { value: { message: 'No.' }, request: { rawPath: '/x' } },                             'not judged'],
])('%s', (_what, given, found) => {
  expect(observed(message, given)).toEqual(found);
});
