import type { CollectionName } from '../../entities.ts';
import type { Store, Transaction } from '../../store/store.ts';
import type { Defect } from '../fault.ts';
import { aroundWork } from './answers.ts';
import type { Members } from './members.ts';

/** What is to be stored: where, under which id, what, and what stood there before. */
export interface Writing {
  readonly collection: CollectionName;
  readonly id: string;
  readonly value: Members;
  readonly before: Members;
  readonly transaction: Transaction;
}

/** Stores something else than the operation says, or nothing where `change` gives nothing. What is answered stays as it was. */
export const stores = (change: (writing: Writing) => Members | undefined | Promise<Members | undefined>): Defect =>
  aroundWork(handler => (request, store, settings) => {
    const wrong: Store = {
      ...store,
      transaction: work =>
        store.transaction(async transaction => {
          const put: Transaction['put'] = async (collection, id, value) => {
            const before = ((await transaction.get(collection, id)) ?? {}) as Members;
            const writing = { collection, id, value: { ...value } as Members, before, transaction };
            const instead = await change(writing);
            if (instead !== undefined) await transaction.put(collection, id, instead as never);
          };
          return work({ ...transaction, put });
        }),
    };
    return handler(request, wrong, settings);
  });

/** Answers, and stores nothing. */
export const storesNothing: Defect = stores(() => undefined);

/** Answers these fields as they were sent, and stores them as they were before. */
export const keepsOld = (...fields: readonly string[]): Defect =>
  stores(({ value, before }) => ({
    ...value,
    ...Object.fromEntries(fields.map(field => [field, before[field]])),
  }));

/** Stores a change beside those that were sent. */
export const storesBeside = (change: (value: Members) => Members): Defect =>
  stores(({ value }) => ({ ...value, ...change(value) }));
