import type { Endpoint } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { isObject, type Json, membersOf } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { at, differences, same } from '../../contracts/pointer.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';

/** As much of an exchange as the ledger counts by. */
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

/** A request of an operation as it is documented, and what became of it. */
export type Attempt = Readonly<NonNullable<ReturnType<typeof attemptOf>>>;

/** An entity as an answer shows it. */
export interface Sighting {
  readonly endpoint: EndpointId;
  /** Its kind, and what identifies it. */
  readonly key: string;
  readonly entity: Json;
  readonly order: number;
}

/** How an entity is known: by the path, by what its answer says, or (environments) as the only one. */
const keyOf = (row: Endpoint, param: string, entity: Json): string => {
  const member = row.list ? row.itemKey[0] : row.identity?.is === 'param' ? undefined : row.identity?.member;
  return `${row.resource}/${member === undefined ? param : String(membersOf(entity)[member])}`;
};

const isFramed = ({ list }: Endpoint, data: unknown): boolean => (list ? Array.isArray(data) : isObject(data));

/** What an exchange tries; undefined where it is no request of its operation, or carries no body of an object. */
export function attemptOf(
  { id, endpoint, request, status, value }: LedgerExchange,
  row: Endpoint,
  order: number,
  entityBefore: (key: string) => Json | undefined,
) {
  const { param = '', query = {}, body = {}, key, own } = request;
  if (!own || !isObject(body)) return undefined;
  const { data } = membersOf(value) as { readonly data?: Json };
  const isSuccess = status >= 200 && status < 300;
  const isAccepted = key === 'valid' && isSuccess && data !== undefined && isFramed(row, data);
  const entities = isAccepted ? [data].flat() : [];
  const problems: readonly Problem[] = row.body === null ? [] : validatorFor(row.body)(body);
  const shown = entities.map((entity): Sighting => ({ endpoint, key: keyOf(row, param, entity), entity, order }));
  const isRefused = status >= 400 && status < 500;
  return {
    id,
    endpoint,
    row,
    param,
    query,
    body,
    key,
    status,
    /** What of the body breaks its schema. */
    problems,
    /** Accepted: a success whose answer has `data` of the stated kind. Refused: a 4xx. */
    outcome: isAccepted ? ('accepted' as const) : isRefused ? ('refused' as const) : ('other' as const),
    value,
    /** The entities that its answer shows. */
    shown,
    /** How its entity was shown last before it; absent of a creation, and of what nothing showed. */
    before: row.action === 'create' ? undefined : entityBefore(`${row.resource}/${param}`),
    order,
  };
}

/**
 * The pointers at which what is sent differs from what the entity showed before it. A member that is not sent and is
 * shown afterwards as before is none: the service adds members of its own to objects, the id of a group for one.
 */
export const changedBy = memoized(({ body, before, shown }: Attempt): readonly string[] => {
  if (!isObject(before)) return [];
  const after = shown[0]?.entity;
  const stays = (pointer: string): boolean => {
    const held = at(before, pointer);
    return held !== undefined && at(body, pointer) === undefined && same(held, at(after, pointer) ?? null);
  };
  return Object.entries(body)
    .flatMap(([name, sent]) => differences(Object.hasOwn(before, name) ? before[name] : undefined, sent, `/${name}`))
    .filter(pointer => !stays(pointer));
});

/** The text of every scalar of a body that may tell a value from others, and how often it stands there. */
export const scalarsOf = memoized(({ body }: Attempt): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const visit = (here: Json): void => {
    if (typeof here === 'object' && here !== null) for (const inner of Object.values(here)) visit(inner);
    else {
      const text = JSON.stringify(here);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  };
  visit(body);
  return counts;
});
