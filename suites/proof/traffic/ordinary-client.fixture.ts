import type { Collection } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { referenceTarget } from '../../../reference-server/index.ts';
import { wideBodies } from '../../generators/index.ts';
import type { Target } from '../../protocol/sut.ts';
import { minimalRequest } from '../../sut/minimal-request.ts';
import { fixtureNames, targetOf } from '../../sut/target.ts';
import { type Call, type Driven, nextOf } from './driven.fixture.ts';

const reference = targetOf(referenceTarget(), new URL('http://reference.invalid'), 'key');

type Send = Driven['send'];

/** Reads a list by the links of its pages, with a limit if given. */
async function walk(send: Send, call: Call, limit?: number): Promise<void> {
  let query: Call['query'] = limit === undefined ? undefined : { limit };
  for (let page = 0; page < 30; page += 1) {
    const next = nextOf(await send({ ...call, query }));
    if (next === undefined) return;
    query = next;
  }
}

const text = 'Ordinary use: naïve café 🎉 Ω';

/** Returns the first names, and others that begin like the first. */
function someOf(names: readonly string[]): readonly string[] {
  const [first = ''] = names;
  return names.filter((name, index) => index < 4 || name.startsWith(first)).slice(0, 6);
}

/** The ordinary requests of a client, by the collection that it works on. */
type Uses = Readonly<Record<Collection, (send: Send) => Promise<void>>>;

/** Returns the uses of a server with the fixtures of its target file. */
function usesOf(target: Target): Uses {
  const names = (kind: Parameters<typeof fixtureNames>[1]): readonly string[] => fixtureNames(target, kind);
  const minimal = (endpoint: EndpointId, subject?: string): JsonObject => {
    const request = minimalRequest(target, { qualifyingEvents: new Map() }, endpoint, subject);
    return ('body' in request ? request.body : undefined) ?? {};
  };
  /** Returns a body with every field that a client may send without further knowledge; required fields are minimal. */
  const whole = (endpoint: EndpointId, subject?: string): JsonObject => {
    const { body } = endpointRow(endpoint);
    const [wide] = body === null ? [] : wideBodies(body, minimal(endpoint, subject), target, () => false);
    return wide?.body ?? minimal(endpoint, subject);
  };
  const [gateA = '', gateB = ''] = names('gates');
  const [sourceA = '', sourceB = ''] = names('qualifyingEvents');
  const [experimentA = '', experimentB = ''] = names('experiments');
  const [promptA = ''] = names('prompts');
  const [eventA = '', eventB = ''] = names('events');
  const configs = names('dynamicConfigs');
  const patch = (param: string, body: JsonObject): Call => ({ endpoint: 'patch-gate', param, body });
  const update = (param: string, body: JsonObject): Call => ({
    endpoint: 'update-qualifying-event',
    param,
    body: { ...minimal('update-qualifying-event', param), ...body },
  });
  const create = (body: JsonObject): Call => ({
    endpoint: 'create-metric',
    body: { ...minimal('create-metric', eventA), ...body },
  });
  const sources: Call = { endpoint: 'list-qualifying-events', query: { limit: 50 } };
  const metrics: Call = { endpoint: 'list-event-metrics', param: eventA };
  const versions = (param: string): Call => ({ endpoint: 'list-config-versions', param });

  return {
    async gates(send) {
      const all = someOf(names('gates')).map(name => patch(name, {}));
      const calls: readonly Call[] = [
        ...all,
        patch(gateA, { description: text }),
        patch(gateA, {}),
        ...all,
        patch(gateA, { tags: ['beta', 'Alpha', 'core'] }),
        patch(gateA, whole('patch-gate', gateA)),
        patch(gateA, {}),
        patch(gateA, { name: 'Renamed gate' }),
        patch(gateA, { isEnabled: true }),
        patch(gateB, { description: 'of the other one' }),
        patch(gateB, {}),
        patch(gateA, {}),
        { endpoint: 'disable-gate', param: gateA },
        patch(gateA, {}),
        { endpoint: 'disable-gate', param: gateA },
        patch(gateA, { isEnabled: true }),
        patch(gateA, { type: 'TEMPORARY', measureMetricLifts: true }),
        ...all,
      ];
      for (const call of calls) await send(call);
    },
    async 'qualifying-events'(send) {
      await walk(send, { endpoint: 'list-qualifying-events' });
      await walk(send, { endpoint: 'list-qualifying-events' }, 5);
      const calls = [
        sources,
        update(sourceA, { description: text, tags: ['b', 'A'] }),
        sources,
        update(sourceA, { ...whole('update-qualifying-event', sourceA), description: 'Only tried', dryRun: true }),
        sources,
        update(sourceB, whole('update-qualifying-event', sourceB)),
        sources,
        update(sourceB, { name: 'another_name' }),
        sources,
      ];
      for (const call of calls) await send(call);
      await walk(send, { endpoint: 'list-qualifying-events' }, 5);
    },
    async metrics(send) {
      await walk(send, metrics);
      const calls = [
        create({ name: 'ordinary_metric' }),
        metrics,
        create({ name: 'tried_metric', dryRun: true }),
        metrics,
        create({ ...whole('create-metric', eventA), name: 'whole_metric', dryRun: false }),
        { ...metrics, query: { page: 1, limit: 10 } },
        { ...metrics, param: eventB },
        create({
          name: 'windowed_metric',
          rollupTimeWindow: 'custom',
          customRollUpStart: 0,
          customRollUpEnd: 2.5,
          warehouseNative: {
            metricSourceName: sourceA,
            criteria: [{ column: 'amount', values: ['10', '2.50'] }],
            cap: 10.125,
          },
        }),
      ];
      for (const call of calls) await send(call);
      await walk(send, metrics);
      await walk(send, metrics);
    },
    async segments(send) {
      const list: Call = { endpoint: 'list-segments' };
      for (const limit of [undefined, 5, 5, 7, 20]) await walk(send, list, limit);
      await send({ ...list, query: { page: 2 } });
      await send({ ...list, query: { page: 1 } });
    },
    async events(send) {
      for (const param of [eventA, eventB]) await walk(send, { endpoint: 'list-events', param });
    },
    async environments(send) {
      const body = minimal('update-environments');
      await send({ endpoint: 'update-environments', body });
      const environments = (body.environments as JsonObject[]).toReversed();
      await send({ endpoint: 'update-environments', body: { environments } });
    },
    async experiments(send) {
      const body = minimal('update-experiment', experimentA);
      const enabling = (param: string): Call => ({
        endpoint: 'enable-groups',
        param,
        body: minimal('enable-groups', param),
      });
      const all = someOf(names('experiments')).map(enabling);
      const calls: readonly Call[] = [
        ...all.toReversed(),
        { endpoint: 'update-experiment', param: experimentA, body },
        enabling(experimentA),
        { endpoint: 'update-experiment', param: experimentA, body: whole('update-experiment', experimentA) },
        { endpoint: 'update-experiment', param: experimentB, body: minimal('update-experiment', experimentB) },
        ...all,
        { endpoint: 'update-experiment', param: experimentA, body: { ...body, description: text, allocation: 50.46 } },
        ...all,
      ];
      for (const call of calls) await send(call);
    },
    async prompts(send) {
      for (const [index, body] of [minimal('create-prompt-version'), whole('create-prompt-version')].entries())
        await send({
          endpoint: 'create-prompt-version',
          param: promptA,
          body: { ...body, name: `Version ${index + 1}`, description: text },
        });
    },
    async configs(send) {
      for (const param of configs.slice(0, 4)) await walk(send, versions(param));
      await send({ endpoint: 'disable-config', param: configs[0] ?? '' });
      for (const param of configs.slice(0, 4)) await send(versions(param));
      await send({ endpoint: 'archive-config', param: configs.at(-1) ?? '', body: { archiveReason: text } });
      for (const param of configs.slice(0, 4)) await send(versions(param));
    },
  };
}

const usesOfReference = usesOf(reference);

/** The collections in the order in which the client uses them. */
export const collections = Object.keys(usesOfReference) as readonly Collection[];

/** Uses some collections in turn, of the reference server unless another target is given. */
export const ordinaryClient =
  (own: readonly Collection[] = collections, target?: Target) =>
  async ({ send }: Pick<Driven, 'send'>): Promise<void> => {
    const uses = target === undefined ? usesOfReference : usesOf(target);
    for (const collection of collections) if (own.includes(collection)) await uses[collection](send);
  };

/** Two concurrent clients: one uses the collections from the first on, the other from the last. */
export const twoClients =
  (own: readonly Collection[] = collections) =>
  async (driven: Driven): Promise<void> => {
    await Promise.all([ordinaryClient(own)(driven), backwards(own)(driven)]);
  };

const backwards =
  (own: readonly Collection[]) =>
  async ({ send }: Driven): Promise<void> => {
    for (const collection of collections.toReversed())
      if (own.includes(collection) && collection !== 'configs' && collection !== 'metrics')
        await usesOfReference[collection](send);
  };
