import { describe, expect, onTestFinished, test } from 'vitest';
import { targetFileSchema } from '../../contracts/target.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { createReferenceServer, type ReferenceServerOptions } from '../../reference-server/index.ts';
import { onePage } from '../proof/testing/answers.ts';
import { closedPort, httpDouble } from '../proof/testing/doubles.ts';
import { heldLimits } from '../proof/testing/held-limits.ts';
import { testKey } from '../proof/testing/reference-run.ts';
import { type Discovery, discover, type NoAnswers } from './discovery.ts';
import { targetOf } from './target.ts';

async function asked(options: ReferenceServerOptions = {}, events: readonly string[] = []) {
  const methods = new Set<string>();
  const server = createReferenceServer({
    apiKey: testKey,
    ...options,
    decorateListener: inner => (request, response) => {
      methods.add(request.method ?? '');
      inner(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const before = await server.store.snapshot();
  const target = targetOf({ naming: server.naming }, new URL(url), testKey);
  const plain = {
    ...target,
    naming: { ...targetOf({}, target.baseUrl, testKey).naming, apiKeyHeader: server.naming.apiKeyHeader },
  };
  const discovery = known(await discover(plain, events, 600_000));
  expect([...methods]).toEqual(['GET']);
  expect(await server.store.snapshot()).toEqual(before);
  expect(validatorFor(targetFileSchema)(discovery.file)).toEqual([]);
  return discovery;
}

function known(discovery: Discovery | NoAnswers): Discovery {
  if ('unreachable' in discovery) throw new Error(discovery.unreachable);
  return discovery;
}

describe('asking a target of itself', () => {
  test('finds metric sources, and events through them, by GET alone', async () => {
    const { file, read } = await asked();
    expect(file.fixtures).toEqual({
      gates: [],
      dynamicConfigs: [],
      experiments: [],
      qualifyingEvents: ['purchases_daily', 'purchases_recent'],
      prompts: [],
      events: ['page_view', 'purchase', 'add_to_cart'],
      environments: [],
    });
    expect(file.vocabulary).toMatchObject({
      idTypes: ['userID', 'deviceID'],
      metrics: expect.arrayContaining([{ name: 'purchase', type: 'event_count' }]),
      // People and teams would get mail: a run sends learned ones back only to their own entities.
      users: [],
      teams: [],
      columns: ['occurred_at', 'user_id', 'device_id'],
    });
    expect(file.vocabulary).not.toMatchObject({ metricSources: expect.arrayContaining(['purchases_daily']) });
    expect(file.naming).toBeUndefined();
    expect(read).toContainEqual({ endpoint: 'list-qualifying-events', items: 28 });
  });

  test('finds the names that the target uses instead of those of the specification', async () => {
    const naming = {
      apiKeyHeader: 'X-Console-Key',
      unitIdField: 'unitID',
      startDatePlaceholder: '{the_start_date}',
      endDatePlaceholder: '{the_end_date}',
    };
    const { file } = await asked({ naming });
    expect(file.naming).toEqual(naming);
    expect(file.vocabulary.idTypes).toEqual(['userID', 'deviceID']);
  });

  test.each(['lists-newest-first', 'unknown-event-empty', 'page-cap-10', 'sparse-metrics'])(
    'finds events at a target that differs as %s does',
    async dialect => {
      const { file } = await asked({ dialects: [dialect] });
      expect(file.fixtures.events).toEqual(expect.arrayContaining(['page_view', 'purchase']));
      expect(file.fixtures.events).not.toContain('signup');
    },
  );

  test('looks for the events that are given, and says which the target does not know', async () => {
    const { file, unknownEvents } = await asked({}, ['session_start', 'no_such_event']);
    expect(file.fixtures.events).toContain('session_start');
    expect(unknownEvents).toEqual(['no_such_event']);
  });

  test('names every event that is given, however many, and others only while there is room', async () => {
    const { url } = await httpDouble((request, response) => {
      const lineage = { events: ['another'] };
      const items = request.url?.includes('/events/') ? [{ id: 'm::sum', name: 'm', type: 'sum', lineage }] : [];
      response.setHeader('content-type', 'application/json').end(JSON.stringify(onePage(items)));
    });
    const target = targetOf({}, url, testKey);
    const eventsOf = async (given: readonly string[]) =>
      known(await discover(target, given, 600_000)).file.fixtures.events;
    const many = Array.from({ length: 10 }, (_, index) => `event_${index}`);
    expect(await eventsOf(many)).toEqual(many);
    expect(await eventsOf(many.slice(0, 2))).toEqual([...many.slice(0, 2), 'another']);
  });

  test('takes no name from a target that could do harm, and ends although the target does not', async () => {
    let requests = 0;
    const item = (name: unknown) => ({ name, idTypeMapping: [{ serviceUnitID: name, column: 'c' }], team: name });
    const hostile = ['', testKey, `x${testKey}`, 'a\u001b[2Jb', 'a\u202eb', 7, null, {}, 'n'.repeat(300), ' '];
    const { url } = await httpDouble((request, response) => {
      requests += 1;
      const body = onePage([...hostile.map(item), item('good'), null, [], 'text']);
      const metric = { id: 'm::sum', name: 'm', type: 'sum', lineage: { events: [...hostile, `event_${requests}`] } };
      const answer = request.url?.includes('/events/') ? onePage([metric, 7]) : body;
      const more = {
        ...answer,
        pagination: { ...answer.pagination, totalItems: 1e6, nextPage: `/x?page=${requests}` },
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(more));
    });
    const { file } = known(await discover(targetOf({}, url, testKey), [], 600_000));
    expect(file.fixtures.qualifyingEvents).toEqual(['good']);
    expect(file.vocabulary.idTypes).toEqual(['good']);
    expect(file.fixtures.events).toHaveLength(4);
    expect(file.vocabulary.metrics).toEqual([{ name: 'm', type: 'sum' }]);
    expect(JSON.stringify(file)).not.toContain(testKey);
    expect(requests).toBeLessThan(1_000);
  });

  test('does not take a name for an event because the target answers for every name', async () => {
    const { url } = await httpDouble((request, response) => {
      const items = request.url?.includes('/events/') ? [] : [{ name: 'source' }];
      response.setHeader('content-type', 'application/json').end(JSON.stringify(onePage(items)));
    });
    const { file, unknownEvents } = known(await discover(targetOf({}, url, testKey), ['guess'], 600_000));
    expect(file.fixtures.events).toEqual([]);
    expect(unknownEvents).toEqual(['guess']);
  });

  test('asks an operation no further that answers none of two requests, and says so', async () => {
    const { timeoutMs, hold, release } = heldLimits();
    onTestFinished(release);
    const asked: string[] = [];
    const { url } = await httpDouble((request, response) => {
      if (request.url?.includes('/events/') !== true) {
        const items = Array.from({ length: 10 }, (_, index) => ({ name: `source_${index}` }));
        response.setHeader('content-type', 'application/json').end(JSON.stringify(onePage(items)));
        return;
      }
      asked.push(request.url);
      hold();
    });
    const { silent, file, unknownEvents } = known(await discover(targetOf({}, url, testKey), ['given'], timeoutMs));
    expect([...silent.keys()].sort()).toEqual(['list-event-metrics', 'list-events']);
    expect(file.fixtures).toMatchObject({ qualifyingEvents: ['source_0', 'source_1'], events: [] });
    expect(unknownEvents).toEqual(['given']);
    expect(asked.filter(path => path.endsWith('/metrics'))).toHaveLength(2);
    expect(asked).toHaveLength(4);
  });

  test('finds events by the list that answers where the other does not', async () => {
    const { timeoutMs, hold, release } = heldLimits();
    onTestFinished(release);
    const metric = { id: 'm::sum', name: 'm', type: 'sum', lineage: { events: ['next'] } };
    const { url } = await httpDouble((request, response) => {
      const isRecords = /\/events\/[^/]*$/.test(request.url ?? '');
      if (isRecords) hold();
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(onePage([metric])));
    });
    const { silent, file } = known(await discover(targetOf({}, url, testKey), ['given'], timeoutMs));
    expect([...silent.keys()]).toEqual(['list-events']);
    expect(file.fixtures.events).toEqual(expect.arrayContaining(['given', 'next']));
  });

  test('says when nobody answers, and when the key is refused', async () => {
    const nobody = targetOf({}, await closedPort(), testKey);
    expect(await discover(nobody, [], 600_000)).toMatchObject({
      unreachable: expect.stringContaining('no connection'),
    });
  });

  test.each([
    [401, 'the key was refused everywhere (status 401 on 2 of 2 minimal requests)', /--api-key/],
    [404, 'no path of the API is known there (status 404 on 2 of 2 requests)', /base URL/],
    [409, 'neither plain list can be read (status 409)', undefined],
  ])('says when nothing but status %i comes', async (status, unreachable, remedy) => {
    const { url } = await httpDouble((_request, response) => response.writeHead(status).end());
    const told = remedy === undefined ? { unreachable } : { unreachable, remedy: expect.stringMatching(remedy) };
    expect(await discover(targetOf({}, url, testKey), [], 600_000)).toEqual(told);
  });
});
