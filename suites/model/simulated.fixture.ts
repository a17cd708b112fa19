import fc from 'fast-check';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import type { ModelOptions } from './exchange.ts';
import { readGate, type Shown, tell } from './told.fixture.ts';

/** The state of a simulated service: gates, sources and metrics by id. */
export interface State {
  readonly gates: Map<string, JsonObject>;
  readonly sources: Map<string, JsonObject>;
  readonly metrics: Map<string, JsonObject>;
}

/** A request that is carried out, as a mutation sees it. */
export interface Work {
  readonly state: State;
  /** Each gate before the last write to it. */
  readonly previous: ReadonlyMap<string, JsonObject>;
  readonly request: ApiRequest;
  /** Number of writes accepted so far. */
  readonly count: number;
  readonly outcome: 'accepted' | 'refused' | 'keyless' | 'dry';
}

/** A defect, in place of the work or beside it; undefined parts work correctly. */
export interface Mutation {
  /** Changes the state instead of storing what was sent. */
  readonly stores?: (work: Work, store: () => void) => void;
  /** Changes what a reading shows. */
  readonly shows?: (entity: JsonObject, work: Work) => JsonObject;
  readonly lists?: (ids: readonly string[], work: Work) => readonly string[];
}

/** Circumstances that make a service hard to know. */
export interface Circumstances {
  /** Upper bound on the lag of readings, in milliseconds. */
  readonly lagMs: number;
  readonly others: boolean;
  readonly overlap: boolean;
}

/** A step: its request, entity and value, and how it meets other requests. */
export interface Step {
  readonly what: (typeof kinds)[number];
  readonly entity: number;
  readonly field: number;
  readonly value: number;
  /** Number of other requests that begin before it is answered. */
  readonly held: number;
  /** It is carried out when it is answered, not when it begins. */
  readonly isLate: boolean;
  /** Lag of a reading: 0 to 9 tenths of `lagMs`. */
  readonly lag: number;
  readonly waits: number;
}

// biome-ignore format: one line
const kinds = ['patch', 'patch', 'patch', 'two', 'empty', 'empty', 'read', 'read', 'disable', 'refused', 'keyless', 'update', 'update', 'dry', 'list', 'list', 'create', 'dry-metric', 'metrics', 'other'] as const;

/** Generates random histories. */
export const histories = (length: number, { overlap }: Circumstances): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      what: fc.constantFrom(...kinds),
      entity: fc.nat(2),
      field: fc.nat(3),
      value: fc.nat(1_000_000),
      held: overlap ? fc.nat(2) : fc.constant(0),
      isLate: fc.boolean(),
      lag: fc.nat(9),
      waits: fc.constantFrom(0, 0, 0, 30, 200),
    }),
    { minLength: length, maxLength: length },
  );

const gateIds = ['a', 'b', 'c'];
const sourceNames = ['orders', 'logins', 'reviews'];
const page = 2;

const fieldOf = (field: number, value: number, who = 'ours'): JsonObject =>
  [
    { description: `text ${value} of ${who}` },
    { name: `name ${value} of ${who}` },
    { tags: [`tag ${value} of ${who}`] },
    { isEnabled: value % 2 === 0 },
  ][field] as JsonObject;

const copyOf = ({ gates, sources, metrics }: State): State => ({
  gates: new Map(gates),
  sources: new Map(sources),
  metrics: new Map(metrics),
});

const begun = (): State => ({
  gates: new Map(
    gateIds.map(id => [
      id,
      {
        id,
        name: `Gate ${id}`,
        description: `About ${id}`,
        tags: [`of ${id}`],
        isEnabled: true,
        measureMetricLifts: false,
      },
    ]),
  ),
  sources: new Map(
    sourceNames.map(name => [
      name,
      {
        name,
        description: `About ${name}`,
        tags: [],
        sql: `SELECT 1 AS ${name}`,
        timestampColumn: 'at',
        idTypeMapping: [],
      },
    ]),
  ),
  metrics: new Map(),
});

/** Returns the request of a step, and the outcome that it deserves. */
function requestOf({ what, entity, field, value }: Step): { request: ApiRequest; outcome: Work['outcome'] } {
  const gate = gateIds[entity] as string;
  const source = sourceNames[entity] as string;
  const own = fieldOf(field, value);
  const update = {
    sql: `SELECT ${value} AS ours`,
    timestampColumn: 'at',
    idTypeMapping: [],
    ...fieldOf(field === 1 ? 0 : field % 3, value),
  };
  const metric = { name: `ours ${value}`, type: 'event_user', description: `text ${value} of ours` };
  const patch = (body: JsonObject): ApiRequest => ({ endpoint: 'patch-gate', param: gate, body });
  // biome-ignore format: a table
  const rows: Record<Step['what'], { request: ApiRequest; outcome: Work['outcome'] }> = {
    patch:        { request: patch(own), outcome: 'accepted' },
    two:          { request: patch({ ...own, ...fieldOf((field + 1) % 4, value + 1) }), outcome: 'accepted' },
    empty:        { request: patch({}), outcome: 'accepted' },
    read:         { request: { endpoint: readGate, param: gate }, outcome: 'accepted' },
    disable:      { request: { endpoint: 'disable-gate', param: gate }, outcome: 'accepted' },
    refused:      { request: patch({ ...own, type: 'NONE' }), outcome: 'refused' },
    keyless:      { request: { ...patch(own), key: { kind: 'none' } }, outcome: 'keyless' },
    update:       { request: { endpoint: 'update-qualifying-event', param: source, body: update }, outcome: 'accepted' },
    dry:          { request: { endpoint: 'update-qualifying-event', param: source, body: { ...update, dryRun: true } }, outcome: 'dry' },
    list:         { request: { endpoint: 'list-qualifying-events' }, outcome: 'accepted' },
    create:       { request: { endpoint: 'create-metric', body: metric }, outcome: 'accepted' },
    'dry-metric': { request: { endpoint: 'create-metric', body: { ...metric, dryRun: true } }, outcome: 'dry' },
    metrics:      { request: { endpoint: 'list-event-metrics', param: 'page_view' }, outcome: 'accepted' },
    other:        { request: patch({}), outcome: 'accepted' },
  };
  return rows[what];
}

/** Stores what a request sends. */
export function store({ gates, sources, metrics }: State, { endpoint, param = '', body = {} }: ApiRequest): void {
  const { dryRun: _, ...fields } = body as JsonObject;
  if (endpoint === 'patch-gate') gates.set(param, { ...gates.get(param), ...fields });
  if (endpoint === 'disable-gate') gates.set(param, { ...gates.get(param), isEnabled: false });
  if (endpoint === 'update-qualifying-event') sources.set(param, { ...sources.get(param), ...fields, name: param });
  if (endpoint !== 'create-metric') return;
  const id = `${fields.name}::${fields.type}`;
  const lineage = { events: ['page_view'], metrics: [] };
  metrics.set(id, { directionality: 'increase', ...fields, id, lineage } as JsonObject);
}

/** Plays a history before a service that is right except for a mutation, and returns the model's record of it. */
export function played(
  steps: readonly Step[],
  { lagMs, others }: Circumstances,
  mutation: Mutation = {},
  options: Partial<ModelOptions> = {},
) {
  const told = tell({ settleMs: lagMs, ...options });
  const { gates, sources, metrics } = begun();
  const state: State = { gates, sources, metrics };
  const previous = new Map<string, JsonObject>();
  let count = 0;
  /** Former states, and when each ended: a stale reading may show one of them. */
  const past: { readonly until: number; readonly state: State }[] = [];
  let clock = 0;

  function change(work: () => void): void {
    const was = copyOf(state);
    work();
    for (const [id, gate] of was.gates) if (state.gates.get(id) !== gate) previous.set(id, gate);
    past.push({ until: clock, state: was });
  }
  function work(request: ApiRequest, outcome: Work['outcome']): void {
    const isWrite = ['patch-gate', 'disable-gate', 'update-qualifying-event', 'create-metric'].includes(
      request.endpoint,
    );
    const isReading = request.endpoint === 'patch-gate' && Object.keys((request.body ?? {}) as object).length === 0;
    if (!isWrite || isReading) return;
    if (outcome === 'accepted') count += 1;
    const own = (): void => {
      if (outcome === 'accepted') store(state, request);
    };
    const all = { state, previous, request, count, outcome };
    change(() => (mutation.stores === undefined ? own() : mutation.stores(all, own)));
  }
  function shown(request: ApiRequest, outcome: Work['outcome'], lag: number): Shown {
    if (outcome === 'refused' || outcome === 'keyless') return { status: outcome === 'refused' ? 400 : 401 };
    const { endpoint, param = '', body = {} } = request;
    const since = clock - (lag * lagMs) / 10;
    const seen = lagMs === 0 || lag === 0 ? state : (past.find(({ until }) => until > since)?.state ?? state);
    const all: Work = { state: seen, previous, request, count, outcome };
    const shows = (entity: JsonObject): JsonObject => mutation.shows?.(entity, all) ?? entity;
    if (endpoint === 'update-qualifying-event')
      return { data: { ...state.sources.get(param), ...(body as object), name: param } };
    if (endpoint === 'create-metric') {
      const made: State = { ...copyOf(state), metrics: new Map() };
      store(made, request);
      return { data: [...made.metrics.values()][0] };
    }
    const isList = endpoint === 'list-qualifying-events' || endpoint === 'list-event-metrics';
    if (!isList) {
      // The answer to a write echoes what was sent, wherever the rest is read from.
      const sent = endpoint === 'disable-gate' ? { isEnabled: false } : (body as JsonObject);
      const { type: _, ...own } = sent as JsonObject;
      return { data: { ...shows(seen.gates.get(param) as JsonObject), ...own } };
    }
    const all_ = endpoint === 'list-qualifying-events' ? seen.sources : seen.metrics;
    const ids = mutation.lists?.([...all_.keys()], all) ?? [...all_.keys()];
    const items = ids.flatMap(id => (all_.has(id) ? [shows(all_.get(id) as JsonObject)] : []));
    const last = Math.max(1, Math.ceil(items.length / page));
    const number = Math.min(Number(request.query?.page ?? 1), last);
    return {
      data: items.slice((number - 1) * page, number * page),
      pagination: {
        itemsPerPage: page,
        pageNumber: number,
        totalItems: items.length,
        nextPage: number < last ? `?page=${number + 1}&limit=${page}` : null,
        previousPage: number > 1 ? `?page=${number - 1}&limit=${page}` : null,
        all: '',
      },
    };
  }

  const held: { left: number; end: () => void }[] = [];
  const release = (isOver: boolean): void => {
    for (const one of held.splice(0)) {
      if (one.left > 0 && !isOver) held.push({ ...one, left: one.left - 1 });
      else one.end();
    }
  };
  function send(step: Step, request: ApiRequest, outcome: Work['outcome']): Shown {
    clock += 10;
    const number = told.begin(request);
    if (!step.isLate) work(request, outcome);
    let answer = step.isLate ? undefined : shown(request, outcome, step.lag);
    const end = (): void => {
      clock += 10;
      if (step.isLate) work(request, outcome);
      answer ??= shown(request, outcome, step.lag);
      told.answer(number, answer);
    };
    if (step.held === 0) end();
    else held.push({ left: step.held, end });
    return answer ?? {};
  }
  for (const step of steps) {
    clock += step.waits;
    told.wait(step.waits);
    if (step.what === 'other') {
      if (others)
        change(() =>
          store(state, {
            endpoint: 'patch-gate',
            param: gateIds[step.entity] as string,
            body: fieldOf(step.field, step.value, 'others') as Json,
          }),
        );
      continue;
    }
    const { request, outcome } = requestOf(step);
    const first = send(step, request, outcome);
    // Walk a list to its end.
    const pages = Math.ceil(Number((first.pagination as JsonObject | undefined)?.totalItems ?? 0) / page);
    for (let number = 2; number <= pages; number += 1)
      send({ ...step, held: 0 }, { ...request, query: { page: number, limit: page } }, outcome);
    release(false);
  }
  release(true);
  return told;
}
