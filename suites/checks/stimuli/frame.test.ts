import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { frame } from './frame.ts';

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
// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                            right,                                                                                  []],
  ['an empty patch that is refused',            instead({ status: 400 }, (_request, body) => isRead(body)),                             ['state.patch-empty-reads']],
  ['an empty patch that ends in a 500',         instead({ status: 500 }, (_request, body) => isRead(body)),                             ['robust.never-5xx']],
  ['an empty patch that is never answered',     instead({ failure: { kind: 'timeout', message: 'none' } }, (_request, body) => isRead(body)), ['robust.no-hang']],
  ['an empty patch that writes',                turning,                                                                                ['state.patch-only-sent']],
])('%s', async (_what, wrong, cited) => {
  expect((await judgedBy(frame, 'patch-gate', wrong)).cited).toEqual(cited);
});

/** Answers each reading of a number, after a patch of the description, by what there was before. */
const frozen =
  (every: number): Wrong =>
  model => {
    let [number, old, now]: [number, Json | undefined, Json | undefined] = [0, undefined, undefined];
    return (request, body) => {
      const { description } = (body ?? {}) as JsonObject;
      if (description !== undefined) [number, old, now] = [0, now, description];
      if (!isRead(body as JsonObject) || now === undefined) return model(request, body);
      number += 1;
      const change = (gate: JsonObject) => (number % every === 0 ? { ...gate, description: old ?? '' } : gate);
      return answering('patch-gate', change)(model)(request, body);
    };
  };

test.each([1, 2, 3, 5])(
  'each reading of %i that is answered by a replica which never catches up is met',
  async every => {
    const often = ['a patch, then the gate again and again'];
    const { suspected } = await judgedBy(frame, 'patch-gate', frozen(every), {}, often);
    expect(suspected).toContain('state.patch-every-sent /data/description');
  },
);

test('where a gate cannot be read, or a patch is refused, nothing is proved', async () => {
  const { because, cited } = await judgedBy(frame, 'patch-gate', instead({ status: 403 }));
  expect(cited).toEqual(['state.patch-empty-reads']);
  expect(because).toEqual(['the patch was refused (status 403)', 'each of its fields was refused alone']);
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
