import { type CollectionName, type Collections, collectionNames } from '../../entities.ts';
import type { Writes } from '../overlay.ts';
import { freeze, type Snapshot } from '../store.ts';
import type { Row } from './database.ts';
import { type Ground, inOrder, type Placed } from './seeds.ts';

/** An entity as it is written. */
export interface Change extends Placed {
  readonly collection: CollectionName;
  readonly id: string;
  readonly revision: number;
}

/**
 * What this process knows of one generation of a world: its ground, and what differs from it up to a revision. It holds
 * no more than what differs.
 */
export interface Mirror {
  readonly generation: number;
  /** The generation of the snapshot that the world stands on, or null. */
  readonly base: number | null;
  readonly revision: number;
  /** Whether it differs from its ground. */
  readonly isChanged: () => boolean;
  /** One entity, or undefined. */
  readonly get: <C extends CollectionName>(collection: C, id: string) => Collections[C] | undefined;
  /** All of a collection: the same array until it changes. */
  readonly list: <C extends CollectionName>(collection: C) => readonly Collections[C][];
  /** All of a collection as it will be after writes. */
  readonly listWith: (collection: CollectionName, written: ReadonlyMap<string, unknown>) => readonly unknown[];
  /** All of a collection with its ids. */
  readonly pairs: (collection: CollectionName) => readonly (readonly [string, unknown])[];
  /** Writes at their places: what is there keeps its place, what is new comes last. */
  readonly placed: (writes: Writes) => readonly Change[];
  /** Takes over what was changed up to a revision; nothing where that is known already. */
  readonly advance: (revision: number, changes: readonly Omit<Change, 'revision'>[]) => void;
}

/** A change as a row of the database has it. */
export const changeOf = ({ collection, id, position, value }: Row): Omit<Change, 'revision'> => ({
  collection: collection as CollectionName,
  id: JSON.parse(String(id)) as string,
  position: Number(position),
  value: value === null ? undefined : freeze(JSON.parse(String(value))),
});

/** All that a mirror knows, as one state. */
export const stateOf = (mirror: Mirror): Snapshot =>
  Object.fromEntries(collectionNames.map(name => [name, mirror.pairs(name)])) as unknown as Snapshot;

/** A mirror of a generation of which nothing but the ground is known yet. */
export function createMirror(generation: number, base: number | null, ground: Ground): Mirror {
  const changed = new Map<CollectionName, Map<string, Placed>>();
  const lists = new Map<CollectionName, readonly unknown[]>();
  let revision = -1;

  const placedIn = (collection: CollectionName, id: string): Placed | undefined =>
    changed.get(collection)?.get(id) ?? ground.table(collection).get(id);

  const pairsWith = (collection: CollectionName, over: ReadonlyMap<string, Placed>): [string, unknown][] =>
    inOrder(new Map([...ground.table(collection), ...over]));

  const valuesOf = (collection: CollectionName): readonly unknown[] => {
    const over = changed.get(collection);
    if (over === undefined) return ground.list(collection);
    const list = lists.get(collection) ?? pairsWith(collection, over).map(([, value]) => value);
    lists.set(collection, list);
    return list;
  };

  /** Revisions count writes, so that what is put later stands later. */
  const changeAt = (collection: CollectionName, id: string, value: unknown, at: number): Change => {
    const before = placedIn(collection, id);
    const isThere = before?.value !== undefined;
    return {
      collection,
      id,
      value,
      revision: at,
      position: isThere ? before.position : ground.table(collection).size + at,
    };
  };

  const placed: Mirror['placed'] = writes => {
    const flat = [...writes].flatMap(([name, written]) =>
      [...written].map(([id, value]) => [name, id, value] as const),
    );
    return flat.map(([name, id, value], index) => changeAt(name, id, value, revision + 1 + index));
  };

  return {
    generation,
    base,
    isChanged: () => changed.size > 0,
    get revision() {
      return revision;
    },
    get: (collection, id) => placedIn(collection, id)?.value as never,
    list: collection => valuesOf(collection) as never,
    listWith: (collection, written) => {
      const over = new Map(changed.get(collection));
      for (const { id, ...change } of placed(new Map([[collection, new Map(written)]]))) over.set(id, change);
      return pairsWith(collection, over).map(([, value]) => value);
    },
    pairs: collection => pairsWith(collection, changed.get(collection) ?? new Map()),
    placed,
    advance: (to, changes) => {
      if (to <= revision) return;
      revision = to;
      for (const { collection, id, position, value } of changes) {
        const over = changed.get(collection) ?? new Map<string, Placed>();
        changed.set(collection, over.set(id, { position, value }));
        lists.delete(collection);
      }
    },
  };
}
