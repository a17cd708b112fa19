import { hash } from 'node:crypto';
import type { Endpoint } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { type Json, membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { compareEcho } from '../judge/echo.ts';
import { entryOf, remember } from '../protocol/entries.ts';
import type { Attempt, Sighting } from './attempt.ts';

/** Maximum number of values, sets of fields and entities remembered: more than a run of the thorough profile has. */
const most = { values: 200_000, bodies: 2_000, entities: 20_000, waiting: 1_000, readers: 4 } as const;

/** Returns a key by which a value is recognised: its text, or a hash of a long one. */
const keyText = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length <= 40 ? text : hash('sha1', text, 'base64');
};

/** The values that a place of a body was shown to hold. */
function placeHistory() {
  let first: string | undefined;
  let own: string | undefined;
  let isVaried = false;
  return {
    /** Notes a value that was sent and shown, and the value shown there before. */
    note(value: Json, before: Json | undefined): void {
      if (isVaried) return;
      const text = keyText(value);
      first ??= text;
      isVaried = first !== text || (before !== undefined && !same(before, value));
    },
    /** True if two different values were shown: a single one may have stood there anyway. */
    isVaried: (): boolean => isVaried,
    /** Notes a value unique within its body. Returns true if it differs from the first such value. */
    noteOwn(value: Json): boolean {
      const text = keyText(value);
      own ??= text;
      return own !== text;
    },
  };
}

/** Returns the FNV-1a hash of a text, 32 bits: only the hash of an accepted value is remembered. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** True if a request names a fixture, in its path or in its body. */
export const names = ({ param, body }: Attempt, fixture: string): boolean =>
  param === '' ? JSON.stringify(body).includes(JSON.stringify(fixture)) : param === fixture;

/** The requests that an operation was sent and accepted. */
export type OperationHistory = ReturnType<typeof operationHistory>;

/** @param fixtures the fixtures for which acceptance is noted */
function operationHistory(fixtures: readonly string[]) {
  const sent = new Set<string>();
  const shown = new Set<string>();
  const taken = new Set<string>();
  const bodies = new Map<string, ReadonlySet<string>>();
  const values = new Set<number>();
  let hasSent = false;
  let hasAccepted = false;
  return {
    /** The fields in valid requests, and the fields shown by answers of an operation whose effect is restored. */
    sent,
    shown,
    hasSent: (): boolean => hasSent,
    hasAccepted: (): boolean => hasAccepted,
    note(attempt: Attempt): void {
      const { body, problems, outcome } = attempt;
      hasSent = true;
      if (attempt.row.effect === 'restorable')
        for (const { entity } of attempt.shown) for (const name in membersOf(entity)) shown.add(name);
      if (problems.length === 0) for (const name in body) sent.add(name);
      if (outcome !== 'accepted') return;
      hasAccepted = true;
      for (const one of fixtures) if (!taken.has(one) && names(attempt, one)) taken.add(one);
      if (problems.length > 0) return;
      const fields = Object.keys(body).sort();
      if (bodies.size < most.bodies) bodies.set(fields.join('\n'), new Set(fields));
      for (const name of fields)
        if (values.size < most.values) values.add(hashOf(`${name}=${JSON.stringify(body[name])}`));
    },
    /** True if a request on the fixture was accepted; an empty name means any request. */
    hasTaken: (fixture: string): boolean => (fixture === '' ? hasAccepted : taken.has(fixture)),
    /** True if some request with these fields was accepted, and each of the values (`name=JSON`) was accepted too. */
    hasAcceptedTogether(fields: readonly string[], sought: readonly string[]): boolean {
      if (!sought.every(one => values.has(hashOf(one)))) return false;
      for (const one of bodies.values()) if (fields.every(name => one.has(name))) return true;
      return false;
    },
  };
}

interface Known {
  readonly first: number;
  last: number;
  entity: Json | undefined;
}

/**
 * The memory of earlier exchanges, reduced to what later ones are compared with: entities, places and accepted values.
 * It never holds exchanges.
 */
export type History = ReturnType<typeof createHistory>;

/** Creates an empty history. `written`: the keys of entities that operations write; the state of others is not kept. */
export function createHistory(written: ReadonlySet<string>, fixturesOf: (endpoint: EndpointId) => readonly string[]) {
  const entities = new Map<string, Known>();
  const places = new Map<string, ReturnType<typeof placeHistory>>();
  const operations = new Map<EndpointId, OperationHistory>();
  return {
    note({ key, entity, order }: Sighting): void {
      const known = entities.get(key);
      const kept = written.has(key) ? entity : undefined;
      if (known) Object.assign(known, { last: order, entity: kept });
      else if (entities.size < most.entities) entities.set(key, { first: order, last: order, entity: kept });
    },
    /** Returns an entity as last shown; undefined if none was shown or nothing writes to it. */
    entity: (key: string): Json | undefined => entities.get(key)?.entity,
    /** True if another entity of the kind was shown both before and after a moment. */
    hasNeighbour(resource: string, key: string, order: number): boolean {
      for (const [other, { first, last }] of entities)
        if (other !== key && other.startsWith(`${resource}/`) && first < order && last > order) return true;
      return false;
    },
    place: (endpoint: EndpointId, path: string) => entryOf(places, `${endpoint} ${path}`, placeHistory),
    of: (endpoint: EndpointId): OperationHistory =>
      entryOf(operations, endpoint, () => operationHistory(fixturesOf(endpoint))),
  };
}

/** Returns the key of the entity that a path names. */
export const keyOfPath = ({ resource }: Endpoint, param: string): string => `${resource}/${param}`;

/** A written field that other operations have still to show. */
interface Unread {
  readonly attempt: Attempt;
  readonly field: string;
  /** The operations whose answers were compared with it. */
  readonly readBy: Set<string>;
}

/** Waits for other operations to show what was written. */
export function createUnreads() {
  const known = new Map<string, Map<string, Unread>>();
  return {
    /** Remembers the fields of an accepted write, in place of earlier writes. */
    wait(attempt: Attempt, fields: readonly string[]): void {
      const key = attempt.shown[0]?.key;
      if (key === undefined || fields.length === 0) return;
      const own = known.get(key) ?? new Map<string, Unread>();
      for (const field of fields) own.set(`${attempt.endpoint} ${field}`, { attempt, field, readBy: new Set() });
      remember(known, key, own, most.waiting);
    },
    /** Returns the written fields that an answer of another operation covers, and whether it shows them as written. */
    read({ key, endpoint, entity }: Sighting): { attempt: Attempt; field: string; isShown: boolean }[] {
      return [...(known.get(key) ?? [])].flatMap(([name, { attempt, field, readBy }]) => {
        if (attempt.endpoint === endpoint || readBy.has(endpoint)) return [];
        readBy.add(endpoint);
        if (readBy.size >= most.readers) known.get(key)?.delete(name);
        const got = membersOf(entity)[field] as Json | undefined;
        const schema = attempt.row.body?.properties?.[field];
        const isShown = got !== undefined && compareEcho(attempt.body[field] as Json, got, schema, '').length === 0;
        return { attempt, field, isShown };
      });
    },
  };
}
