import { describe, expect, test } from 'vitest';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, membersOf, objectsIn } from '../../contracts/json.ts';
import { createReferenceServer, type ReferenceServerOptions } from '../../reference-server/index.ts';
import { findingsOf } from '../proof/kill-matrix/detection.fixture.ts';
import { checksThat, type RunRecord, recordedRun, testKey } from '../proof/testing/reference-run.ts';

type Decorate = NonNullable<ReferenceServerOptions['decorate']>;
type Handler = Parameters<Decorate>[1];
type Response = Awaited<ReturnType<Handler>>;

/** Decorates only these operations. */
const at =
  (ids: readonly EndpointId[], wrap: (handler: Handler) => Handler): Decorate =>
  (id, handler) =>
    ids.includes(id) ? wrap(handler) : handler;

const both =
  (outer: Decorate, inner: Decorate): Decorate =>
  (id, handler) =>
    outer(id, inner(id, handler));

/** Answers with only these members of an entity. */
const shows = (ids: readonly EndpointId[], names: readonly string[]): Decorate =>
  at(ids, handler => async (...given) => {
    const answer = await handler(...given);
    const body = membersOf(answer.body);
    const cut = (entity: unknown): JsonObject =>
      Object.fromEntries(Object.entries(isObject(entity) ? entity : {}).filter(([name]) => names.includes(name)));
    if (answer.status !== 200) return answer;
    return { ...answer, body: { ...body, data: Array.isArray(body.data) ? body.data.map(cut) : cut(body.data) } };
  });

/** Refuses the requests that a test selects. */
const refuses = (id: EndpointId, isRefused: (body: JsonObject) => boolean, status = 409): Decorate =>
  at([id], handler => async (request, ...rest): Promise<Response> => {
    if (isObject(request.body) && isRefused(request.body)) return { status, body: { message: 'This is locked.' } };
    return handler(request, ...rest);
  });

const stamps = /^(version|lastModif.*|creatorName)$/;
const restored = ['gates', 'qualifyingEvents', 'environments'] as const;

/** Returns `entity member` for each restorable difference in the store. */
const changed = ({ before, after }: RunRecord): string[] =>
  restored.flatMap(collection => {
    const now = new Map<string, unknown>(after[collection]);
    return before[collection].flatMap(([id, entity]) => {
      const [was, is] = [entity as object, (now.get(id) ?? {}) as object];
      const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(name => !stamps.test(name));
      const value = (of: object, name: string) => JSON.stringify((of as JsonObject)[name]);
      return names.filter(name => value(was, name) !== value(is, name)).map(name => `${id} ${name}`);
    });
  });

const leftOf = ({ events }: RunRecord): string[] =>
  events.flatMap(event => (event.event === 'left-behind' ? [`${event.id}: ${event.what}`] : []));

const listed = ['name', 'description', 'tags', 'sql', 'timestampColumn', 'timestampAsDay', 'idTypeMapping'];
const shownBy411 = shows(['list-qualifying-events'], [...listed, 'tableName', 'customFieldMapping']);
const shownBy43 = shows(['update-qualifying-event'], [...listed, 'sourceType', 'tableName']);
const replaces: Decorate = at(['update-qualifying-event'], handler => async (request, store, settings) => {
  const sent = isObject(request.body) ? request.body : {};
  const blank = { description: '', tags: [], timestampAsDay: false, sourceType: 'query', disableCURE: false };
  const more = { customFieldMapping: [], isVerified: false, isReadOnly: false, team: null, teamID: null };
  return handler({ ...request, body: { ...blank, ...more, ...sent } }, store, settings);
});

const sources = ['update-qualifying-event', 'list-qualifying-events'] as const;
const nullFlags: Decorate = at(sources, handler => async (...given) => {
  const answer = await handler(...given);
  const body = membersOf(answer.body);
  const nulled = (entity: unknown): JsonObject => ({ ...membersOf(entity), isVerified: null, isReadOnly: null });
  return answer.status !== 200
    ? answer
    : { ...answer, body: { ...body, data: Array.isArray(body.data) ? body.data.map(nulled) : nulled(body.data) } };
});
const runOf = (decorate: Decorate, only: readonly string[], more: Parameters<typeof recordedRun>[0] = {}) =>
  recordedRun({ only, ...more, server: { decorate, ...more.server } });

describe('a metric source', () => {
  test.each([
    ['that the list shows as section 4.11 names it', shownBy411],
    ['that all answers show only as sections 4.3 and 4.11 name it', both(shownBy411, shownBy43)],
    ['whose update replaces what it does not carry', replaces],
    ['whose update replaces, and of which the list shows less', both(shownBy411, replaces)],
  ])('%s is afterwards as it was', async (_how, decorate) => {
    const record = await runOf(decorate, sources);
    expect(changed(record)).toEqual([]);
    expect(leftOf(record)).toEqual([]);
    expect(checksThat(record, 'fail')).toEqual([]);
  });

  test.each([
    ['a dry run shows', shownBy411, 'pass', undefined],
    ['nothing shows', both(shownBy411, shownBy43), 'untested', /^isVerified of .* no answer tells what it is now/],
    [
      'answers show as null',
      nullFlags,
      'untested',
      /^isVerified of .* answers show it as null, which no request takes/,
    ],
  ])(
    'that is disposable, whose flags %s, is sent them if they can be put back',
    async (_how, decorate, verdict, why) => {
      const only = ['update-qualifying-event/disposable'];
      const record = await runOf(decorate, only, { run: { profile: 'standard' } });
      const end = record.checks.get('update-qualifying-event/disposable');
      expect(end?.verdict).toBe(verdict);
      if (why !== undefined) expect(end?.because).toMatch(why);
      expect(changed(record)).toEqual([]);
    },
  );

  test('of which nothing shows what an update would reset is not written, and the reason is told', async () => {
    const record = await runOf(both(shownBy411, replaces), sources);
    const { verdict, because, remedy } = record.checks.get('update-qualifying-event/accepts') ?? {};
    expect(verdict).toBe('untested');
    expect(because).toMatch(/replaces what it does not carry.*no list shows sourceType/);
    expect(remedy).toMatch(/^have GET \/console\/v1\/experiments\/qualifying_events show sourceType,/);
  });

  describe('whose update replaces, and of which the list shows all but the id of its team', () => {
    const { properties } = endpoints['update-qualifying-event'].data;
    const allBut = shows(
      ['list-qualifying-events'],
      Object.keys(properties).filter(name => name !== 'teamID'),
    );
    /** Shows each source of the list as one of this team. */
    const ofTeam = (team: string): Decorate =>
      at(['list-qualifying-events'], handler => async (...given) => {
        const answer = await handler(...given);
        const body = membersOf(answer.body);
        return { ...answer, body: { ...body, data: objectsIn(body.data).map(one => ({ ...one, team })) as Json } };
      });

    test('is written where it shows that it has none', async () => {
      const record = await runOf(both(allBut, replaces), sources);
      expect(record.checks.get('update-qualifying-event/accepts')?.verdict).toBe('pass');
      expect(changed(record)).toEqual([]);
    });

    test('is not where it has one, and another source is the remedy', async () => {
      const record = await runOf(both(ofTeam('growth'), both(allBut, replaces)), sources);
      const { verdict, remedy } = record.checks.get('update-qualifying-event/accepts') ?? {};
      expect(verdict).toBe('untested');
      expect(remedy).toMatch(
        /^name a qualifying event without a team first in fixtures\.qualifyingEvents, or have GET/,
      );
    });
  });

  test('that refuses one of its own old values gets all the others back, and that one is told', async () => {
    const old = 'The daily purchases.';
    const record = await runOf(
      refuses('update-qualifying-event', ({ description }) => description === old),
      sources,
    );
    expect(changed(record)).toEqual(['purchases_daily description']);
    const [left] = record.events.filter(event => event.event === 'left-behind');
    expect(left).toMatchObject({
      id: 'purchases_daily',
      what: expect.stringMatching(/^description as last sent: status 409/),
    });
    expect(left?.send).toContain(old);
  });

  test('far down a long list is found, written and put back', async () => {
    const { store } = createReferenceServer({ apiKey: testKey });
    const initial = await store.snapshot();
    const [[, first] = []] = initial.qualifyingEvents;
    if (first === undefined) throw new Error('the reference server has sources');
    const many = Array.from({ length: 700 }, (_, index) => [`s${index}`, { ...first, name: `s${index}` }] as const);
    const record = await runOf((_id, handler) => handler, ['update-qualifying-event/{accepts,event-stored}'], {
      server: { initial: { ...initial, qualifyingEvents: [...many, ['last', { ...first, name: 'last' }]] } },
      file: file => ({ ...file, fixtures: { ...file.fixtures, qualifyingEvents: ['last'] } }),
    });
    expect(record.checks.get('update-qualifying-event/accepts')?.verdict).toBe('pass');
    expect(changed(record)).toEqual([]);
  });

  test('that the list shows as no request takes it is not written: what it holds is not known', async () => {
    const record = await runOf((_id, handler) => handler, ['*-qualifying-event*'], {
      server: { faults: ['source-mapping-column-null'] },
    });
    expect(checksThat(record, 'fail')).toEqual(['list-qualifying-events/schema']);
    const { because } = record.checks.get('update-qualifying-event/accepts') ?? {};
    expect(because).toMatch(/^the list shows idTypeMapping of the qualifying event .* as no request takes it/);
    expect(changed(record)).toEqual([]);
  });

  test('that does not exist is untested, with the line of the target file', async () => {
    const record = await runOf((_id, handler) => handler, ['update-qualifying-event'], {
      file: file => ({ ...file, fixtures: { ...file.fixtures, qualifyingEvents: ['nobody_made_it'] } }),
    });
    expect(checksThat(record, 'fail')).toEqual([]);
    const { verdict, because, remedy } = record.checks.get('update-qualifying-event/accepts') ?? {};
    expect([verdict, remedy]).toEqual(['untested', 'fixtures.qualifyingEvents: ["a_metric_source"]']);
    expect(because).toMatch(/nobody_made_it does not stand in the list, of which all 28 items were read/);
    expect(record.seen.filter(({ endpoint }) => endpoint === 'update-qualifying-event')).toEqual([]);
  });
});

describe('a gate', () => {
  test('of which answers show its id, isEnabled and version alone is afterwards as it was', async () => {
    const record = await runOf(shows(['patch-gate', 'disable-gate'], ['id', 'isEnabled', 'version']), [
      'patch-gate',
      'disable-gate',
    ]);
    expect(changed(record)).toEqual([]);
    expect(leftOf(record)).toEqual([]);
    expect(checksThat(record, 'fail')).toEqual([]);
    const { notExercised = [] } = record.checks.get('patch-gate/accepts') ?? {};
    expect(notExercised.map(({ field, because }) => `${field}: ${because}`)).toContain(
      'description: no answer tells what it is now, so it could not be put back',
    );
  });

  test('that shows less than another named one leaves its place to it, and is written only what it shows', async () => {
    const sparse = shows(['patch-gate', 'disable-gate'], ['id', 'name', 'idType', 'isEnabled', 'status', 'version']);
    const record = await runOf(
      (id, handler) =>
        (request, ...given) =>
          (request.param === 'new_checkout' ? sparse(id, handler) : handler)(request, ...given),
      ['patch-gate', 'disable-gate'],
    );
    expect(changed(record)).toEqual([]);
    expect(leftOf(record)).toEqual([]);
    expect([...checksThat(record, 'fail'), ...checksThat(record, 'warn'), ...checksThat(record, 'untested')]).toEqual(
      [],
    );
    const sentTo = (param: string) =>
      new Set(record.seen.flatMap(one => (one.param === param ? Object.keys(membersOf(one.body)) : [])));
    expect([...sentTo('new_checkout')]).not.toContain('description');
    expect([...sentTo('dark_mode')]).toContain('description');
  });

  test('that does not exist is untested, with the line of the target file', async () => {
    const record = await runOf((_id, handler) => handler, ['patch-gate', 'disable-gate'], {
      file: file => ({ ...file, fixtures: { ...file.fixtures, gates: ['nobody_made_it'] } }),
    });
    expect(checksThat(record, 'fail')).toEqual([]);
    expect(record.checks.get('patch-gate/accepts')).toMatchObject({
      verdict: 'untested',
      remedy: 'fixtures.gates: ["a_gate"]',
    });
  });
});

describe('the environments', () => {
  const isOn = (flag: string) => (body: JsonObject) =>
    Array.isArray(body.environments) &&
    body.environments.some(one => isObject(one) && one.id === 'development' && one[flag] === false);

  test.each(['isProduction', 'requiresReview', 'requiresReleasePipeline'])(
    'whose %s cannot be turned off again: it is tried once, told loudly, and never written again',
    async flag => {
      const state = { on: false };
      const oneWay: Decorate = at(['update-environments'], handler => async (request, ...rest) => {
        const body = isObject(request.body) ? request.body : {};
        if (state.on && isOn(flag)(body)) return { status: 403, body: { message: 'Ask an administrator.' } };
        const answer = await handler(request, ...rest);
        const first = (membersOf(membersOf(answer.body).data).environments as JsonObject[] | undefined)?.[0];
        if (answer.status === 200 && first?.[flag] === true) state.on = true;
        return answer;
      });
      const record = await runOf(oneWay, ['update-environments']);
      expect(changed(record)).toEqual([`development ${flag}`]);
      expect(checksThat(record, 'fail')).toEqual([]);
      expect(leftOf(record)).toEqual([expect.stringContaining(`${flag} of development`)]);
      expect(record.notices.map(({ text }) => text)).toContainEqual(
        expect.stringMatching(
          new RegExp(`^${flag} of the environment development was turned to true and could not be`),
        ),
      );
    },
  );

  test('of which production is never given another flag', async () => {
    const record = await runOf((_id, handler) => handler, ['update-environments'], {
      file: file => ({
        ...file,
        fixtures: { ...file.fixtures, environments: [...(file.fixtures?.environments ?? [])].reverse() },
      }),
    });
    expect(changed(record)).toEqual([]);
    for (const { body } of record.seen) {
      const { environments = [] } = membersOf(body) as { environments?: JsonObject[] };
      if (!Array.isArray(environments)) continue;
      for (const one of environments.filter(item => isObject(item) && item.id === 'production'))
        expect(one.isProduction).toBe(true);
    }
  });

  test('of which the target file does not tell a flag are never sent that flag', async () => {
    const record = await runOf((_id, handler) => handler, ['update-environments'], {
      file: file => ({
        ...file,
        fixtures: {
          ...file.fixtures,
          environments: (file.fixtures?.environments ?? []).map(({ requiresReview: _, ...one }) => one),
        },
      }),
    });
    expect(changed(record)).toEqual([]);
    expect(JSON.stringify(record.seen.map(({ body }) => body))).not.toContain('"requiresReview":true');
  });
});

test('members that the service adds itself, which move and which no request may carry, are neither accused nor left behind', async () => {
  const record = await recordedRun({
    only: ['update-qualifying-event/*', 'patch-gate/*'],
    server: { dialects: ['members-that-move', 'unknown-members-refused'] },
  });
  expect(findingsOf(record).map(({ requirement, actual }) => `${requirement}: ${actual}`)).toEqual([]);
  expect(leftOf(record)).toEqual([]);
});
