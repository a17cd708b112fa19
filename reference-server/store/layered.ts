import { type CollectionName, type Collections, collectionNames } from '../entities.ts';
import { freeze, type Snapshot } from './store.ts';

/** An entity at its place in a collection. */
interface Placed {
  readonly position: number;
  /** Undefined where the entity was taken away. */
  readonly value: unknown;
}

/** An entity with its new value; without one where it was taken away. */
export type Entity = readonly [collection: CollectionName, id: string, value?: unknown];

const entity = (collection: CollectionName, id: string, value?: unknown): Entity =>
  value === undefined ? [collection, id] : [collection, id, value];

/** What a layer stands on: the entities of a collection, also those that were taken away. */
export interface Ground {
  /** An entity at its place; undefined where there never was one. */
  readonly at: (collection: CollectionName, id: string) => Placed | undefined;
  /** All of them by id. */
  readonly table: (collection: CollectionName) => ReadonlyMap<string, Placed>;
  /** Those that are there, in order: the same array until it changes. */
  readonly list: <C extends CollectionName>(collection: C) => readonly Collections[C][];
  /** A place behind all others. */
  readonly end: (collection: CollectionName) => number;
}

/** Makes something of a collection once, when it is asked for. */
const perCollection = <T>(make: (collection: CollectionName) => T): ((collection: CollectionName) => T) => {
  const made = new Map<CollectionName, T>();
  return collection => {
    const known = made.get(collection) ?? make(collection);
    made.set(collection, known);
    return known;
  };
};

const inOrder = (placed: ReadonlyMap<string, Placed>): (readonly [string, Placed])[] =>
  [...placed].sort(([, one], [, other]) => one.position - other.position);

const present = (placed: ReadonlyMap<string, Placed>): (readonly [string, unknown])[] =>
  inOrder(placed).flatMap(([id, { value }]) => (value === undefined ? [] : [[id, value] as const]));

const valuesOf = (placed: ReadonlyMap<string, Placed>) => present(placed).map(([, value]) => value) as never;

/** The ground that a state is. The state is frozen. */
export const groundOf = (state: Snapshot): Ground => {
  freeze(state);
  const table = perCollection(
    name => new Map(state[name]?.map(([id, value], position) => [id, { position, value }] as const)),
  );
  return {
    at: (collection, id) => table(collection).get(id),
    table,
    list: perCollection(name => valuesOf(table(name))),
    end: collection => table(collection).size,
  };
};

/** All there is in a ground, or in a layer, as one state. */
export const stateOf = ({ table }: Ground): Snapshot =>
  Object.fromEntries(collectionNames.map(name => [name, present(table(name))])) as unknown as Snapshot;

/**
 * What differs from a ground: it copies nothing of it, and other layers may stand on it. The order is that in which
 * entities were first put; one that was taken away and put again comes last.
 */
export interface Layer extends Ground {
  /** One entity, or undefined. */
  readonly get: <C extends CollectionName>(collection: C, id: string) => Collections[C] | undefined;
  /** Puts an entity in its place, a new one last; without a value it is taken away. */
  readonly put: (collection: CollectionName, id: string, value: unknown) => void;
  /** What is to be written over its ground, in this order, to make the layer of it. */
  readonly differences: () => readonly Entity[];
}

/** A layer over a ground in which nothing was written yet. */
export const layerOver = (ground: Ground): Layer => {
  const changed = new Map<CollectionName, Map<string, Placed>>();
  const lists = new Map<CollectionName, readonly unknown[]>();
  let writes = 0;
  const at: Ground['at'] = (collection, id) => changed.get(collection)?.get(id) ?? ground.at(collection, id);
  const end: Ground['end'] = collection => ground.end(collection) + writes;
  const table: Ground['table'] = collection => {
    const over = changed.get(collection);
    return over === undefined ? ground.table(collection) : new Map([...ground.table(collection), ...over]);
  };
  return {
    at,
    table,
    end,
    get: (collection, id) => at(collection, id)?.value as never,
    list: collection => {
      if (!changed.has(collection)) return ground.list(collection);
      const list = lists.get(collection) ?? valuesOf(table(collection));
      lists.set(collection, list);
      return list as never;
    },
    put: (collection, id, value) => {
      const before = at(collection, id);
      const isThere = before?.value !== undefined;
      if (value === undefined && !isThere) return;
      const over = changed.get(collection) ?? new Map<string, Placed>();
      changed.set(collection, over);
      lists.delete(collection);
      if (value === undefined && ground.at(collection, id)?.value === undefined) over.delete(id);
      else over.set(id, { position: isThere ? before.position : end(collection), value: freeze(value) });
      writes += 1;
    },
    differences: () =>
      [...changed].flatMap(([collection, over]) => {
        const written = inOrder(over);
        const isMoved = ([id, { position }]: readonly [string, Placed]): boolean => {
          const before = ground.at(collection, id);
          return before?.value !== undefined && before.position !== position;
        };
        return [
          ...written.filter(isMoved).map(([id]) => entity(collection, id)),
          ...written.map(([id, { value }]) => entity(collection, id, value)),
        ];
      }),
  };
};
