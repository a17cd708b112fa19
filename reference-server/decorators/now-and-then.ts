import { isSuccess } from '../api/response.ts';
import { keyOf } from '../entities.ts';
import type { Decorator } from './layers.ts';
import { isDry } from './living.ts';
import type { Mutable } from './members.ts';
import { alter } from './members.ts';
import { onValidBody, sentBy } from './operations.ts';
import { onList, type ShownList } from './paging.ts';
import { onEntity } from './responses.ts';
import { stores, type Writing } from './stores.ts';

/** Decorators of what goes wrong now and then, or late, by count. */

/** What one makes for each server, so that what it counts belongs to that server. */
export const counting =
  (make: (next: () => number) => Decorator): Decorator =>
  server => {
    let count = 0;
    return make(() => {
      count += 1;
      return count;
    })(server);
  };

/** Lists that pretend to be alive: the total flips, as if somebody added one and took it away. */
export const flips = (change: (list: ShownList) => void) =>
  counting(next =>
    onList(list => {
      change(list);
      if (next() % 2 === 0) list.pagination.totalItems = Number(list.pagination.totalItems) + 1;
    }),
  );
const from = ({ page, limit }: ShownList): number => (page - 1) * limit;
/** Each page begins with the last item of the one before. */
export const overlaps = (list: ShownList): void => {
  if (list.page > 1) list.data = list.all.slice(from(list) - 1).slice(0, list.data.length);
};
/** Each page leaves out the first of its items. */
export const skips = (list: ShownList): void => {
  if (list.page > 1) list.data = list.all.slice(from(list) + 1).slice(0, list.data.length);
};

/** Stores a change of the entity that stands beside the one that is written, or `step` further on; not every time. */
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

/** Stores another value with every n-th write, or nothing. */
export const everyNthStores = (count: number, change: (writing: Writing) => Mutable | undefined) =>
  counting(next => stores(writing => (next() % count === 0 ? change(writing) : writing.value)));

/** A list as it is shown, changed; `by` counts. */
const shownList = (path: string, change: (list: readonly unknown[], by: number) => readonly unknown[]) =>
  counting(next =>
    onEntity(entity => alter(path, (list: unknown) => (Array.isArray(list) ? change(list, next()) : list))(entity)),
  );
/** A set in another order each time, of which one member is missing. */
export const oneMissing = (path: string) =>
  shownList(path, (list, by) => {
    const at = by % Math.max(1, list.length);
    return list.length < 2 ? list : [...list.slice(at + 1), ...list.slice(0, at)];
  });
/** A list of which the second member comes first. */
export const turns = (path: string) => shownList(path, list => [...list.slice(1), ...list.slice(0, 1)]);

/** One dry run in two is carried out. */
export const halfDry = counting(next =>
  onValidBody((body, request) => (isDry(request) && next() % 2 === 0 ? { ...body, dryRun: false } : body)),
);
/** What a dry run asked about appears after some more creations. */
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
