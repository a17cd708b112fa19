import { isSuccess } from '../api/response.ts';
import { counting, does, type Operator, perServer } from './layers.ts';
import { isDry } from './living.ts';
import { aroundWork, onValidBody, sentBy } from './operations.ts';
import { onList, type showsData } from './paging.ts';
import { shown } from './responses.ts';
import { beside, type ChangesOther, changeOthers, stores } from './stores.ts';
import { list, rotated } from './values.ts';

/** Decorators of faults that occur occasionally or late, decided by counting. */

/** Shows wrong pages in a list that looks alive: every second total is one higher, as after an addition. */
export const flips = (data: Parameters<typeof showsData>[0]) =>
  counting(next =>
    onList(list => {
      list.data = [...(data(list) || list.data)];
      if (next() % 2 === 0) list.pagination.totalItems = Number(list.pagination.totalItems) + 1;
    }),
  );

/** Stores another value with every n-th write, or nothing if `change` returns undefined. */
export const everyNthStores = (count: number, change: Parameters<typeof stores>[0]) =>
  counting(next => stores(writing => (next() % count === 0 ? change(writing) : writing.value)));

/** Answers every n-th write and does not store it. */
export const losesEveryNth = (count: number): Operator =>
  does(
    `One write in ${count} is answered and not stored.`,
    everyNthStores(count, () => undefined),
  );

/** With every `every`-th write, also changes the entity that stands `step` places after the written one. */
export const besides = (change: ChangesOther, { step = 1, every = 1 } = {}) =>
  everyNthStores(every, writing => changeOthers(writing, change, beside(step)));

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
export const laterMade = perServer(() => {
  const waiting: (() => Promise<unknown>)[] = [];
  return aroundWork(async (work, request) => {
    const response = await work();
    const { dryRun: _, ...body } = sentBy(request);
    if (isDry(request) && isSuccess(response)) waiting.push(() => work({ ...request, body }).catch(() => undefined));
    if (waiting.length > 3) await waiting.shift()?.();
    return response;
  });
});
