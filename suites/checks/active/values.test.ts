import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { values } from './values.ts';

const writes = [
  'patch-gate',
  'update-qualifying-event',
  'update-experiment',
  'create-metric',
  'create-prompt-version',
] as const satisfies EndpointId[];

const text = (data: JsonObject, field: string, change: (text: string) => string): JsonObject =>
  typeof data[field] === 'string' ? { ...data, [field]: change(data[field]) } : data;

/** Returns the smallest requests that a check shows to the passive checks. */
const shown = async (endpoint: EndpointId, wrong: Wrong) =>
  (await judgedBy(values, endpoint, wrong)).sent.flatMap(({ about }) => (about === undefined ? [] : [about]));

test.each(writes)(
  'a right server that takes everything is asked few requests by %s, and nothing is found',
  async id => {
    const { found, results, sent } = await judgedBy(values, id, right);
    expect(found).toEqual([]);
    expect(results.filter(({ proved }) => !proved)).toEqual([]);
    expect(sent.length).toBeLessThan(20);
  },
);

test('a negative seed leaves no number and no text out', async () => {
  const sent = async (seed: number): Promise<number> =>
    (await judgedBy(values, 'update-experiment', right, { seed })).sent.flatMap(({ body }) => Object.keys(body ?? {}))
      .length;
  expect(await sent(-1000)).toBe(await sent(1002));
});

describe('the smallest request is shown', () => {
  test('what an experiment stores otherwise is shown by enabling its first group, which changes its flag alone', async () => {
    const suspected = async (wrong: Wrong) => (await judgedBy(values, 'update-experiment', wrong)).suspected;
    const withGroups = (change: (group: JsonObject) => JsonObject): Wrong =>
      answering('enable-groups', ({ groups, ...data }) => ({ ...data, groups: (groups as JsonObject[]).map(change) }));
    expect(await suspected(right)).toEqual([]);
    expect(await suspected(withGroups(group => ({ ...group, parameterValues: {} })))).toEqual([
      'state.enable-groups-frame /data/groups',
    ]);
    expect(await suspected(withGroups(group => ({ ...group, disabled: false })))).toEqual([]);
    const raised = answering('enable-groups', ({ defaultSPRTMDE: one, ...data }) => ({
      ...data,
      ...(typeof one === 'number' && { defaultSPRTMDE: one + 1 }),
    }));
    expect(await suspected(raised)).toEqual(['state.enable-groups-frame /data/defaultSPRTMDE']);
  });

  // biome-ignore format: a table
  test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, title: string]>([
    ['that loses a line break',      'patch-gate',            answering('patch-gate', data => text(data, 'description', value => value.replaceAll('\n', ' '))), 'description: several lines'],
    ['that loses a doubled blank',   'patch-gate', answering('patch-gate', data => text(data, 'description', value => value.replaceAll(/ {2,}/g, ' '))), 'description: doubled blanks'],
    ['that takes a text for a number', 'update-experiment',   answering('update-experiment', data => text(data, 'hypothesis', value => (/^[-\d.e]+$/.test(value) ? String(Number(value)) : value))), 'hypothesis: '],
    ['that is cut',                  'update-experiment',     answering('update-experiment', data => text(data, 'hypothesis', value => value.slice(0, 2_000))), 'hypothesis: a text of 2500 characters'],
    ['of which a member is lost',    'update-experiment',     answering('update-experiment', data => ({ ...data, groups: (data.groups as JsonObject[]).map(group => ({ ...group, parameterValues: JSON.parse(JSON.stringify(group.parameterValues, (_name, value) => value ?? undefined)) })) })), 'groups.0.parameterValues: null'],
  ])('of a value %s', async (_what, endpoint, wrong, title) => {
    expect((await shown(endpoint, wrong)).map(about => about.title).join('; ')).toContain(title);
  });
});

test('a field that is always lost hides no other field of which a part is wrong', async () => {
  const wrong = answering('patch-gate', ({ description: _lost, ...data }) => ({
    ...data,
    ...(Array.isArray(data.tags) ? { tags: data.tags.map(tag => String(tag).replaceAll('\t', ' ')) } : {}),
  }));
  const titles = (await shown('patch-gate', wrong)).map(({ title }) => title);
  expect(titles).toContainEqual(expect.stringMatching(/^tags\.\d: a tab$/));
  expect(titles.filter(title => title.startsWith('description'))).toEqual([]);
});

test('what is stored otherwise is found by reading it back, and traced to its part', async () => {
  const forgetful: Wrong = model => (request, body) =>
    JSON.stringify(body) === '{}'
      ? answering('patch-gate', data => text(data, 'description', value => value.replaceAll('\t', ' ')))(model)(
          request,
          body,
        )
      : model(request, body);
  const { cited, results } = await judgedBy(values, 'patch-gate', forgetful);
  expect(cited).toEqual(['state.patch-every-sent']);
  const about = results.flatMap(({ violations }) => violations.map(({ answer }) => answer.request.about?.title));
  expect(about).toContain('description: a tab');
});

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong]>([
  ['markup',               instead({ status: 422 }, (_request, body) => JSON.stringify(body).includes('<b'))],
  ['control characters',   instead({ status: 400 }, (_request, body) => /\\u00[01]/.test(JSON.stringify(body)))],
  ['long texts',           instead({ status: 413 }, (_request, body) => JSON.stringify(body).length > 2_000)],
  ['negative numbers',     instead({ status: 400 }, (_request, body) => /:-\d/.test(JSON.stringify(body)))],
  ['more than five tags',  instead({ status: 400 }, (_request, body) => ((body.tags ?? []) as unknown[]).length > 5)],
])('a server that refuses %s is not accused, and what it takes is judged', async (_what, wrong) => {
  for (const endpoint of writes) {
    const { found, results } = await judgedBy(values, endpoint, wrong);
    expect({ endpoint, found }).toEqual({ endpoint, found: [] });
    expect(results.some(({ proved }) => proved)).toBe(true);
  }
});

describe('an ordinary value that is refused', () => {
  const refusing = async (refuses: (body: JsonObject) => boolean, status = 400) => {
    const wrong = instead({ status }, ({ endpoint }, body) => endpoint === 'patch-gate' && refuses(body));
    const { results } = await judgedBy(values, 'patch-gate', wrong);
    const violations = results.flatMap(one => one.violations);
    return violations.map(({ requirement, answer }) => `${requirement} ${answer.request.about?.title}`);
  };

  test('is judged as a case of its field alone, once', async () => {
    expect(await refusing(({ tags }) => tags !== undefined)).toEqual(['accept.plain-value tags.0: an ordinary text']);
    expect(await refusing(({ measureMetricLifts }) => measureMetricLifts !== undefined)).toEqual([
      'accept.stated-boundary measureMetricLifts: true',
    ]);
    expect(await refusing(({ tags }) => Array.isArray(tags) && tags.length > 1)).toHaveLength(1);
  });

  test('is a combination where it is accepted alone, of the fewest fields', async () => {
    const isBoth = ({ tags, monitoringMetrics }: JsonObject): boolean =>
      tags !== undefined && monitoringMetrics !== undefined;
    expect(new Set(await refusing(isBoth))).toEqual(
      new Set(['accept.combination tags and monitoringMetrics together']),
    );
  });

  test('says nothing where the circumstances refuse it, or the size of the whole', async () => {
    expect(await refusing(body => Object.keys(body).length > 3, 409)).toEqual([]);
    expect(await refusing(body => Object.keys(body).length > 3, 413)).toEqual([]);
  });
});

test('a server that drops the names by which objects are made is not accused', async () => {
  const names = ['__proto__', 'constructor', 'prototype'];
  const careful = answering('update-experiment', data => ({
    ...data,
    groups: (data.groups as JsonObject[]).map(group => ({
      ...group,
      parameterValues: Object.fromEntries(
        Object.entries(group.parameterValues as JsonObject).filter(([name]) => !names.includes(name)),
      ),
    })),
  }));
  expect(await shown('update-experiment', careful)).toEqual([]);
});

test('what others add to a field between the write and the reading is not taken for what was stored', async () => {
  let times = 0;
  const busy = answering('patch-gate', data => {
    times += 1;
    return Array.isArray(data.tags) ? { ...data, tags: [...data.tags, `auto-${times}`] } : data;
  });
  // Somebody keeps adding another tag, which no answer to a write shows.
  const others: Wrong = model => (request, body) =>
    JSON.stringify(body) === '{}' ? busy(model)(request, body) : model(request, body);
  expect((await judgedBy(values, 'patch-gate', others)).found).toEqual([]);
});

test('a server that has had enough is asked no more, and its words are the reason', async () => {
  const { because, sent } = await judgedBy(
    values,
    'patch-gate',
    instead({ status: 423, value: { message: 'frozen' } }),
  );
  expect(because.join()).toContain('frozen');
  expect(sent.length).toBeLessThan(4);
});

test('an answer of 500 is told of the smallest request that draws it', async () => {
  const { results } = await judgedBy(
    values,
    'patch-gate',
    instead({ status: 500 }, (_request, body) => String(body.description).includes('%s')),
  );
  const [first] = results.flatMap(({ violations }) => violations);
  expect(first?.requirement).toBe('robust.never-5xx');
  expect(first?.answer.request.about?.title).toBe('description: place holders');
});

test('a number that only few values may have is not sent odd ones again and again', async () => {
  const wrong = instead(
    { status: 422 },
    (_request, body) =>
      body.defaultRollupWindow !== undefined && ![-1, 1, 7].includes(Number(body.defaultRollupWindow)),
  );
  const { found, sent } = await judgedBy(values, 'update-experiment', wrong);
  const odd = sent.filter(
    ({ body }) => ![undefined, -1, 1, 7].includes((body as JsonObject).defaultRollupWindow as number),
  );
  expect(found).toEqual([]);
  expect(odd.length).toBeGreaterThan(0);
  expect(odd.length).toBeLessThan(34);
});
