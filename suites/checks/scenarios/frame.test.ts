import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { frame } from './frame.ts';

/** Changes what a patch carries before it is stored. */
const storing =
  (change: (body: JsonObject) => JsonObject): Wrong =>
  model =>
  (request, body) =>
    model(request, request.endpoint === 'patch-gate' ? change(body as JsonObject) : body);
const isRead = (body: JsonObject): boolean => Object.keys(body).length === 0;
/** Turns a flag round with each patch that carries nothing. */
const turning: Wrong = model => {
  let flag = false;
  return (request, body) => {
    if (request.endpoint !== 'patch-gate' || !isRead(body as JsonObject)) return model(request, body);
    flag = !flag;
    return model(request, { measureMetricLifts: flag });
  };
};
const without = (body: JsonObject, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                            right,                                                                                  []],
  ['what follows from a write by itself',       storing(body => (isRead(body) ? body : { ...body, lastModifiedTime: 2, version: 9, status: 'Launched' })), []],
  ['a partial update that resets the rest',     storing(body => (isRead(body) ? body : { tags: [], ...body })),                         ['state.patch-only-sent']],
  ['two fields that move together',             storing(body => ('isEnabled' in body ? { ...body, measureMetricLifts: body.isEnabled as boolean } : body)), ['state.patch-every-sent', 'state.patch-only-sent']],
  ['a field that is not stored',                storing(body => without(body, 'description')),                                          ['state.patch-every-sent']],
  ['a field that is stored otherwise',          storing(body => ('name' in body ? { ...body, name: String(body.name).slice(0, 50) } : body)), ['state.patch-every-sent']],
  ['a field that goes once another is sent',    storing(body => ('isEnabled' in body ? { ...body, description: '' } : body)),              ['state.patch-every-sent', 'state.patch-only-sent']],
  ['a field that is lost beside another',       storing(body => ('type' in body && 'tags' in body ? without(body, 'tags') : body)),        ['state.patch-every-sent']],
  ['an empty patch that is refused',            instead({ status: 400 }, (_request, body) => isRead(body)),                             ['state.patch-empty-reads']],
  ['an empty patch that ends in a 500',         instead({ status: 500 }, (_request, body) => isRead(body)),                             ['robust.never-5xx']],
  ['an empty patch that is never answered',     instead({ failure: { kind: 'timeout', message: 'none' } }, (_request, body) => isRead(body)), ['robust.no-hang']],
  ['an empty patch that writes',                turning,                                                                                ['state.patch-only-sent']],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(frame, 'patch-gate', wrong)).cited).toEqual(cited);
});

test('the name of a creator may follow its id', async () => {
  const following = storing(body =>
    'creatorID' in body ? { ...body, creatorEmail: `${body.creatorID}@example.com` } : body,
  );
  expect((await judgedBy(frame, 'patch-gate', following)).cited).toEqual([]);
});

test('a field that is shown until it is sent is missed', async () => {
  let sent = false;
  const hiding: Wrong = model => (request, body) => {
    sent ||= Object.hasOwn(body as JsonObject, 'description');
    const shown = (gate: JsonObject) => (sent ? without(gate, 'description') : gate);
    return answering('patch-gate', shown)(model)(request, body);
  };
  const { results } = await judgedBy(frame, 'patch-gate', hiding);
  expect(results.flatMap(({ violations }) => violations)).toContainEqual(
    expect.objectContaining({
      requirement: 'state.patch-every-sent',
      pointer: '/data/description',
      actual: 'nothing (the member is absent)',
    }),
  );
});

test('where a gate cannot be read, or a patch is refused, nothing is proved', async () => {
  const { because, cited } = await judgedBy(frame, 'patch-gate', instead({ status: 403 }));
  expect(cited).toEqual(['state.patch-empty-reads']);
  expect(because).toEqual(['the gate could not be read back (status 403)']);
  const refused = await judgedBy(
    frame,
    'patch-gate',
    instead({ status: 400 }, (_request, body) => !isRead(body)),
  );
  expect(refused.because).toEqual(['the patch was refused (status 400)', 'each of its fields was refused alone']);
});

test('a field that is refused is taken out of the company of the others', async () => {
  const withoutTags = instead({ status: 400 }, (_request, body) => 'tags' in body);
  const { results, cited, sent } = await judgedBy(frame, 'patch-gate', withoutTags);
  expect(cited).toEqual([]);
  expect(results.filter(({ proved }) => !proved).map(({ title }) => title)).toEqual(['tags: no item']);
  expect(sent.filter(({ body }) => Object.hasOwn(body as JsonObject, 'tags')).length).toBeLessThan(16);
});

test('each field is sent with two values, and as nothing, in company and without', async () => {
  const { sent } = await judgedBy(frame, 'patch-gate');
  const bodies = sent.flatMap(({ body }) => (Object.keys(body as JsonObject).length > 0 ? [body as JsonObject] : []));
  const valuesOf = (field: string) => new Set(bodies.map(body => JSON.stringify(body[field])));
  expect(valuesOf('isEnabled')).toEqual(new Set([undefined, 'true', 'false']));
  expect(valuesOf('type')).toEqual(new Set([undefined, '"PERMANENT"', '"TEMPORARY"']));
  expect(valuesOf('tags')).toContain('[]');
  expect(valuesOf('tags').size).toBeGreaterThan(2);
  expect(valuesOf('description')).toContain('""');
});
