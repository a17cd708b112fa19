import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { urlText } from '../../../contracts/url-text.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { spellings } from './spellings.ts';

/** The body as it is written on the wire. */
const written = ({ spelling, body }: ApiRequest): string =>
  spelling?.write?.(body ?? null) ?? JSON.stringify(body ?? null);
const headersOf = ({ headers, spelling }: ApiRequest): readonly string[] =>
  ['accept', ...Object.keys(headers ?? {})].map(spelling?.header ?? (name => name));

const refuses =
  (status: number, when: (request: ApiRequest) => boolean): Wrong =>
  model =>
  (request, body) =>
    when(request) ? { status, value: { message: 'No.' } } : model(request, body);
/** Works on a changed body if the text meets a condition. */
const reads =
  (when: (text: string) => boolean, change: (body: JsonObject) => JsonObject): Wrong =>
  model =>
  (request, body) =>
    model(request, body !== undefined && when(written(request)) ? change(membersOf(body) as JsonObject) : body);
/** Compares names with what stands in the path, which may be percent-encoded. */
const undecoded = refuses(
  404,
  ({ param = '', spelling }) => spelling?.encodesMore !== undefined || urlText(param) !== param,
);
const without = ({ description: _, ...rest }: JsonObject): JsonObject => rest;

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                           'patch-gate',        right,                                                          []],
  ['a right server, a list',                   'list-segments',     right,                                                          []],
  ['a right server, creations',                'create-prompt-version', right,                                                      []],
  ['white space refused',                      'patch-gate',        refuses(400, request => /^\s/.test(written(request))),          ['robust.same-json']],
  ['a line break after the end refused',       'create-metric',     refuses(400, request => written(request).endsWith('\n')),       ['robust.same-json']],
  ['escapes refused',                          'update-experiment', refuses(422, request => written(request).includes('\\u0')),     ['robust.same-json']],
  ['escaped names not known',                  'patch-gate',        reads(text => text.includes('\\u0'), without),                  ['robust.same-json']],
  ['pairs of escapes read as two characters',  'patch-gate',        reads(text => /\\ud[89ab]../i.test(text), body => ({ ...body, description: '??' })), ['robust.same-json']],
  ['a sign beyond the basic plane refused',    'patch-gate',        refuses(400, request => /\p{Extended_Pictographic}|\\ud[89ab]/iu.test(written(request))), []],
  ['a member lost in another order',           'patch-gate',        reads(text => !/^\s*\{\s*"description"/.test(text), without),   ['robust.same-json']],
  ['a path that is not decoded',               'patch-gate',        undecoded,                                                      ['robust.same-path']],
  ['a path that is not decoded, of a list',    'list-config-versions', undecoded,                                                   ['robust.same-path']],
  ['a path with hexadecimal digits in one letter case', 'disable-gate', refuses(404, ({ spelling }) => spelling?.encodesMore === 'lower'), ['robust.same-path']],
  ['a path that is not decoded, creations',    'create-prompt-version', undecoded,                                                  []],
  ['chunks refused without a word',            'patch-gate',        refuses(400, ({ spelling }) => spelling?.chunked === true),     ['robust.chunked']],
  ['chunks read as nothing',                   'patch-gate',        model => (request, body) => model(request, request.spelling?.chunked === true ? {} : body), ['robust.chunked']],
  ['a length asked for',                       'patch-gate',        refuses(411, ({ spelling }) => spelling?.chunked === true),     []],
  ['header names in one letter case',          'list-segments',     refuses(401, request => headersOf(request).some(name => name === name.toUpperCase())), ['robust.same-headers']],
  ['no answer without `Accept`',               'list-segments',     refuses(406, ({ spelling }) => spelling?.noAccept === true),    ['robust.same-headers']],
  ['no answer to `*/*`',                       'list-segments',     refuses(406, ({ headers }) => headers?.accept === '*/*'),       ['robust.same-headers']],
  ['an answer that cannot be unpacked',        'list-segments',     model => (request, body) => (request.headers?.['Accept-Encoding'] === 'gzip' ? { status: 200 } : model(request, body)), ['robust.same-headers']],
  ['numbers in digits alone',                  'update-experiment', refuses(400, request => /\d\.0\b|e\+\d/.test(written(request))),  []],
  ['an exponent cut off',                      'update-experiment', reads(text => /e\+\d/.test(text), body => ({ ...body, allocation: 5 })), ['robust.same-number']],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(spellings, endpoint, wrong)).cited).toEqual(cited);
});

test('a right server is sent two requests, or one where each leaves something', async () => {
  expect((await judgedBy(spellings, 'list-segments')).sent).toHaveLength(2);
  expect((await judgedBy(spellings, 'create-prompt-version')).sent).toHaveLength(1);
});

test('where a path is not decoded, a fixture whose id needs encoding cannot be named', async () => {
  const { target } = contextOf('patch-gate');
  const odd = { target: { ...target, fixtures: { ...target.fixtures, gates: ['gate_a', 'gate b'] } } };
  expect((await judgedBy(spellings, 'patch-gate', undecoded, odd)).cited).toEqual([
    'robust.same-path',
    'service.route',
  ]);
});

test('where the same request is refused in its usual spelling too, nothing is proved', async () => {
  const { cited, because } = await judgedBy(
    spellings,
    'patch-gate',
    refuses(403, () => true),
  );
  expect(cited).toEqual([]);
  expect(because[0]).toContain('was not accepted either (status 403: "No.")');
});
