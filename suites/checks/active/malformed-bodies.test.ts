import { expect, test } from 'vitest';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { malformedBodies } from './malformed-bodies.ts';

const text = ({ raw }: ApiRequest): string => String(raw ?? '');
const isMinimal = ({ raw }: ApiRequest): boolean => raw === undefined;

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                        right,                                                                              []],
  ['a lenient parser',                      instead({ status: 200 }, request => text(request).startsWith('/* */')),             ['robust.malformed-json']],
  ['a form read as JSON',                   instead({ status: 200 }, request => text(request).startsWith('description=')),      ['robust.malformed-json']],
  ['an unguarded JSON.parse',               instead({ status: 500 }, request => text(request) === '{'),                         ['robust.never-5xx']],
  ['a recursion without a bound',           instead({ failure: { kind: 'dropped', message: '' } }, request => text(request).startsWith('[[[[')), ['robust.no-drop']],
  ['a body that is never answered',         instead({ failure: { kind: 'timeout', message: '' } }, request => text(request) === ''  && request.raw === ''), ['robust.no-hang']],
  ['a content type that brings it down',    instead({ status: 500 }, ({ contentType }) => contentType === ';;;'),               ['robust.never-5xx']],
  ['a worker that does not come back',      instead({ status: 503 }, isMinimal),                                                ['robust.alive-after']],
  ['a minimal request refused afterwards',  instead({ status: 400 }, isMinimal),                                                []],
  ['odd but valid JSON refused',            instead({ status: 400 }, request => text(request).includes('conform_extra')),       []],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(malformedBodies, 'patch-gate', wrong)).cited).toEqual(cited);
});

test('where an operation works only once, nothing is sent that could be taken', async () => {
  const { sent } = await judgedBy(malformedBodies, 'archive-config');
  expect(sent.length).toBeGreaterThan(5);
  for (const request of sent) expect(() => JSON.parse(text(request))).toThrow();
});

test('what is open is noted', async () => {
  const { sent } = await judgedBy(malformedBodies, 'patch-gate');
  const asked = new Set(sent.flatMap(({ asks }) => asks?.requirement ?? []));
  expect(asked).toEqual(
    new Set([
      'open.empty-body',
      'open.extra-request-fields',
      'open.undocumented-characters',
      'open.other-content-type',
    ]),
  );
});
