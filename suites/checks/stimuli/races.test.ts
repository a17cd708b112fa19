import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, type JsonObject, membersOf } from '../../../contracts/json.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, type Model, right, type Wrong } from '../../proof/testing/model.ts';
import { races } from './races.ts';

const amounts = { fuzz: 1, enumerated: 1, walks: 1, creations: 1, races: 5 };

const isWrite = ({ endpoint, body }: { endpoint: EndpointId; body?: unknown }): boolean =>
  ['patch-gate', 'disable-gate', 'update-qualifying-event'].includes(endpoint) && JSON.stringify(body) !== '{}';

/** Treats a write right after another one differently: only races send two without a read in between. */
const second =
  (instead: (model: Model, ...given: Parameters<Model>) => ReturnType<Model>): Wrong =>
  model => {
    let before = false;
    return (request, body) => {
      const isSecond = before && isWrite(request);
      before = isWrite(request) && !isSecond;
      return isSecond ? instead(model, request, body) : model(request, body);
    };
  };

/** Answers as if the write had been stored. */
const lost = second((model, request, body) => {
  const read = request.endpoint === 'disable-gate' ? { ...request, endpoint: 'patch-gate' as const } : request;
  const dry = request.endpoint === 'update-qualifying-event';
  if (dry) return model(request, { ...(body as JsonObject), dryRun: true });
  const given = model({ ...read, body: {} }, {});
  const { data } = given.value as { data: JsonObject };
  const changes = request.endpoint === 'disable-gate' ? { isEnabled: false } : (body as JsonObject);
  return { ...given, value: { ...(given.value as JsonObject), data: { ...data, ...changes } } };
});
const conflict = second(() => ({ status: 409, value: { message: 'Somebody else is writing.' } }));
const storedConflict = second((model, request, body) => {
  model(request, body);
  return { status: 409, value: { message: 'Somebody else is writing.' } };
});
const fails = second(() => ({ status: 500, value: { message: 'Deadlock.' } }));
const torn: Wrong = model => (request, body) => {
  const { description } = (body ?? {}) as JsonObject;
  return typeof description === 'string' && description.includes('x. conform_')
    ? model(request, { ...(body as JsonObject), description: description.slice(0, 30) })
    : model(request, body);
};
const alike = answering('list-segments', data => (data as unknown as unknown[]).slice(0, 2));

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a right server',                              'patch-gate',              right,          []],
  ['a right server that is disabled',             'disable-gate',            right,          []],
  ['a right server of sources',                   'update-qualifying-event', right,          []],
  ['a right server of experiments',               'update-experiment',       right,          []],
  ['a right server that enables groups',          'enable-groups',           right,          []],
  ['a right server of environments',              'update-environments',     right,          []],
  ['a right list with stated pages',              'list-segments',           right,          []],
  ['a list that shows little of each page',       'list-segments',           alike,          []],
  ['a server that refuses the second with 409',   'patch-gate',              conflict,       []],
  ['the same of a disable',                        'disable-gate',            conflict,       []],
  ['the same of sources',                         'update-qualifying-event', conflict,       []],
  ['the second patch lost',                       'patch-gate',              lost,           ['state.concurrent-fields']],
  ['a patch beside a disable lost',               'disable-gate',            lost,           ['state.concurrent-fields']],
  ['the refused one stored',                      'patch-gate',              storedConflict, ['reject.no-trace']],
  ['the refused one of two updates stored',       'update-qualifying-event', storedConflict, ['reject.no-trace']],
  ['the second of two fails',                     'patch-gate',              fails,          ['robust.never-5xx']],
  ['half of a description',                       'patch-gate',              torn,           ['state.concurrent-fields', 'state.concurrent-values']],
  ['half of the description of a source',         'update-qualifying-event', torn,           ['state.concurrent-values']],
])('%s', async (_what, endpoint, wrong, cited) => {
  const judged = await judgedBy(races, endpoint, wrong, { amounts });
  const atOnce = judged.told.filter(one => cited.includes(one) || cited.length === 0);
  expect(atOnce).toEqual(cited);
});

/** Gives each item a number that no answer repeats. */
const numbered: Wrong = model => {
  let number = 0;
  return (request, body) => {
    const given = model(request, body);
    const value = given.value as JsonObject;
    if (!Array.isArray(value.data)) return given;
    number += 1;
    return { ...given, value: { ...value, data: value.data.map(item => ({ ...(item as JsonObject), number })) } };
  };
};
/** Names the members of every third answer in the opposite order. */
const turning: Wrong = model => {
  let reads = 0;
  const turned = (value: unknown): unknown =>
    Array.isArray(value) || !isObject(value) ? value : Object.fromEntries(Object.entries(value).toReversed());
  return (request, body) => {
    reads += 1;
    const given = model(request, body);
    const { data } = membersOf(given.value);
    if (reads % 3 !== 0 || !Array.isArray(data)) return given;
    return { ...given, value: { ...(given.value as JsonObject), data: data.map(turned) } };
  };
};
/** Shows with each reading one more item than before, the newest first. */
const growing: Wrong = model => {
  let reads = 0;
  return (request, body) => {
    const given = model(request, body);
    const { data, pagination } = membersOf(given.value);
    if (!Array.isArray(data) || request.endpoint === 'list-segments') return given;
    reads += 1;
    const more = Array.from({ length: reads }, (_item, index) => ({ ...(data[0] as JsonObject), value: `n${index}` }));
    return { ...given, value: { ...(given.value as JsonObject), data: [...more.toReversed(), ...data], pagination } };
  };
};
/** Refuses the first of every five reads. */
const busy: Wrong = model => {
  let reads = 0;
  return (request, body) => {
    reads += 1;
    return reads % 5 === 1 ? { status: 429, value: { message: 'One moment.' } } : model(request, body);
  };
};

/** Answers every read of segments as the first. */
const alwaysTheFirst: Wrong = model => {
  let first: ReturnType<Model> | undefined;
  return (request, body) => {
    const given = model(request, body);
    if (request.endpoint !== 'list-segments') return given;
    first ??= given;
    return first;
  };
};

/** Shows no more than two segments on a page, and the last page instead of one past the end. */
const short: Wrong = model => (request, body) => {
  const { page, limit } = { page: 1, limit: 2, ...request.query };
  return request.endpoint === 'list-segments'
    ? model({ ...request, query: { page: Math.min(Number(page), 2), limit: Math.min(Number(limit), 2) } }, body)
    : model(request, body);
};

test.each([
  ['list-segments', 'ignore their parameters', alwaysTheFirst],
  ['list-segments', 'have short pages', short],
  ['list-event-metrics', 'show the same under each event', right],
] as const)('%s: reads that %s cannot be told apart, and are no list that moves', async (endpoint, _what, wrong) => {
  for (const each of [amounts, { ...amounts, races: 1 }]) {
    const { target } = contextOf(endpoint);
    const two = { ...target, fixtures: { ...target.fixtures, events: ['page_view', 'add_to_cart'] } };
    const { told, results, because } = await judgedBy(races, endpoint, wrong, { amounts: each, target: two });
    expect(told).toEqual([]);
    expect(because).toEqual([]);
    if (wrong === alwaysTheFirst)
      expect(results.flatMap(({ covers = [] }) => [...covers])).not.toContain('state.concurrent-reads');
  }
});

/** Shows metrics under one event only; the read of them while others are under way is behind, and shows none. */
const behind: Wrong = model => {
  let reads = 0;
  return answering('list-event-metrics', (data, { param }) => {
    if (param === 'add_to_cart') return [];
    reads += 1;
    return reads === 2 ? [] : data;
  })(model);
};

test('a list that is behind is not taken for one that is empty', async () => {
  const { target } = contextOf('list-event-metrics');
  const two = { ...target, fixtures: { ...target.fixtures, events: ['page_view', 'add_to_cart'] } };
  const { told } = await judgedBy(races, 'list-event-metrics', behind, { amounts, target: two });
  expect(told).toEqual([]);
});

test.each<readonly [EndpointId, what: string, Wrong]>([
  ['list-events', 'members of no schema', numbered],
  ['list-config-versions', 'members of no schema', numbered],
  ['list-config-versions', 'the order of members', turning],
  ['list-events', 'items that others added', growing],
  ['list-events', 'refusals between', busy],
])('%s: answers that differ in %s do not keep its reads from being judged', async (endpoint, _what, wrong) => {
  const { because, told } = await judgedBy(races, endpoint, wrong, { amounts });
  expect(because.filter(one => one.includes('moves'))).toEqual([]);
  expect(told).toEqual([]);
});

test.each<readonly [known: readonly string[], sent: string]>([
  [['tags', 'type'], 'tags'],
  [['name'], 'isEnabled'],
])('a gate of which answers show %j is disabled beside a patch of %s', async (known, field) => {
  const { target } = contextOf('disable-gate');
  const withheld = (name: string) => (known.includes(name) ? undefined : 'no answer tells what it is now');
  const more = { amounts: { ...amounts, races: 1 }, target: { ...target, withheld } };
  const { because, sent } = await judgedBy(races, 'disable-gate', right, more);
  expect(because).toEqual([]);
  expect(sent.map(({ body }) => Object.keys(body ?? {}))).toContainEqual([field]);
  const lostOne = await judgedBy(races, 'disable-gate', lost, more);
  expect(lostOne.told.includes('state.concurrent-fields')).toBe(field === 'tags');
});

test('a list of one entity is read beside another list', async () => {
  const { sent, because } = await judgedBy(races, 'list-events', right, { amounts });
  expect([...new Set(sent.map(({ endpoint }) => endpoint))]).toEqual(['list-events', 'list-segments']);
  expect(because).toEqual([]);
});
