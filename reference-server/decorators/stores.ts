import type { Members } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import type { HandlerRequest } from '../api/request.ts';
import { isSuccess } from '../api/response.ts';
import { success } from '../api/success.ts';
import { type CollectionName, type Collections, keyOf } from '../entities.ts';
import type { Store, Transaction } from '../store/store.ts';
import { both, type Decorator, does, namesOf, type Operator } from './layers.ts';
import type { Mutable } from './members.ts';
import { aroundWork, listing, sentBy } from './operations.ts';
import type { Change } from './values.ts';

/** Decorators of the stored data, and of when it becomes visible. */

/** Returns a store with other transactions. */
export const withTransactions = (store: Store, change: (transaction: Transaction) => Transaction): Store => ({
  ...store,
  transaction: work => store.transaction(inner => work(change(inner))),
});

/** Replaces the transactions of the store. */
export const onTransaction = (change: (transaction: Transaction) => Transaction): Decorator =>
  aroundWork((work, request, store) => work(request, withTransactions(store, change)));

/** A write: its collection, id, new value and earlier value. */
export interface Writing {
  readonly collection: CollectionName;
  readonly id: string;
  readonly value: Mutable;
  readonly before: Mutable;
  readonly transaction: Transaction;
}

type Storing = (writing: Writing) => Mutable | undefined | Promise<Mutable | undefined>;

/** Returns a transaction that stores the result of `change`, or nothing if that is undefined. */
export const storing =
  (change: Storing) =>
  (transaction: Transaction): Transaction => ({
    ...transaction,
    put: async (collection, id, value) => {
      const before = ((await transaction.get(collection, id)) ?? {}) as Mutable;
      const stored = await change({ collection, id, value: { ...value } as Mutable, before, transaction });
      if (stored !== undefined) await transaction.put(collection, id, stored as never);
    },
  });

/** Stores the result of `change`, or nothing if that is undefined. The response stays as it was. */
export const stores = (change: Storing): Decorator => onTransaction(storing(change));

/** Selects writes by the new and the earlier value. */
export type WhenStored = (value: Mutable, before: Mutable) => boolean;

/** Stores the result of `change` as the value of a field, for the writes that `when` selects. */
export const stored = (
  field: string,
  change: ((value: never, before: never) => unknown) & Pick<Change, 'does'>,
  when: WhenStored = () => true,
): Operator =>
  does(
    `\`${field}\` is stored ${change.does ?? 'with another value'}.`,
    stores(({ value, before }) =>
      when(value, before) ? { ...value, [field]: change(value[field] as never, before[field] as never) } : value,
    ),
  );

/** Answers a write but stores nothing. */
export const storesNothing = does(
  'A write is answered and not stored.',
  stores(() => undefined),
);

/** Keeps fields at their earlier values, for the writes that `when` selects. */
export const keepsWhere = (when: WhenStored, ...fields: readonly string[]): Decorator =>
  stores(({ value, before }) =>
    when(value, before) ? { ...value, ...Object.fromEntries(fields.map(field => [field, before[field]])) } : value,
  );

/** Answers these fields as sent, but stores their earlier values. */
export const forgets = (...fields: readonly string[]): Operator =>
  does(
    `${namesOf(fields)} ${fields.length > 1 ? 'are' : 'is'} answered and not stored.`,
    keepsWhere(() => true, ...fields),
  );

/** Ignores a falsy value of a field as if it had not been sent. */
export const falsyIgnored = (field: string): Operator =>
  does(
    `A \`${field}\` that is false, empty or null is taken for none.`,
    keepsWhere(value => !value[field], field),
  );

/** Selects another entity by its key and index; `keys` are those of all entities in order. */
export type PicksOther = (other: string, written: string, index: number, keys: readonly string[]) => boolean;

/** Selects the entity that stands `step` places after the written one. */
export const beside =
  (step: number): PicksOther =>
  (_other, written, index, keys) =>
    index === (keys.indexOf(written) + step + keys.length) % keys.length;

/** Returns what changes in another entity. */
export type ChangesOther = (other: Mutable, written: Mutable, before: Mutable) => Mutable;

/** Changes other entities of the collection, those that `picks` selects; returns the value that is written. */
export async function changeOthers(
  { transaction, collection, id, value, before }: Writing,
  change: ChangesOther,
  picks: PicksOther,
): Promise<Mutable> {
  const all = await transaction.list(collection);
  const keys = all.map(keyOf);
  for (const [index, other] of all.entries()) {
    const key = keys[index] as string;
    if (key !== id && picks(key, id, index, keys)) {
      const changed = { ...other, ...change({ ...other } as Mutable, value, before) };
      await transaction.put(collection, key, changed as never);
    }
  }
  return value;
}

/** Also changes other entities of the collection, those that `picks` selects. */
export const changesOthers = (change: ChangesOther, picks: PicksOther = () => true): Decorator =>
  stores(writing => changeOthers(writing, change, picks));

/** Changes the entity of a successful operation further; with `shown` the answer shows this too. */
export const followedBy = <C extends CollectionName>(
  collection: C,
  change: (
    entity: Collections[C],
    request: HandlerRequest,
    transaction: Transaction,
  ) => Partial<Collections[C]> | undefined | Promise<Partial<Collections[C]> | undefined>,
  shown = true,
): Decorator =>
  aroundWork(async (work, request, store) => {
    const response = await work();
    if (!isSuccess(response)) return response;
    return store.transaction(async transaction => {
      const entity = await transaction.get(collection, request.param);
      const more = entity && (await change(entity, request, transaction));
      if (entity === undefined || more === undefined) return response;
      const changed = { ...entity, ...more };
      await transaction.put(collection, request.param, changed);
      return shown ? { ...response, ...success(request, changed) } : response;
    });
  });

/** Answers a successful write with what `shown` makes of its entity as it was before and as it is answered. */
export const answeredFrom = <C extends CollectionName>(
  collection: C,
  shown: (before: Collections[C], answered: Mutable, sent: Members) => object,
): Decorator =>
  aroundWork(async (work, request, store) => {
    const before = await store.get(collection, request.param);
    const response = await work();
    if (!isSuccess(response) || before === undefined) return response;
    return success(request, shown(before, (response.body as { data: Mutable }).data, sentBy(request)));
  });

/** Reverses collections, like a list sorted in descending order. */
export const reversed = (collections: readonly CollectionName[]): Decorator =>
  both(
    ...collections.map(
      (collection): Decorator =>
        () => ({
          // The same list for the same state, as the store promises.
          decorateStore: store =>
            listing(
              store,
              collection,
              memoized((list: readonly object[]) => list.toReversed()),
            ),
        }),
    ),
  );
