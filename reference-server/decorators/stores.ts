import type { HandlerRequest } from '../api/request.ts';
import { isSuccess } from '../api/response.ts';
import { success } from '../api/success.ts';
import { type CollectionName, type Collections, keyOf } from '../entities.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Decorator, does, namesOf, type Operator } from './layers.ts';
import type { Mutable } from './members.ts';
import { aroundWork } from './operations.ts';
import { showingPasts } from './past-store.ts';

/** Decorators of what is stored, and of when it is seen. */

/** Works with other transactions than those of the store. */
export const onTransaction = (change: (transaction: Transaction) => Transaction): Decorator =>
  aroundWork(handler => (request, store, settings) => {
    const transaction: Store['transaction'] = work => store.transaction(inner => work(change(inner)));
    return handler(request, { ...store, transaction }, settings);
  });

/** What is to be stored: where, under which id, what, and what stood there before. */
export interface Writing {
  readonly collection: CollectionName;
  readonly id: string;
  readonly value: Mutable;
  readonly before: Mutable;
  readonly transaction: Transaction;
}

/**
 * Stores something else than the operation says, or nothing where `change` gives nothing. The response stays as it was.
 */
export const stores = (change: (writing: Writing) => Mutable | undefined | Promise<Mutable | undefined>): Decorator =>
  onTransaction(transaction => ({
    ...transaction,
    put: async (collection, id, value) => {
      const before = ((await transaction.get(collection, id)) ?? {}) as Mutable;
      const stored = await change({ collection, id, value: { ...value } as Mutable, before, transaction });
      if (stored !== undefined) await transaction.put(collection, id, stored as never);
    },
  }));

/** Whether a writing is meant, told from what is to be stored and what stood there before. */
export type WhenStored = (value: Mutable, before: Mutable) => boolean;

/** Stores another value of a field, told from the one that was sent and the one before, of the writings that are meant. */
export const stored = (
  field: string,
  change: (value: never, before: never) => unknown,
  when: WhenStored = () => true,
): Decorator =>
  stores(({ value, before }) =>
    when(value, before) ? { ...value, [field]: change(value[field] as never, before[field] as never) } : value,
  );

/** Responds, and stores nothing. */
export const storesNothing = does(
  'A write is answered and not stored.',
  stores(() => undefined),
);

/** Keeps fields as they were before, of the writings that are meant. */
export const keepsWhere = (when: WhenStored, ...fields: readonly string[]): Decorator =>
  stores(({ value, before }) =>
    when(value, before) ? { ...value, ...Object.fromEntries(fields.map(field => [field, before[field]])) } : value,
  );

/** Shows these fields as they were sent, and stores them as they were before. */
export const forgets = (...fields: readonly string[]): Operator =>
  does(
    `${namesOf(fields)} ${fields.length > 1 ? 'are' : 'is'} answered and not stored.`,
    keepsWhere(() => true, ...fields),
  );

/** Takes what is falsy for nothing sent. */
export const falsyIgnored = (field: string): Operator =>
  does(
    `A \`${field}\` that is false, empty or null is taken for none.`,
    keepsWhere(value => !value[field], field),
  );

/** Whether another entity is meant, by its key and place, and by the keys of all in their order. */
export type PicksOther = (other: string, written: string, index: number, keys: readonly string[]) => boolean;

/** Stores a change of other entities of the collection as well: of those that are picked. */
export const changesOthers = (
  change: (other: Mutable, written: Mutable, before: Mutable) => Mutable,
  picks: PicksOther = () => true,
): Decorator =>
  stores(async ({ transaction, collection, id, value, before }) => {
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
  });

/** Makes a further change to the entity that a successful operation was about. `shown`: and shows it. */
export const followedBy = <C extends CollectionName>(
  collection: C,
  change: (
    entity: Collections[C],
    request: HandlerRequest,
    transaction: Transaction,
  ) => Partial<Collections[C]> | undefined | Promise<Partial<Collections[C]> | undefined>,
  shown = true,
): Decorator =>
  aroundWork(handler => async (request, store, settings) => {
    const response = await handler(request, store, settings);
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

/** Lists collections in the opposite order, as a list sorted by a falling number would be. */
export const reversed =
  (collections: readonly CollectionName[]): Decorator =>
  () => ({
    decorateStore: store => {
      // One array for each state, as the store promises.
      const known = new WeakMap<readonly unknown[], readonly unknown[]>();
      return {
        ...store,
        list: async <C extends CollectionName>(collection: C): Promise<readonly Collections[C][]> => {
          const list = await store.list(collection);
          if (!collections.includes(collection)) return list;
          const turned = known.get(list) ?? [...list].reverse();
          known.set(list, turned);
          return turned as readonly Collections[C][];
        },
      };
    },
  });

/** A list as it was, and when it stopped being so, in milliseconds of a steady clock. */
interface Past {
  readonly list: readonly object[];
  readonly until: number;
}

/**
 * Shows collections, outside of transactions, as they were `lag` milliseconds ago, as a replica would. Transactions see
 * what is.
 */
export const late =
  (lag: number, collections: readonly CollectionName[]): Decorator =>
  () => ({
    decorateStore: store => {
      const pasts = new Map<CollectionName, readonly Past[]>();
      return showingPasts(store, collections, {
        shown(collection) {
          const now = performance.now();
          const left = (pasts.get(collection) ?? []).filter(past => past.until + lag > now);
          pasts.set(collection, left);
          return left[0]?.list;
        },
        changed(collection, list) {
          pasts.set(collection, [...(pasts.get(collection) ?? []), { list, until: performance.now() }]);
        },
        forget: () => pasts.clear(),
      });
    },
  });
