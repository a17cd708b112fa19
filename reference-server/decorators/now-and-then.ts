import { isSuccess } from '../api/response.ts';
import { keyOf } from '../entities.ts';
import type { Decorator } from './layers.ts';
import { isDry } from './living.ts';
import type { Mutable } from './members.ts';
import { onValidBody, sentBy } from './operations.ts';
import { onList, type showsData } from './paging.ts';
import { shown } from './responses.ts';
import { stores, type Writing } from './stores.ts';
import { list, rotated } from './values.ts';

/** Decorators of faults that occur occasionally or late, decided by counting. */

/** Creates a decorator with a counter for each server. */
export const counting =
  (make: (next: () => number) => Decorator): Decorator =>
  server => {
    let count = 0;
    return make(() => {
      count += 1;
      return count;
    })(server);
  };

/** Shows wrong pages in a list that looks alive: every second total is one higher, as after an addition. */
export const flips = (data: Parameters<typeof showsData>[0]) =>
  counting(next =>
    onList(list => {
      list.data = [...(data(list) || list.data)];
      if (next() % 2 === 0) list.pagination.totalItems = Number(list.pagination.totalItems) + 1;
    }),
  );

/** With every `every`-th write, also changes the entity that stands `step` places after the written one. */
export const besides = (change: (other: Mutable, written: Mutable) => Mutable, { step = 1, every = 1 } = {}) =>
  counting(next =>
    stores(async ({ transaction, collection, id, value }) => {
      if (next() % every !== 0) return value;
      const all = await transaction.list(collection);
      const at = all.findIndex(other => keyOf(other) === id);
      const other = all.at((at + step) % all.length) as Mutable | undefined;
      if (other !== undefined && keyOf(other) !== id)
        await transaction.put(collection, keyOf(other), { ...other, ...change(other, value) } as never);
      return value;
    }),
  );

/** Stores another value with every n-th write, or nothing if `change` returns undefined. */
export const everyNthStores = (count: number, change: (writing: Writing) => Mutable | undefined) =>
  counting(next => stores(writing => (next() % count === 0 ? change(writing) : writing.value)));

/** Shows a set in another order each time, with one member missing. */
export const oneMissing = (path: string) =>
  counting(next =>
    shown(
      path,
      list(items => {
        const turned = rotated(items, next());
        return items.length < 2 ? items : turned.slice(1);
      }),
    ),
  );

/** Carries out every second dry run. */
export const halfDry = counting(next =>
  onValidBody((body, request) => (isDry(request) && next() % 2 === 0 ? { ...body, dryRun: false } : body)),
);
/** Creates the entity of a dry run after some more creations. */
export const laterMade: Decorator = () => {
  const waiting: (() => Promise<unknown>)[] = [];
  return {
    decorateOperation: (_id, handler) => async (request, store, settings) => {
      const response = await handler(request, store, settings);
      const { dryRun: _, ...body } = sentBy(request);
      if (isDry(request) && isSuccess(response))
        waiting.push(() => handler({ ...request, body }, store, settings).catch(() => undefined));
      if (waiting.length > 3) await waiting.shift()?.();
      return response;
    },
  };
};
