import { hash } from 'node:crypto';
import type { Endpoint } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { type Json, membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { Attempt, Sighting } from './attempt.ts';

/** So many values, sets of fields and entities are remembered at most: more than a run of the thorough profile has. */
const most = { values: 200_000, bodies: 2_000, entities: 20_000 } as const;

/** A text by which a value is known again: itself, or its hash where it is long. */
const keyText = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length <= 40 ? text : hash('sha1', text, 'base64');
};

/** What a place of a body was shown to hold. */
function placeHistory() {
  let first: string | undefined;
  let own: string | undefined;
  let isVaried = false;
  return {
    /** A value that was sent and shown, beside what the entity showed there before. */
    note(value: Json, before: Json | undefined): void {
      if (isVaried) return;
      const text = keyText(value);
      first ??= text;
      isVaried = first !== text || (before !== undefined && !same(before, value));
    },
    /** True where it was shown with two values: of one alone nobody knows whether it stood there anyway. */
    isVaried: (): boolean => isVaried,
    /** A value that no other place of the same body had: true where it is another one than the first. */
    noteOwn(value: Json): boolean {
      const text = keyText(value);
      own ??= text;
      return own !== text;
    },
  };
}

/** FNV-1a of a text, 32 bits: of what was accepted only this is remembered. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** True of a request that names a fixture, in its path or in its body. */
export const names = ({ param, body }: Pick<Attempt, 'param' | 'body'>, fixture: string): boolean =>
  param === '' ? JSON.stringify(body).includes(JSON.stringify(fixture)) : param === fixture;

/** What an operation was sent, and took. */
export type OperationHistory = ReturnType<typeof operationHistory>;

/** @param fixtures those on which the operation is carried out, for which it is noted that it was */
function operationHistory(fixtures: readonly string[]) {
  const sent = new Set<string>();
  const shown = new Set<string>();
  const taken = new Set<string>();
  const bodies = new Map<string, ReadonlySet<string>>();
  const values = new Set<number>();
  let hasSent = false;
  let hasAccepted = false;
  return {
    /** The fields that valid requests carried, and those that the answers of an operation show that is put back. */
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
    /** True where a request was accepted on a fixture, or at all. */
    hasTaken: (fixture: string): boolean => (fixture === '' ? hasAccepted : taken.has(fixture)),
    /** True where fields were accepted in one request, and each of some of them at its value: `name=JSON`. */
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
 * What is remembered of the exchanges before one: of entities, of places and of what was accepted as much as later ones
 * are held against, and never the exchanges themselves.
 */
export type History = ReturnType<typeof createHistory>;

/** Begins with nothing known. `written` are the entities to which operations write: of others what they were is not kept. */
export function createHistory(written: ReadonlySet<string>, fixturesOf: (endpoint: EndpointId) => readonly string[]) {
  const entities = new Map<string, Known>();
  const places = new Map<string, ReturnType<typeof placeHistory>>();
  const operations = new Map<EndpointId, OperationHistory>();
  return {
    note({ key, entity, order }: Sighting): void {
      const known = entities.get(key);
      const kept = written.has(key) ? entity : undefined;
      if (known !== undefined) Object.assign(known, { last: order, entity: kept });
      else if (entities.size < most.entities) entities.set(key, { first: order, last: order, entity: kept });
    },
    /** What an entity was when an answer showed it last; undefined where none did, and where nothing writes to it. */
    entity: (key: string): Json | undefined => entities.get(key)?.entity,
    /** True where another entity of the kind than this one was shown before a moment and after it. */
    hasNeighbour(resource: string, key: string, order: number): boolean {
      for (const [other, { first, last }] of entities)
        if (other !== key && other.startsWith(`${resource}/`) && first < order && last > order) return true;
      return false;
    },
    place(endpoint: EndpointId, path: string) {
      const key = `${endpoint} ${path}`;
      const known = places.get(key) ?? placeHistory();
      places.set(key, known);
      return known;
    },
    of(endpoint: EndpointId): OperationHistory {
      const known = operations.get(endpoint) ?? operationHistory(fixturesOf(endpoint));
      operations.set(endpoint, known);
      return known;
    },
  };
}

/** The key of an entity that a path names. */
export const keyOfPath = ({ resource }: Endpoint, param: string): string => `${resource}/${param}`;
