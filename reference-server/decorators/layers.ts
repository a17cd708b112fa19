import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import type { Naming } from '../../contracts/target.ts';
import type { Hooks } from '../api/hooks.ts';

/** The properties of the server that a decorator may use. */
export interface DecoratedServer {
  readonly apiKey: string;
  readonly naming: Naming;
  /** The operations that the row names; undefined if the row changes the whole server. */
  readonly endpoints: readonly EndpointId[] | undefined;
}

/**
 * Creates the hooks of one change. Called for each server, so that no counters or memory are shared between servers.
 */
export type Decorator = (server: DecoratedServer) => Hooks;

/** A decorator with a sentence that says what the server does. */
export type Operator = Decorator & { readonly does: string };

/** Adds the sentence to a decorator. */
export const does = (sentence: string, decorator: Decorator): Operator =>
  Object.assign((server: DecoratedServer) => decorator(server), { does: sentence });

let listing: Intl.ListFormat | undefined;

/** Lists field names in prose: "`a`, `b` and `c`". */
export function namesOf(fields: readonly string[]): string {
  // Created at first use: it takes a twentieth of the start of a server, and few servers need it.
  listing ??= new Intl.ListFormat('en');
  return listing.format(fields.map(name => `\`${name}\``));
}

/** Writes a value in prose. */
export const valueText = (value: unknown): string => `\`${JSON.stringify(value)}\``;

/** Makes a decorator anew for each server, so that what it remembers is not shared between servers. */
export const perServer =
  (make: (server: DecoratedServer) => Decorator): Decorator =>
  server =>
    make(server)(server);

/** Creates a decorator with a counter for each server; it counts from 1. */
export const counting = (make: (next: () => number) => Decorator): Decorator =>
  perServer(() => {
    let count = 0;
    return make(() => {
      count += 1;
      return count;
    });
  });

/** A row of a catalogue: one way in which the server can differ. */
export interface Variation {
  /** Stable, because command lines and reports name it. */
  readonly id: string;
  /** What the server does. */
  readonly title: string;
  /** The operations that differ; absent: all. */
  readonly endpoints?: readonly EndpointId[];
  readonly decorator: Decorator;
}

/**
 * Returns a lookup of the rows of a catalogue by id, which throws a RangeError for an unknown id. `kind` names a row in
 * the message.
 */
export const byId = <Row extends Variation>(rows: readonly Row[], kind: string): ((id: string) => Row) => {
  const known: ReadonlyMap<string, Row> = new Map(rows.map(row => [row.id, row]));
  return id => {
    const row = known.get(id);
    if (row === undefined) throw new RangeError(`there is no ${kind} called ${JSON.stringify(id)}`);
    return row;
  };
};

/**
 * Hooks whose operation hooks apply only to `endpoints`. Those of the key check, the store and raw HTTP always apply.
 */
export interface Layer extends Hooks {
  readonly endpoints?: readonly EndpointId[] | undefined;
}

/** Creates the hooks of a row for one server. */
export const layerOf = (
  { decorator, endpoints }: Variation,
  server: Pick<DecoratedServer, 'apiKey' | 'naming'>,
): Layer => ({
  ...decorator({ ...server, endpoints }),
  endpoints,
});

/** Combines layers of hooks. Each wraps the result of those before it, so the last one is outermost. */
export const combinedHooks = (layers: readonly Layer[]): Required<Hooks> => {
  const each = <T>(part: T, wrap: (layer: Layer, inner: T) => T | undefined): T =>
    layers.reduce((inner, layer) => wrap(layer, inner) ?? inner, part);
  const eachOf = <T>(id: EndpointId, part: T, wrap: (layer: Layer, inner: T) => T | undefined): T =>
    each(part, (layer, inner) => ((layer.endpoints ?? endpointIds).includes(id) ? wrap(layer, inner) : undefined));
  return {
    decorate: (id, handler) => eachOf(id, handler, (layer, inner) => layer.decorate?.(id, inner)),
    decorateOperation: (id, handler) => eachOf(id, handler, (layer, inner) => layer.decorateOperation?.(id, inner)),
    decorateValidate: (id, validate) => eachOf(id, validate, (layer, inner) => layer.decorateValidate?.(id, inner)),
    decorateAuthorise: authorise => each(authorise, (layer, inner) => layer.decorateAuthorise?.(inner)),
    decorateStore: store => each(store, (layer, inner) => layer.decorateStore?.(inner)),
    decorateListener: listener => each(listener, (layer, inner) => layer.decorateListener?.(inner)),
  };
};

/** Combines decorators. Where they use the same hook, each wraps the result of those before it. */
export const both =
  (...decorators: readonly Decorator[]): Decorator =>
  server => {
    const layers = decorators.map(decorator => decorator(server));
    const used = Object.entries(combinedHooks(layers)).filter(([name]) => layers.some(layer => name in layer));
    return Object.fromEntries(used);
  };
