import { type CollectionName, type Collections, collectionNames } from '../entities.ts';
import { freeze, type Snapshot } from './store.ts';

/** An entity with its position in a collection. */
interface Placed {
  readonly position: number;
  /** Undefined if the entity was removed. */
  readonly value: unknown;
}

/** An entity with its new value; without a value it was removed. */
export type Entity = readonly [collection: CollectionName, id: string, value?: unknown];

const entity = (collection: CollectionName, id: string, value?: unknown): Entity =>
  value === undefined ? [collection, id] : [collection, id, value];

/** The base of a layer: the entities of a collection, including removed ones. */
export interface Ground {
  /** Returns an entity with its position; undefined if it never existed. */
  readonly at: (collection: CollectionName, id: string) => Placed | undefined;
  /** Returns all of them by id. */
  readonly table: (collection: CollectionName) => ReadonlyMap<string, Placed>;
  /** Returns the existing ones, in order: the same array until it changes. */
  readonly list: <C extends CollectionName>(collection: C) => readonly Collections[C][];
  /** Returns a position after all others. */
  readonly end: (collection: CollectionName) => number;
}

/** Memoizes a function of a collection. */
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

/** Freezes a state and returns it as a ground. */
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

/** Returns everything in a ground or layer as one state. */
export const stateOf = ({ table }: Ground): Snapshot =>
  Object.fromEntries(collectionNames.map(name => [name, present(table(name))])) as unknown as Snapshot;

/**
 * The differences from a ground. A layer copies nothing, and other layers may stand on it. Entities are ordered by
 * their first put; an entity that is removed and put again comes last.
 */
export interface Layer extends Ground {
  /** Returns an entity, or undefined. */
  readonly get: <C extends CollectionName>(collection: C, id: string) => Collections[C] | undefined;
  /** Replaces an entity in its place, or appends a new one; without a value, removes it. */
  readonly put: (collection: CollectionName, id: string, value: unknown) => void;
  /** Returns the entities to write over the ground, in order, to recreate the layer. */
  readonly differences: () => readonly Entity[];
}

/** Returns an empty layer over a ground. */
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
