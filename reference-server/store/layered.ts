import { type CollectionName, type Collections, collectionNames } from '../entities.ts';
import type { Writes } from './overlay.ts';
import { freeze, type Snapshot } from './store.ts';

/** An entity at its place in a collection. */
export interface Placed {
  readonly position: number;
  /** Undefined where the entity was taken away. */
  readonly value: unknown;
}

/** An entity as it is written. */
export interface Change extends Placed {
  readonly collection: CollectionName;
  readonly id: string;
}

/** What states begin with: shared by all that begin with it, never changed. */
export interface Ground {
  /** The entities of a collection by id, and those that were taken away. */
  readonly table: (collection: CollectionName) => ReadonlyMap<string, Placed>;
  /** The same in order, without those that were taken away; always the same array. */
  readonly list: (collection: CollectionName) => readonly unknown[];
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

const inOrder = (placed: ReadonlyMap<string, Placed>): [string, unknown][] =>
  [...placed]
    .filter(([, { value }]) => value !== undefined)
    .sort(([, one], [, other]) => one.position - other.position)
    .map(([id, { value }]) => [id, value]);

const valuesOf = (placed: ReadonlyMap<string, Placed>): readonly unknown[] => inOrder(placed).map(([, value]) => value);

/** The ground that a state is. The state is frozen. */
export const groundOf = (state: Snapshot): Ground => {
  freeze(state);
  const table = perCollection(
    name => new Map(state[name]?.map(([id, value], position) => [id, { position, value }] as const)),
  );
  return { table, list: perCollection(name => valuesOf(table(name))) };
};

/** All there is in a ground, or in a layer, as one state. */
export const stateOf = ({ table }: Pick<Ground, 'table'>): Snapshot =>
  Object.fromEntries(collectionNames.map(name => [name, inOrder(table(name))])) as unknown as Snapshot;

/**
 * What differs from a ground: it copies nothing of it. The order is that in which entities were first put; one that was
 * taken away and put again comes last.
 */
export interface Layer {
  /** Counts writes, so that what is put later stands later. */
  readonly revision: number;
  /** One entity, or undefined. */
  readonly get: <C extends CollectionName>(collection: C, id: string) => Collections[C] | undefined;
  /** All of a collection: the same array until it changes. */
  readonly list: <C extends CollectionName>(collection: C) => readonly Collections[C][];
  /** All of a collection as it will be after writes. */
  readonly listWith: (collection: CollectionName, written: ReadonlyMap<string, unknown>) => readonly unknown[];
  readonly table: Ground['table'];
  /** Writes at their places: what is there keeps its place, what is new comes last. */
  readonly placed: (writes: Writes) => readonly Change[];
  /** Takes over what was changed up to a revision; nothing where that is known already. */
  readonly advance: (revision: number, changes: readonly Change[]) => void;
  /** What is to be written, in this order, to make the layer of its ground. */
  readonly differences: () => readonly Omit<Change, 'position'>[];
}

/** A layer over a ground in which nothing was written yet; its revision is -1. */
export function layerOver(ground: Ground): Layer {
  const changed = new Map<CollectionName, Map<string, Placed>>();
  const lists = new Map<CollectionName, readonly unknown[]>();
  let revision = -1;

  const tableWith = (collection: CollectionName, over: ReadonlyMap<string, Placed>): ReadonlyMap<string, Placed> =>
    new Map([...ground.table(collection), ...over]);

  const table = (collection: CollectionName): ReadonlyMap<string, Placed> => {
    const over = changed.get(collection);
    return over === undefined ? ground.table(collection) : tableWith(collection, over);
  };

  const placedIn = (collection: CollectionName, id: string): Placed | undefined =>
    changed.get(collection)?.get(id) ?? ground.table(collection).get(id);

  const placed: Layer['placed'] = writes => {
    let at = revision;
    return [...writes].flatMap(([collection, written]) =>
      [...written].map(([id, value]) => {
        at += 1;
        const before = placedIn(collection, id);
        const isThere = before?.value !== undefined;
        return { collection, id, value, position: isThere ? before.position : ground.table(collection).size + at };
      }),
    );
  };

  return {
    get revision() {
      return revision;
    },
    get: (collection, id) => placedIn(collection, id)?.value as never,
    list: collection => {
      if (!changed.has(collection)) return ground.list(collection) as never;
      const list = lists.get(collection) ?? valuesOf(table(collection));
      lists.set(collection, list);
      return list as never;
    },
    listWith: (collection, written) => {
      const over = new Map(changed.get(collection));
      for (const { id, ...change } of placed(new Map([[collection, new Map(written)]]))) over.set(id, change);
      return valuesOf(tableWith(collection, over));
    },
    table,
    placed,
    advance: (to, changes) => {
      if (to <= revision) return;
      revision = to;
      for (const { collection, id, position, value } of changes) {
        const over = changed.get(collection) ?? new Map<string, Placed>();
        changed.set(collection, over);
        lists.delete(collection);
        if (value === undefined && !ground.table(collection).has(id)) over.delete(id);
        else over.set(id, { position, value });
      }
    },
    differences: () =>
      [...changed].flatMap(([collection, over]) => {
        const written = [...over].sort(([, one], [, other]) => one.position - other.position);
        const isMoved = ([id, { position }]: readonly [string, Placed]): boolean =>
          (ground.table(collection).get(id)?.position ?? position) !== position;
        return [
          ...written.filter(isMoved).map(([id]) => ({ collection, id, value: undefined })),
          ...written.map(([id, { value }]) => ({ collection, id, value })),
        ];
      }),
  };
}
