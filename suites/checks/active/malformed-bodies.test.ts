import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
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

test('members that only an answer has are sent in a dry run alone, each of another type', async () => {
  const withPermalink = ({ raw }: ApiRequest): boolean => text({ raw } as ApiRequest).includes('"permalink":5');
  const { sent } = await judgedBy(malformedBodies, 'create-metric');
  const [body] = sent.filter(withPermalink).map(request => JSON.parse(text(request)));
  expect(body).toMatchObject({ dryRun: true, id: 5, isHidden: 'conform', lineage: 'conform', createdTime: 'conform' });
  for (const endpoint of ['patch-gate', 'update-experiment', 'create-prompt-version'] as const)
    expect((await judgedBy(malformedBodies, endpoint)).sent.filter(withPermalink)).toEqual([]);
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

test('names of nothing are sent where they can be put back, or dry, and are no reason to fail', async () => {
  const gate = { id: 'gate_a', idType: 'userID', creatorEmail: 'ada@example.com' };
  const more = { discovered: { qualifyingEvents: new Map(), gates: new Map([['gate_a', gate]]) } };
  const nameless = ({ body }: ApiRequest): boolean => JSON.stringify(body ?? {}).includes('conform-test');
  const { sent } = await judgedBy(malformedBodies, 'patch-gate', right, more);
  const bodies = sent.flatMap(({ body, raw }) => (raw === undefined && body !== undefined ? [body] : []));
  expect(bodies.slice(0, 4)).toEqual([
    { idType: 'conform-test-none' },
    { idType: 'userID' },
    { creatorEmail: 'conform-test@example.invalid' },
    { creatorEmail: 'ada@example.com' },
  ]);
  const refusing = await judgedBy(malformedBodies, 'patch-gate', instead({ status: 422 }, nameless), more);
  expect(refusing.cited).toEqual([]);
  expect(refusing.sent.filter(({ body }) => JSON.stringify(body) === '{"idType":"userID"}')).toEqual([]);
  const failing = await judgedBy(malformedBodies, 'patch-gate', instead({ status: 500 }, nameless), more);
  expect(failing.cited).toEqual(['robust.never-5xx']);
  const dry = (await judgedBy(malformedBodies, 'update-qualifying-event')).sent.filter(nameless);
  expect(dry.length).toBeGreaterThan(1);
  expect(dry.every(({ body }) => (body as { dryRun?: boolean }).dryRun)).toBe(true);
  for (const endpoint of ['create-prompt-version', 'update-environments'] as const)
    expect((await judgedBy(malformedBodies, endpoint)).sent.filter(nameless)).toEqual([]);
});

test('names of nothing are sent to an experiment too, in fields that the template, a null or an empty list puts back', async () => {
  const isNameless = ({ body }: ApiRequest): boolean => JSON.stringify(body ?? {}).includes('conform-test');
  const { sent } = await judgedBy(malformedBodies, 'update-experiment');
  const fields = sent.filter(isNameless).flatMap(({ body }) => {
    const all = Object.entries(body as object);
    return all.flatMap(([field, value]) => (JSON.stringify(value).includes('conform-test') ? [field] : []));
  });
  expect(fields).toEqual(
    expect.arrayContaining(['idType', 'identityResolutionSource', 'targetingGateID', 'otherMetrics']),
  );
  expect(fields).not.toContain('groups');
  // Each was accepted here, so the next request puts it back.
  for (const [index, request] of sent.entries())
    if (isNameless(request)) expect(isNameless(sent[index + 1] as ApiRequest)).toBe(false);
  const crashing = instead({ status: 500 }, isNameless);
  expect((await judgedBy(malformedBodies, 'update-experiment', crashing)).cited).toEqual(['robust.never-5xx']);
});

test('a number that overflows is sent in a field of numbers, beside valid ones', async () => {
  const raw = async (endpoint: EndpointId) =>
    (await judgedBy(malformedBodies, endpoint)).sent.flatMap(({ raw: text }) =>
      String(text).includes('1e400') ? [String(text)] : [],
    );
  expect(await raw('create-prompt-version')).toEqual([expect.stringContaining('"temperature":1e400}')]);
  expect(await raw('update-experiment')).toEqual([expect.stringContaining('"allocation":1e400}')]);
  expect(await raw('patch-gate')).toEqual([expect.stringContaining('"conform_extra":1e400}')]);
});
