import type { HandlerRequest } from '../api/request.ts';
import { type HandlerResponse, isSuccess } from '../api/response.ts';
import { type CollectionName, type Collections, keyOf } from '../entities.ts';
import type { Store } from '../store/store.ts';
import { type Decorator, does, type Operator, perServer } from './layers.ts';
import { anybody, begun, createMeeting, type Meeting, type Met, whereMet } from './meetings.ts';
import type { Mutable } from './members.ts';
import { aroundWork, listing, sentBy } from './operations.ts';
import { storing, withTransactions } from './stores.ts';

/** Decorators of faults and correct differences where concurrent requests meet. */

/** Stores something other than it answers when requests meet. */
export const storesWhereMet = (
  change: (value: Mutable, met: Met, before: Mutable) => Mutable | undefined,
  meeting?: Meeting,
): Decorator =>
  whereMet((met, work, request, store) => {
    const other = storing(({ value, before }) => change(value, met, before));
    return work(request, withTransactions(store, other));
  }, meeting);

/** Answers the last of the requests that meet but stores nothing of it. */
export const losesOne = (meeting: Meeting = {}): Operator =>
  does(
    'Of requests at once the last is answered and not stored.',
    storesWhereMet((value, { index, requests }) => (index === requests.length - 1 ? undefined : value), meeting),
  );

/** Returns the values of a field that the requests sent. */
const sentIn = ({ requests }: Met, field: string): readonly unknown[] =>
  requests.map(request => sentBy(request)[field]).filter(one => one !== undefined);

/** Stores a mixture of the values that the requests sent. */
export const mixes = (field: string, mix: (values: readonly unknown[]) => unknown): Decorator =>
  storesWhereMet((value, met) => {
    const sent = sentIn(met, field);
    return sent.length < 2 ? value : { ...value, [field]: mix(sent) };
  });

/** Joins the first half of one text and the second half of another. */
export const halves = (values: readonly unknown[]): unknown => {
  const [one = '', other = ''] = values.map(String);
  return one.slice(0, one.length / 2) + other.slice(other.length / 2);
};

/** Returns the members of all lists, each once. */
export const union = (values: readonly unknown[]): unknown => [...new Set(values.flat())];

/** Gives each request that meets others the answer to another. */
export const swapsAnswers = (meeting: Meeting = anybody): Operator =>
  does(
    'Each of two requests at once is given the answer to the other.',
    whereMet(async ({ requests, index, results }, work) => {
      const own = work();
      results.set(index, own);
      await own;
      await begun(() => results.size === requests.length);
      return (await results.get((index + 1) % requests.length)) ?? own;
    }, meeting),
  );

/** Refuses all but the first of the requests that meet, after the work if `works`, otherwise instead of it. */
export const refusesLater = (refused: HandlerResponse, works: boolean, meeting: Meeting = {}): Decorator =>
  whereMet(async ({ index }, work) => {
    if (index === 0) return work();
    if (works) {
      // Work last, because the write of the first request would hide this one.
      await begun(() => false);
      await work().catch(() => undefined);
    }
    return refused;
  }, meeting);

/** Changes the answers to requests that meet. */
export const answersWhereMet = (
  change: (data: Mutable, met: Met, request: HandlerRequest) => void,
  meeting?: Meeting,
): Decorator =>
  whereMet(async (met, work, request) => {
    const response = await work();
    if (!isSuccess(response)) return response;
    const body = structuredClone(response.body) as { data: Mutable };
    change(body.data, met, request);
    return { ...response, body };
  }, meeting);

/**
 * Serves requests that match `reads` from a cached copy. Writes that meet do not invalidate it; the next single write
 * does.
 */
export const keepsCopy = (collection: CollectionName, reads: (request: HandlerRequest) => boolean): Decorator =>
  perServer(() => {
    const meet = createMeeting(2);
    let copy: readonly object[] | undefined;
    const stale = (store: Store, kept: readonly object[]): Store =>
      listing(
        withTransactions(store, transaction => ({
          ...transaction,
          get: async (name, id) => {
            const known = name === collection ? kept.find(one => (one as { id?: string }).id === id) : undefined;
            return (known as Collections[typeof name] | undefined) ?? transaction.get(name, id);
          },
        })),
        collection,
        () => kept,
      );
    return aroundWork(async (work, request, store) => {
      if (reads(request)) return work(request, copy && stale(store, copy));
      const { requests, index } = await meet(request.param, request);
      if (requests.length < 2) copy = undefined;
      else if (index === 0) copy = await store.list(collection);
      return work();
    });
  });

/** Answers with one half of each of the texts that concurrent requests sent. */
export const mixesAnswers = (field: string): Decorator =>
  answersWhereMet((data, met) => {
    const sent = sentIn(met, field);
    if (sent.length > 1) data[field] = halves(sent);
  });

/** Accepts all concurrent creations of one name and type, and lists each of them. */
export const listsTwice = perServer(() => {
  const meet = createMeeting(2);
  const twice = new Set<string>();
  return aroundWork(async (work, request, store) => {
    if (request.endpoint === 'list-event-metrics')
      return work(
        request,
        listing(store, 'metrics', all => [...all, ...all.filter(one => twice.has(keyOf(one)))]),
      );
    const { name, type } = sentBy(request);
    const { requests, index, results } = await meet(`${name}::${type}`, request);
    if (index > 0) await begun(() => results.has(0));
    const first = results.get(0);
    if (index > 0 && first !== undefined) {
      twice.add(`${name}::${type}`);
      return first;
    }
    const own = work();
    if (requests.length > 1) results.set(index, own);
    return own;
  });
});
