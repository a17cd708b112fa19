import { isObject, type Json } from '../../contracts/json.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
import { type CollectionName, type Collections, collectionNames, collectionTitles, keyOf } from '../entities.ts';
import { completed, completedState } from '../seed/completed.ts';
import { freeze, type Store, type Transaction } from '../store/store.ts';
import { merged } from '../tool/merge-patch.ts';
import { ControlError } from '../tool/refusal.ts';
import { entities, snapshotOf } from '../tool/snapshot.ts';

/** Returns a collection by name. Throws a `ControlError` (404) that lists the existing ones. */
export const collectionNamed = (name: string): CollectionName => {
  const found = collectionNames.find(one => one === name);
  if (found === undefined)
    throw new ControlError(404, `There is no such collection; there are ${collectionNames.join(', ')}.`);
  return found;
};

/** Validates an entity. Throws a `ControlError` (400) with all its problems. */
const checkedEntity = <C extends CollectionName>(collection: C, id: string, value: unknown): Collections[C] => {
  const problems: Problem[] = validatorFor(entities[collection])(value);
  const key = isObject(value) ? keyOf(value) : undefined;
  const member = isObject(value) && value.id === undefined && value.name !== undefined ? 'name' : 'id';
  if (problems.length === 0 && key !== id)
    problems.push({
      pointer: `/${member}`,
      keyword: 'const',
      message: `must be ${JSON.stringify(id)}, as in the path`,
    });
  if (problems.length > 0) throw new ControlError(400, `This is no entity of ${collection}.`, problems);
  return freeze(structuredClone(value)) as unknown as Collections[C];
};

const existing = async <C extends CollectionName>(
  transaction: Pick<Transaction, 'get'>,
  collection: C,
  id: string,
): Promise<Collections[C]> => {
  const entity = await transaction.get(collection, id);
  if (entity === undefined) throw new ControlError(404, `${collectionTitles[collection]} not found.`);
  return entity;
};

/** Returns the control of a world's state, entity by entity. Input is validated like a whole snapshot. */
export const stateControl = (store: Store) => ({
  /** Returns the whole state, as `replace` takes it. */
  all: () => store.snapshot(),
  /** Replaces the whole state. */
  async replace(state: unknown): Promise<void> {
    const whole = snapshotOf(state);
    const read = 'problems' in whole ? snapshotOf(completedState(state)) : whole;
    if ('problems' in read) throw new ControlError(400, 'This is no state of this server.', read.problems);
    await store.restore(read.snapshot);
  },
  // Read in transactions, because a dialect may show stale data outside them.
  /** Returns the entities of a collection, in order. */
  list: <C extends CollectionName>(collection: C): Promise<readonly Collections[C][]> =>
    store.transaction(transaction => transaction.list(collection)),
  /** Returns an entity. Throws a `ControlError` (404) if it does not exist. */
  get: <C extends CollectionName>(collection: C, id: string): Promise<Collections[C]> =>
    store.transaction(transaction => existing(transaction, collection, id)),
  /**
   * Creates or replaces an entity. Its id (its name if it has none) must match the path. Missing members get the
   * defaults of a seed.
   */
  async put<C extends CollectionName>(collection: C, id: string, value: unknown): Promise<Collections[C]> {
    const made = completed(collection, id, value);
    if ('problems' in made) throw new ControlError(400, `This is no entity of ${collection}.`, made.problems);
    const entity = checkedEntity(collection, id, made.entity);
    await store.put(collection, id, entity);
    return entity;
  },
  /** Merges a patch into an entity (RFC 7396): null removes a member. */
  patch: <C extends CollectionName>(collection: C, id: string, patch: unknown): Promise<Collections[C]> =>
    store.transaction(async transaction => {
      const before = await existing(transaction, collection, id);
      const changed = merged(before as unknown as Json, patch as Json);
      // What a seed may not hold, a patch may not make of an entity. What the patch takes away stays away, though.
      const made = completed(collection, id, changed);
      if ('problems' in made) throw new ControlError(400, `This is no entity of ${collection}.`, made.problems);
      const entity = checkedEntity(collection, id, changed);
      await transaction.put(collection, id, entity);
      return entity;
    }),
  /** Removes an entity. Throws a `ControlError` (404) if it does not exist. */
  remove: (collection: CollectionName, id: string): Promise<void> =>
    store.transaction(async transaction => {
      await existing(transaction, collection, id);
      await transaction.remove(collection, id);
    }),
});

/** The control of a world's state. */
export interface StateControl extends ReturnType<typeof stateControl> {}
