import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { endpointIds, endpoints } from '../contracts/endpoints.ts';
import { targetFileSchema } from '../contracts/target.ts';
import { validatorFor } from '../contracts/validation.ts';
import { createReferenceServer, fixtures, referenceTarget, refusal } from './index.ts';
import { accepted, sourceBody } from './proof/testing/accepted.ts';
import { held } from './proof/testing/held.ts';
import { started } from './proof/testing/started.ts';

const key = { 'SERVICE-API-KEY': 'reference-key' };

describe('the life of a server', () => {
  it('listens on the loopback interface, twice side by side with states of their own, and closes', async () => {
    const [one, two] = [createReferenceServer(), createReferenceServer()];
    const [first, second] = [await one.listen(), await two.listen()];
    expect(new URL(first.url).hostname).toBe('127.0.0.1');
    await (
      await request(`${first.url}/console/v1/gates/dark_mode/disable`, { method: 'PUT', headers: key })
    ).body.dump();
    expect((await one.store.get('gates', 'dark_mode'))?.isEnabled).toBe(false);
    expect((await two.store.get('gates', 'dark_mode'))?.isEnabled).toBe(true);
    await Promise.all([one.close(), two.close()]);
    await one.close();
    await expect(request(`${second.url}/_reference/health`)).rejects.toThrow();
  });

  it('says when a port is taken', async () => {
    const [one, two] = [createReferenceServer(), createReferenceServer()];
    const { url } = await one.listen();
    await expect(two.listen(Number(new URL(url).port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await one.close();
    await two.close();
  });

  it('lets a request in flight end before it closes', async () => {
    const { decorate, inHandler, go } = held();
    const server = createReferenceServer({ decorate, grace: 600_000 });
    const { url } = await server.listen();
    const answer = request(`${url}/console/v1/segments`, { headers: key });
    await inHandler;
    const closing = server.close();
    go();
    const { statusCode, body } = await answer;
    expect(statusCode).toBe(200);
    await body.dump();
    await closing;
  });

  it('does not wait for ever for a request in flight', async () => {
    let arrived = (): void => undefined;
    const inHandler = new Promise<void>(resolve => {
      arrived = resolve;
    });
    const server = createReferenceServer({
      grace: 50,
      decorate: () => () => {
        arrived();
        return new Promise(() => undefined);
      },
    });
    const { url } = await server.listen();
    const lost = expect(request(`${url}/console/v1/segments`, { headers: key })).rejects.toThrow();
    await inHandler;
    await server.close();
    await lost;
  });
});

describe('hooks', async () => {
  const { call, send } = await started({
    decorate:
      (id, handler) =>
      async (...given) => {
        const answer = await handler(...given);
        return answer.status === 401 ? { ...refusal(403, id), headers: { 'X-Outer': 'yes' } } : answer;
      },
    decorateValidate: (id, validate) => (id === 'patch-gate' ? () => [] : validate),
    decorateAuthorise: authorise => given => authorise(given) || given.query.key === 'reference-key',
    decorateListener: listener => (incoming, response) => {
      response.setHeader('X-Raw', 'yes');
      listener(incoming, response);
    },
    decorateStore: store => ({
      ...store,
      get: async (collection, id) => (id === 'page_view' ? undefined : store.get(collection, id)),
    }),
  });

  it('replace the parts they are given', async () => {
    const refused = await send('/console/v1/segments', { key: null });
    expect(refused).toMatchObject({
      status: 403,
      json: { message: 'list-segments' },
      headers: { 'x-outer': 'yes', 'x-raw': 'yes' },
    });
    expect((await send('/console/v1/segments?key=reference-key', { key: null })).status).toBe(200);
    expect((await call('patch-gate', 'dark_mode', { description: 'x'.repeat(1001) })).status).toBe(200);
    expect((await call('list-events', 'page_view')).status).toBe(404);
  });
});

describe('other names', async () => {
  const naming = {
    apiKeyHeader: 'X-Other-Key',
    unitIdField: 'otherUnitID',
    startDatePlaceholder: '{from_day}',
    endDatePlaceholder: '{to_day}',
  };
  const { call, send, server } = await started({ naming });
  const path = '/console/v1/experiments/qualifying_events/purchases_daily';
  const body = {
    ...sourceBody,
    sql: "SELECT '{from_day}', '{to_day}'",
    idTypeMapping: [{ otherUnitID: 'userID', column: 'u' }],
  };

  it('stand on the wire, and nowhere within', async () => {
    const { json } = await send(path, { method: 'POST', body });
    expect(json.data.idTypeMapping).toEqual(body.idTypeMapping);
    expect((await server.store.get('qualifyingEvents', 'purchases_daily'))?.idTypeMapping).toEqual([
      { serviceUnitID: 'userID', column: 'u' },
    ]);
    const { json: list } = await call('list-qualifying-events');
    expect(list.data[1].idTypeMapping[0]).toEqual({ otherUnitID: 'userID', column: 'user_id' });
    expect(list.data[1].sql).toContain('{from_day}');
  });

  it('replace those of the specification', async () => {
    expect((await send('/console/v1/segments', { key: null, headers: key })).status).toBe(401);
    const old = { ...body, idTypeMapping: [{ serviceUnitID: 'nothing', column: 'u' }] };
    expect((await send(path, { method: 'POST', body: old })).json.data.idTypeMapping).toEqual([{ column: 'u' }]);
    expect((await send(path, { method: 'POST', body: { ...body, sql: sourceBody.sql } })).status).toBe(400);
  });

  it('are those in which problems are told', async () => {
    const { json } = await send(path, {
      method: 'POST',
      body: { ...body, idTypeMapping: [{ otherUnitID: 'nothing', column: 'u' }] },
    });
    expect(json.errors[0].property).toBe('idTypeMapping.0.otherUnitID');
  });
});

describe('the target file', () => {
  const target = referenceTarget();
  const snapshot = fixtures({
    apiKeyHeader: 'K',
    unitIdField: 'u',
    startDatePlaceholder: '{a}',
    endDatePlaceholder: '{b}',
  });
  const has = (collection: keyof typeof snapshot, id: string) => snapshot[collection].some(([known]) => known === id);

  it('keeps its contract and names only what exists', () => {
    expect(validatorFor(targetFileSchema)(target)).toEqual([]);
    const {
      gates = [],
      dynamicConfigs = [],
      experiments = [],
      qualifyingEvents = [],
      prompts = [],
      events = [],
    } = target.fixtures ?? {};
    for (const [collection, names] of Object.entries({
      gates,
      configs: dynamicConfigs,
      qualifyingEvents,
      prompts,
      events,
    }))
      for (const name of names) expect(has(collection as 'gates', name), name).toBe(true);
    for (const { id } of experiments) expect(has('experiments', id)).toBe(true);
    for (const { name, type } of target.vocabulary?.metrics ?? [])
      expect(has('metrics', `${name}::${type}`)).toBe(true);
    for (const name of target.vocabulary?.metricSources ?? []) expect(has('qualifyingEvents', name)).toBe(true);
    for (const list of [gates, experiments, qualifyingEvents, prompts]) expect(list.length).toBeGreaterThanOrEqual(8);
    expect(gates.length).toBeLessThan(snapshot.gates.length);
  });

  it('is the same every time', () => {
    expect(referenceTarget()).toEqual(target);
    expect(
      JSON.stringify(
        fixtures({ apiKeyHeader: 'K', unitIdField: 'u', startDatePlaceholder: '{a}', endDatePlaceholder: '{b}' }),
      ),
    ).toBe(JSON.stringify(snapshot));
  });
});

describe('lists', async () => {
  const { call } = await started();
  it.each(endpointIds.filter(id => endpoints[id].list))('%s spans more than two pages', async id => {
    const { json } = await call(id, accepted[id].param);
    expect(json.data).toHaveLength(10);
    expect(json.pagination.totalItems).toBeGreaterThan(20);
  });
});
