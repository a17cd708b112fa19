import type { Naming } from '../../contracts/target.ts';
import { ConnectionEnd } from '../api/connection-end.ts';
import { refusal } from '../api/response.ts';
import { byId, type Layer, layerOf } from '../decorators/layers.ts';
import type { Notes } from '../store/backend.ts';
import type { Catalogue } from './catalogue.ts';
import { latencyOf } from './draw.ts';
import { type BehaviourRequest, countKeys, type StoredBehaviour } from './schema.ts';

/** What the layers of behaviours need of the server. */
export interface Surroundings {
  /** The key of the world. */
  readonly apiKey: string;
  readonly naming: Naming;
  /** What behaviours can switch. */
  readonly catalogue: Catalogue;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** The notes of the world, where what is counted is kept. */
  readonly notes: Notes;
}

/** What a rate limit has let through: when its time began, by the clock of the world, and how many came since. */
type Window = { readonly since: number; readonly count: number };

/** The window after one more request. */
const windowAfter = (window: Window | undefined, now: number, length: number): Window =>
  window === undefined || now < window.since || now >= window.since + length
    ? { since: now, count: 1 }
    : { since: window.since, count: window.count + 1 };

type Effect = (behaviour: StoredBehaviour, around: Surroundings) => Layer | undefined;

const held: Effect = ({ latency, seed = 0 }, { wait }) => {
  if (latency === undefined) return undefined;
  let count = 0;
  return {
    decorate:
      (_id, handler) =>
      async (...given) => {
        count += 1;
        await wait(latencyOf(latency, seed, count - 1));
        return handler(...given);
      },
  };
};

const limited: Effect = ({ rateLimit, id, made }, { notes }) => {
  if (rateLimit === undefined) return undefined;
  const { requests, seconds } = rateLimit;
  const length = seconds * 1000;
  return {
    decorate: (_id, handler) => async (request, store, settings) => {
      const now = settings.now();
      const counted = await notes.change(countKeys(made).rate, before => windowAfter(before as Window, now, length));
      const { since, count } = counted as Window;
      if (count <= requests) return handler(request, store, settings);
      const retryAfter = String(Math.max(1, Math.ceil((since + length - now) / 1000)));
      return { ...refusal(429, `Too many requests (behaviour ${id}).`), headers: { 'Retry-After': retryAfter } };
    },
  };
};

const ended: Effect = ({ connection, afterWork = false }) =>
  connection === undefined
    ? undefined
    : {
        decorate:
          (_id, handler) =>
          async (...given) => {
            if (afterWork) await handler(...given);
            throw new ConnectionEnd(connection);
          },
      };

const failed: Effect = ({ error, afterWork = false, id }) => {
  if (error === undefined) return undefined;
  const { status, message = `Made to fail by behaviour ${id}.`, headers = {} } = error;
  const body = Object.hasOwn(error, 'body') ? error.body : { status, message };
  return {
    decorate:
      (_id, handler) =>
      async (...given) => {
        if (afterWork) await handler(...given);
        return { status, headers, body };
      },
  };
};

const varied: Effect = ({ dialect }, around) =>
  dialect === undefined ? undefined : layerOf(byId(around.catalogue.dialects, 'dialect')(dialect), around);

const broken: Effect = ({ fault }, around) =>
  fault === undefined ? undefined : layerOf(byId(around.catalogue.faults, 'fault')(fault), around);

/** What a behaviour can do, from the inside out. */
export const effects = {
  fault: broken,
  dialect: varied,
  error: failed,
  connection: ended,
  rateLimit: limited,
  latency: held,
} as const satisfies { readonly [E in keyof BehaviourRequest]?: Effect };

/** The layers of a behaviour, made anew: what they count or remember belongs to it. */
export const layersOf = (behaviour: StoredBehaviour, around: Surroundings): readonly Layer[] =>
  Object.values(effects).flatMap(effect => effect(behaviour, around) ?? []);
