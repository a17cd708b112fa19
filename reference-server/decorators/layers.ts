import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import type { Naming } from '../../contracts/target.ts';
import type { Hooks } from '../api/hooks.ts';

/** What a decorator may know of the server that it changes. */
export interface DecoratedServer {
  readonly apiKey: string;
  readonly naming: Naming;
  /** The operations that the row names; undefined where it names none and the whole server is meant. */
  readonly endpoints: readonly EndpointId[] | undefined;
}

/** Makes the hooks of one change, anew for each server: what it counts or remembers belongs to that server. */
export type Decorator = (server: DecoratedServer) => Hooks;

/** A decorator that tells what the server does, as a sentence. */
export type Operator = Decorator & { readonly does: string };

/** Gives a decorator its sentence. */
export const does = (sentence: string, decorator: Decorator): Operator =>
  Object.assign((server: DecoratedServer) => decorator(server), { does: sentence });

let listing: Intl.ListFormat | undefined;

/** The names of some fields, as a sentence has them. */
export function namesOf(fields: readonly string[]): string {
  // Made at its first use: it takes a twentieth of the start of a server, and few servers differ.
  listing ??= new Intl.ListFormat('en');
  return listing.format(fields.map(name => `\`${name}\``));
}

/** Two decorators, of different hooks, as one. */
export const both =
  (one: Decorator, other: Decorator): Decorator =>
  server => ({ ...one(server), ...other(server) });

/** A row of a catalogue: one way in which the server can be made to differ. */
export interface Variation {
  /** Stable: command lines and reports name it. */
  readonly id: string;
  /** What the server does. */
  readonly title: string;
  /** The operations that differ; all when absent. */
  readonly endpoints?: readonly EndpointId[];
  readonly decorator: Decorator;
}

/**
 * Finds the rows of a catalogue by id. What it gives throws a RangeError where there is none; `kind` says what a row
 * is.
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
 * Hooks of which those of single operations bind some operations only. Key check, store and raw HTTP have no operation.
 */
export interface Layer extends Hooks {
  readonly endpoints?: readonly EndpointId[] | undefined;
}

/** The hooks of a row, made for one server. */
export const layerOf = (
  { decorator, endpoints }: Variation,
  server: Pick<DecoratedServer, 'apiKey' | 'naming'>,
): Layer => ({
  ...decorator({ ...server, endpoints }),
  endpoints,
});

/** Several layers of hooks as one: each is given what those before it made, so that the last one stands outermost. */
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
