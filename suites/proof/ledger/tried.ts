import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, membersOf } from '../../../contracts/json.ts';
import { at } from '../../../contracts/pointer.ts';
import { type Problem, validatorFor } from '../../../contracts/validation.ts';
import { compareEcho } from '../../judge/echo.ts';
import { type Placed, placedIn } from './placed.ts';

/** As much of an exchange as the ledger counts by: what a recording keeps of one. */
export interface LedgerExchange {
  readonly id: string;
  readonly endpoint: EndpointId;
  readonly request: {
    readonly param?: string;
    readonly query?: Readonly<Record<string, string | number>>;
    readonly body?: Json;
    readonly key: 'valid' | 'none' | 'other';
    /** False of a request with another method or path than its operation has. */
    readonly own: boolean;
  };
  readonly status: number;
  readonly value?: Json;
}

/** A request of an operation as it is documented, with the key, and what became of it. */
export interface Attempt {
  readonly id: string;
  readonly endpoint: EndpointId;
  readonly row: Endpoint;
  readonly param: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: JsonObject;
  /** What of the body breaks its schema. */
  readonly problems: readonly Problem[];
  /** Accepted: a success whose answer has `data` of the stated kind. Refused: a 4xx. */
  readonly outcome: 'accepted' | 'refused' | 'other';
  readonly value: Json | undefined;
  /** The entities that its answer shows. */
  readonly shown: readonly Sighting[];
  /** How its entity was shown last before it; absent of a creation, and of what nothing showed. */
  readonly before: Json | undefined;
  readonly order: number;
}

/** An entity as an answer shows it. */
export interface Sighting {
  readonly id: string;
  readonly endpoint: EndpointId;
  /** Its kind, and what identifies it. */
  readonly key: string;
  readonly entity: Json;
  readonly order: number;
}

/** A value that an otherwise valid request carried. */
export interface Sent extends Placed {
  readonly attempt: Attempt;
  /** The answer to the write, or a later one of another operation, shows it as it was sent. */
  readonly isShown: boolean;
  /** What the same place showed before. */
  readonly before: Json | undefined;
}

/** What the exchanges of a run tried, and what they showed. */
export interface Tried {
  readonly exchanges: readonly LedgerExchange[];
  attempts(endpoint: EndpointId): readonly Attempt[];
  sent(endpoint: EndpointId, path: string): readonly Sent[];
  /** The answers that show an entity, in their order. */
  sightings(key: string): readonly Sighting[];
  /** The entities of a kind that answers showed. */
  entities(resource: string): readonly string[];
}

/** How an entity is known: by the path, by what its answer says, or (environments) as the only one. */
const keyOf = (row: Endpoint, param: string, entity: Json): string => {
  const member = row.list ? row.itemKey[0] : row.identity?.is === 'param' ? undefined : row.identity?.member;
  return `${row.resource}/${member === undefined ? param : String(membersOf(entity)[member])}`;
};

const isFramed = ({ list }: Endpoint, data: unknown): boolean => (list ? Array.isArray(data) : isObject(data));

/** The fields of a body that its own answer does not show as they were sent: the pointers of what differs. */
function unshownIn({ body: schema }: Endpoint, body: JsonObject, entity: Json): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = schema?.properties?.[name];
    const got = membersOf(entity)[name] as Json | undefined;
    if (field === undefined || field.annotation?.compare === 'never' || (got === undefined && value !== null))
      return [`/${name}`];
    return compareEcho(value, got, field, `/${name}`)
      .filter(({ kind }) => kind !== 'soft')
      .map(({ pointer }) => pointer);
  });
}

/** True of a place whose own value, what holds it and what it holds are none of those that differ. */
const isAmong = (pointer: string, unshown: readonly string[]): boolean =>
  unshown.some(one => one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`));

/** So many later answers are looked at for what a write's own answer does not show. */
const laterLookedAt = 4;

/** Adds to the list that a map has under a key. */
function add<K, V>(to: Map<K, V[]>, key: K, ...values: readonly V[]): void {
  const before = to.get(key);
  if (before === undefined) to.set(key, [...values]);
  else before.push(...values);
}

/** Puts the exchanges of a run, in the order of their answers, where its cells are counted from. */
export function triedBy(
  exchanges: readonly LedgerExchange[],
  rowOf: (id: EndpointId) => Endpoint = endpointRow,
): Tried {
  const attempts = new Map<EndpointId, Attempt[]>();
  const seen = new Map<string, Sighting[]>();
  const sent = new Map<string, Sent[]>();

  const attemptOf = ({ id, endpoint, request, status, value }: LedgerExchange, order: number): Attempt | undefined => {
    const row = rowOf(endpoint);
    const { param = '', query = {}, body = {} } = request;
    if (!request.own || request.key !== 'valid' || !isObject(body)) return undefined;
    const { data } = membersOf(value) as { readonly data?: Json };
    const isAccepted = status >= 200 && status < 300 && data !== undefined && isFramed(row, data);
    const entities = isAccepted ? [data].flat() : [];
    const before = row.action === 'create' ? undefined : seen.get(`${row.resource}/${param}`)?.at(-1)?.entity;
    return {
      id,
      endpoint,
      row,
      param,
      query,
      body,
      problems: row.body === null ? [] : validatorFor(row.body)(body),
      outcome: isAccepted ? 'accepted' : status >= 400 && status < 500 ? 'refused' : 'other',
      value,
      shown: entities.map(entity => ({ id, endpoint, key: keyOf(row, param, entity), entity, order })),
      before,
      order,
    };
  };

  /** True of a field that another operation shows, later, as it was sent. */
  const isShownLater = ({ endpoint, row, body, order, shown }: Attempt, name: string): boolean => {
    const field = row.body?.properties?.[name];
    return (seen.get(shown[0]?.key ?? '') ?? [])
      .filter(one => one.order > order && one.endpoint !== endpoint)
      .slice(0, laterLookedAt)
      .some(({ entity }) => {
        const got = membersOf(entity)[name] as Json | undefined;
        return got !== undefined && compareEcho(body[name] as Json, got, field, '').length === 0;
      });
  };

  const addSent = (attempt: Attempt): void => {
    const { endpoint, row, body, outcome, problems, shown, before } = attempt;
    if (row.body === null || problems.length > 0 || outcome === 'other') return;
    const own = outcome === 'accepted' ? unshownIn(row, body, shown[0]?.entity ?? null) : [];
    const later = new Set(
      outcome === 'accepted'
        ? Object.keys(body).filter(name => isAmong(`/${name}`, own) && isShownLater(attempt, name))
        : [],
    );
    for (const [path, places] of placedIn(row.body, body))
      for (const place of places)
        add(sent, `${endpoint} ${path}`, {
          ...place,
          attempt,
          isShown: outcome === 'accepted' && (later.has(path.split(/[.[]/)[0] ?? '') || !isAmong(place.pointer, own)),
          before: at(before, place.pointer),
        });
  };

  for (const [order, exchange] of exchanges.entries()) {
    const attempt = attemptOf(exchange, order);
    if (attempt === undefined) continue;
    add(attempts, exchange.endpoint, attempt);
    for (const one of attempt.shown) add(seen, one.key, one);
  }
  for (const all of attempts.values()) for (const attempt of all) addSent(attempt);
  return {
    exchanges,
    attempts: endpoint => attempts.get(endpoint) ?? [],
    sent: (endpoint, path) => sent.get(`${endpoint} ${path}`) ?? [],
    sightings: key => seen.get(key) ?? [],
    entities: resource => [...seen.keys()].filter(key => key.startsWith(`${resource}/`)),
  };
}
