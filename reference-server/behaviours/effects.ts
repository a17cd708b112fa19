import type { ScriptedAnswer } from '../../contracts/behaviour.ts';
import type { Naming } from '../../contracts/target.ts';
import type { PlannedAnswer } from '../api/planned.ts';
import { refusal } from '../api/response.ts';
import { byId, type Layer, layerOf, type Variation } from '../decorators/layers.ts';
import type { Notes } from '../store/backend.ts';
import type { CatalogueSource } from './catalogue.ts';
import { countKeys, type StoredBehaviour } from './schema.ts';

/** The parts of the server that behaviours use. */
export interface Surroundings {
  /** The key of the world. */
  readonly apiKey: string;
  readonly naming: Naming;
  /** The faults and dialects to switch. */
  readonly catalogue: CatalogueSource;
  /** Resolves after the given time. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** The notes of the world, which hold the counts. */
  readonly notes: Notes;
}

/** Returns fresh layers for a behaviour, because they hold its own state. */
export const layersOf = async (behaviour: StoredBehaviour, around: Surroundings): Promise<readonly Layer[]> => {
  if (behaviour.fault === undefined && behaviour.dialect === undefined) return [];
  const { faults: fault, dialects: dialect } = await around.catalogue();
  return Object.entries({ fault, dialect }).flatMap(([kind, rows]) => {
    const id = behaviour[kind as 'fault' | 'dialect'];
    return id === undefined ? [] : [layerOf(byId<Variation>(rows, kind)(id), around)];
  });
};

/** A rate limit's window: its start, by the clock of the world, and the requests since. */
type Window = { readonly since: number; readonly count: number };

/** Returns the window after one more request. */
const windowAfter = (window: Window | undefined, now: number, length: number): Window =>
  window === undefined || now < window.since || now >= window.since + length
    ? { since: now, count: 1 }
    : { since: window.since, count: window.count + 1 };

/** Counts a request against a rate limit. Returns the 429 if it exceeds the limit, otherwise undefined. */
export const limited = async (
  { rateLimit, id, made }: StoredBehaviour,
  notes: Notes,
  now: number,
): Promise<PlannedAnswer | undefined> => {
  if (rateLimit === undefined) return undefined;
  const length = rateLimit.seconds * 1000;
  const counted = await notes.change(countKeys(made).rate, before => windowAfter(before as Window, now, length));
  const { since, count } = counted as Window;
  if (count <= rateLimit.requests) return undefined;
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil((since + length - now) / 1000))) };
  const answer = { ...refusal(429, `Too many requests (behaviour ${id}).`), headers };
  return { behaviour: id, left: null, answer, effect: 'none' };
};

/** Statuses of answers that have no body (RFC 9110, section 6.4.1). */
export const withoutBody: readonly number[] = [204, 205, 304];

/** Returns the body for a step of a script. */
const bodyOf = (behaviour: string, status: number, step: ScriptedAnswer): unknown => {
  const { text, bytes, message = `Made ${status < 400 ? '' : 'to fail '}by behaviour ${behaviour}.` } = step;
  if (withoutBody.includes(status)) return undefined;
  if (bytes !== undefined) return Buffer.from(bytes, 'base64');
  if (text !== undefined) return Buffer.from(text);
  return Object.hasOwn(step, 'body') ? step.body : { status, message };
};

/** Wire failures without an answer: by default, the operation is not carried out. */
export const unanswered: readonly (string | undefined)[] = ['reset', 'close', 'garbage', 'stall'];

/** Returns when a step carries out the operation. */
export const effectOf = ({ effect, status, wire }: ScriptedAnswer): PlannedAnswer['effect'] =>
  effect ?? (status !== undefined || unanswered.includes(wire) ? 'none' : 'before');

/** Returns the answer that a step plans. `left`: how many more requests the behaviour answers. */
export const plannedOf = (behaviour: string, step: ScriptedAnswer, left: number | null): PlannedAnswer => {
  const { status, headers = {}, wire, bytesPerSecond } = step;
  const answer = status !== undefined && { status, headers, body: bodyOf(behaviour, status, step) };
  return { behaviour, left, ...(answer && { answer }), wire, bytesPerSecond, effect: effectOf(step) };
};
