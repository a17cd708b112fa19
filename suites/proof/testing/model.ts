import { isOperation } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, membersOf } from '../../../contracts/json.ts';
import { samples } from '../../../contracts/resources/samples.fixture.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import { isValid } from '../../../contracts/validation.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import type { Given } from './answers.ts';

/** Answers a request as a server would. `body` is the sent value with a unique name, or the raw body as JSON. */
export type Model = (request: ApiRequest, body: Json | undefined) => Given;

/** Turns a right model into a wrong one. */
export type Wrong = (right: Model) => Model;

/** Leaves the model right. */
export const right: Wrong = model => model;

/** Changes the successful answers of one operation. */
export const answering =
  (endpoint: EndpointId, change: (data: JsonObject, request: ApiRequest) => unknown): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    const value = membersOf(given.value);
    if (request.endpoint !== endpoint || given.status !== 200) return given;
    return { ...given, value: { ...value, data: change(value.data as JsonObject, request) } };
  };

/** Answers the requests that match `when` with `given`. */
export const instead =
  (given: Given, when: (request: ApiRequest, body: JsonObject) => boolean = () => true): Wrong =>
  model =>
  (request, body) =>
    when(request, isObject(body) ? body : {}) ? given : model(request, body);

/** Stores a part of each refused write. */
export const storingBeforeRefusing =
  (keep: (body: JsonObject) => JsonObject): Wrong =>
  model =>
  (request, body) => {
    const given = model(request, body);
    if (given.status === 400) model(request, keep(membersOf(body) as JsonObject));
    return given;
  };

/** The entities of the models, as the target file of `contextOf` names them. */
export const fixtures = {
  gates: ['gate_a', 'gate_b', 'gate_c'],
  qualifyingEvents: ['source_a', 'source_b'],
  experiments: [{ id: 'an_experiment', groups: ['Control', 'Test'] }],
  dynamicConfigs: ['a_config'],
  prompts: ['a_prompt'],
  events: ['page_view'],
  environments: [
    { name: 'development', isProduction: false },
    { name: 'production', isProduction: true },
  ],
};

/** Returns the page of a list for a query (section 2.1). */
function pageOf(items: readonly Json[], { query = {}, param }: ApiRequest, path: string) {
  const limit = Number(query.limit ?? 10);
  const page = Number(query.page ?? 1);
  const last = Math.max(1, Math.ceil(items.length / limit));
  const link = (to: number) =>
    to >= 1 && to <= last ? `${path.replace(/\{\w+\}/, param ?? '')}?page=${to}&limit=${limit}` : null;
  return {
    data: items.slice((page - 1) * limit, page * limit),
    pagination: {
      itemsPerPage: limit,
      pageNumber: page,
      totalItems: items.length,
      nextPage: link(page + 1),
      previousPage: link(page - 1),
      all: '',
    },
  };
}

const refusal = (status: number): Given => ({ status, value: { message: 'Refused.' } });

const hasKey = ({ key = { kind: 'valid' } }: ApiRequest): boolean =>
  key.kind === 'valid' ||
  (key.kind === 'spelled' && key.header.toLowerCase() === specificationNaming.apiKeyHeader.toLowerCase());

/** Creates a right model with `length` segments and logged events. It accepts and stores what the schemas allow. */
export function createModel(length = 24): Model {
  const named = (names: readonly string[], sample: object, key: string) =>
    new Map(names.map(name => [name, { ...sample, [key]: name, ...(key === 'id' ? { name } : {}) } as JsonObject]));
  const gates = named(fixtures.gates, samples.gate, 'id');
  const sources = named(fixtures.qualifyingEvents, samples.qualifyingEvent, 'name');
  const experiments = named(['an_experiment', 'an_experiment_too'], samples.experiment, 'id');
  const configs = named(fixtures.dynamicConfigs, samples.dynamicConfig, 'id');
  const metrics: JsonObject[] = [];
  const many = (sample: object, member: string) =>
    Array.from({ length }, (_, index) => ({ ...sample, [member]: `${member} ${index}` }) as JsonObject);
  const segments = many(samples.segment, 'id');
  const loggedEvents = many(samples.loggedEvent, 'value');

  const stored = (map: Map<string, JsonObject>, id: string, changes: JsonObject): JsonObject => {
    const entity = { ...map.get(id), ...changes };
    if (changes.dryRun !== true) map.set(id, entity);
    return entity;
  };
  const created = (body: JsonObject): JsonObject => {
    const events = (body.metricEvents as JsonObject[] | undefined)?.map(event => event.name ?? null) ?? ['page_view'];
    const metric = {
      directionality: 'increase',
      ...body,
      id: `${body.name}::${body.type}`,
      lineage: { events, metrics: [] },
    };
    if (body.dryRun !== true && !metrics.some(({ id }) => id === metric.id)) metrics.push(metric);
    return metric;
  };

  return (request, body = {}) => {
    const { endpoint, param = '' } = request;
    const row = endpointRow(endpoint);
    if (!hasKey(request)) return refusal(401);
    if (request.rawPath !== undefined || request.method !== undefined) return refusal(404);
    const known: Partial<Record<string, ReadonlyMap<string, unknown>>> = {
      gate: gates,
      'qualifying-event': sources,
      experiment: experiments,
      config: configs,
    };
    if (row.param !== null && known[row.resource]?.has(param) === false) return refusal(404);
    if (row.body !== null && (!isObject(body) || !isValid(row.body, body))) return refusal(400);
    if (row.list && !/^[1-9]\d{0,8}$/.test(String(request.query?.limit ?? 10))) return refusal(400);
    const changes = body as JsonObject;
    const ok = (data: unknown, more: object = {}): Given => ({
      status: 200,
      value: { message: row.message ?? 'Done.', data, ...more },
    });
    const listed = (items: readonly Json[]): Given => {
      const { data, pagination } = pageOf(items, request, row.path);
      return ok(data, { pagination });
    };
    if (isOperation(row, 'gate', 'patch')) return ok(stored(gates, param, changes));
    if (isOperation(row, 'gate', 'disable')) return ok(stored(gates, param, { isEnabled: false }));
    if (isOperation(row, 'qualifying-event', 'update')) return ok(stored(sources, param, { ...changes, name: param }));
    if (isOperation(row, 'experiment', 'update')) return ok(stored(experiments, param, changes));
    if (isOperation(row, 'experiment', 'enable')) return ok(experiments.get(param));
    if (isOperation(row, 'qualifying-event', 'list')) return listed([...sources.values()]);
    if (isOperation(row, 'metric', 'create')) return ok(created(changes));
    if (isOperation(row, 'metric', 'list')) return listed(metrics);
    if (isOperation(row, 'segment', 'list')) return listed(segments);
    if (isOperation(row, 'event', 'list')) return listed(loggedEvents);
    if (isOperation(row, 'config-version', 'list')) return listed([...configs.values()]);
    if (isOperation(row, 'prompt-version', 'create')) return ok(changes);
    return ok({ ...configs.get(param), ...changes });
  };
}
