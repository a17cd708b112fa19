import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { accepts } from './accepts.ts';

const refused = { status: 400 };

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server, one entity',         'patch-gate',      right,                                                                    []],
  ['a right server, creations',          'create-metric',   right,                                                                    []],
  ['a right server, a list',             'list-segments',   right,                                                                    []],
  ['a bound that is one too strict',     'patch-gate',      instead(refused, (_request, { name }) => String(name).length === 100),    ['accept.stated-boundary']],
  ['an enum without one of its values',  'patch-gate',      instead(refused, (_request, { type }) => type === 'TEMPORARY'),           ['accept.stated-boundary']],
  ['a documented null refused',          'patch-gate',      instead(refused, (_request, { creatorID }) => creatorID === null),        ['accept.documented-null']],
  ['an optional field refused',          'patch-gate',      instead(refused, (_request, { idType }) => idType === 'userID'),            ['accept.plain-value']],
  ['an emoji refused',                   'patch-gate',      instead(refused, (_request, { description }) => /\p{Emoji_Presentation}/u.test(String(description))), ['accept.combination']],
  ['the minimal request refused',        'list-segments',   instead(refused),                                                         ['accept.smallest']],
  ['a page and a limit demanded',        'list-segments',   instead({ status: 422 }, ({ query }) => query?.limit === undefined),      ['accept.smallest']],
  ['a list that is refused for now',     'list-segments',   instead({ status: 422 }),                                                 []],
  ['no such route',                      'list-segments',   instead({ status: 404 }),                                                 ['service.route']],
  ['no such method',                     'patch-gate',      instead({ status: 405 }),                                                 ['service.route']],
  ['a fault of the server',              'list-segments',   instead({ status: 500 }),                                                 ['accept.smallest']],
  ['no answer in time',                  'list-segments',   instead({ failure: { kind: 'timeout', message: '' } }),                   ['robust.no-hang']],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(accepts, endpoint, wrong)).cited).toEqual(cited);
});

test.each([
  ['is not there', 404, 'gate_a was not found (status 404): is it named rightly in the target file?'],
  ['may not be touched', 403, 'the key was refused (status 403)'],
])('an entity that %s is a gap in the target file, not a finding', async (_what, status, because) => {
  const { cited, because: reasons } = await judgedBy(accepts, 'patch-gate', instead({ status }));
  expect(cited).toEqual([]);
  expect(reasons).toContain(because);
});

test('nothing is proved on top of a minimal request that is refused, which is sent once', async () => {
  const isMinimal = (body: object) => Object.keys(body).join() === 'description';
  const { because, cited, results } = await judgedBy(
    accepts,
    'patch-gate',
    instead({ status: 400 }, (_request, body) => isMinimal(body)),
  );
  expect(cited).toEqual(['accept.smallest']);
  expect(because).toEqual([
    'the minimal request of this endpoint was not accepted (status 400), so a single field proves nothing',
  ]);
  expect(results.filter(({ proved }) => proved)).toHaveLength(1);
});

test('where an operation works only once, its minimal request is the only case', async () => {
  expect((await judgedBy(accepts, 'archive-config')).results).toMatchObject([{ title: 'the minimal request' }]);
});

test('a gate is enabled before it is disabled, for its repetition need not work', async () => {
  const { sent } = await judgedBy(accepts, 'disable-gate');
  expect(sent.map(({ endpoint }) => endpoint)).toEqual(['patch-gate', 'disable-gate']);
});

test('a null that would take something away is sent where there is nothing to be taken', async () => {
  const isNone = (id: string | undefined, value: unknown): boolean => id === 'gate_b' && value === null;
  const writable: CheckContext['discovered']['writable'] = {
    entity: () => undefined,
    field: (_endpoint, id, field, value) => (field !== 'teamID' || isNone(id, value) ? undefined : 'no answer tells'),
    triesDry: () => false,
  };
  const more = { discovered: { qualifyingEvents: new Map(), writable } };
  const titles = ['teamID: documented null where there is none'];
  const { sent, cited } = await judgedBy(accepts, 'patch-gate', right, more, titles);
  expect(cited).toEqual([]);
  const nulls = sent.filter(({ body }) => JSON.stringify(body) === '{"teamID":null}');
  expect(nulls.map(({ param }) => param)).toEqual(['gate_b']);
  const refusing = instead(refused, (_request, body) => body.teamID === null);
  expect((await judgedBy(accepts, 'patch-gate', refusing, more, titles)).cited).toEqual(['accept.documented-null']);
});
