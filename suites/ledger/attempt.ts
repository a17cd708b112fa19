import type { Endpoint } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { isObject, type Json, membersOf } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { at, differences, same } from '../../contracts/pointer.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
import { count } from '../protocol/entries.ts';

/** The parts of an exchange that the ledger needs. */
export interface LedgerExchange {
  readonly id: string;
  readonly endpoint: EndpointId;
  readonly request: {
    readonly param?: string;
    readonly query?: Readonly<Record<string, string | number>>;
    readonly body?: Json;
    readonly key: 'valid' | 'none' | 'other';
    /** False if the request has another method or path than its operation. */
    readonly own: boolean;
  };
  readonly status: number;
  readonly value?: Json;
}

/** A documented request of an operation, with its outcome. */
export type Attempt = Readonly<NonNullable<ReturnType<typeof attemptOf>>>;

/** An entity in an answer. */
export interface Sighting {
  readonly endpoint: EndpointId;
  /** Its kind and its identity. */
  readonly key: string;
  readonly entity: Json;
  readonly order: number;
}

/** Returns the key of an entity: by the path, by the answer, or as the only one of its kind (environments). */
const keyOf = (row: Endpoint, param: string, entity: Json): string => {
  const member = row.list ? row.itemKey[0] : row.identity?.is === 'param' ? undefined : row.identity?.member;
  return `${row.resource}/${member === undefined ? param : String(membersOf(entity)[member])}`;
};

const isFramed = ({ list }: Endpoint, data: unknown): boolean => (list ? Array.isArray(data) : isObject(data));

/** Returns what an exchange tries; undefined if the request is not its operation's own or its body is no object. */
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
  const problems: readonly Problem[] = row.body ? validatorFor(row.body)(body) : [];
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
    /** The violations of the schema in the body. */
    problems,
    /** Accepted: a success whose answer has `data` of the stated kind. Refused: a 4xx. */
    outcome: isAccepted ? ('accepted' as const) : isRefused ? ('refused' as const) : ('other' as const),
    value,
    /** The entities in the answer. */
    shown,
    /** Its entity as last shown before; undefined for a creation and for an entity never shown. */
    before: row.action === 'create' ? undefined : entityBefore(`${row.resource}/${param}`),
    order,
  };
}

/**
 * Returns the pointers at which the body differs from the entity shown before. Skips unsent members that stay
 * unchanged: the service adds its own members to objects, such as the id of a group.
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

/** Returns each scalar of a body as JSON text, with the number of its occurrences. */
export const scalarsOf = memoized(({ body }: Attempt): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const visit = (here: Json): void => {
    if (typeof here === 'object' && here) for (const inner of Object.values(here)) visit(inner);
    else count(counts, JSON.stringify(here));
  };
  visit(body);
  return counts;
});
