import { memoized } from '../../contracts/memoized.ts';
import type { HandlerRequest } from '../api/request.ts';
import type { HandlerResponse } from '../api/response.ts';
import { type CollectionName, keyOf } from '../entities.ts';
import type { Store } from '../store/store.ts';
import { type Decorator, perServer } from './layers.ts';
import type { Mutable } from './members.ts';
import { aroundWork, isEmptyPatch, listing, sentBy } from './operations.ts';
import { late } from './past-store.ts';
import { onEntity } from './responses.ts';
import { withTransactions } from './stores.ts';

/** Decorators of caches and indexes that lag behind the store, each in its own way. */

/**
 * Caches each answer to a GET for `lag` milliseconds, by path and query, so that pages show different moments. `isKept`
 * limits the requests to which this applies.
 */
export const cachedByUrl = (lag: number, isKept: (request: HandlerRequest) => boolean = () => true): Decorator =>
  perServer(() => {
    const kept = new Map<string, { readonly response: HandlerResponse; readonly until: number }>();
    return aroundWork(async (work, request) => {
      if (!isKept(request)) return work();
      const key = `${request.endpoint} ${request.param} ${JSON.stringify(request.query)}`;
      const known = kept.get(key);
      if (known !== undefined && known.until > performance.now()) return known.response;
      const response = await work();
      kept.set(key, { response, until: performance.now() + lag });
      return response;
    });
  });

/** Lists some fields as they were `lag` milliseconds ago and all others as they are, like an index that lags. */
export const fieldsLate =
  (lag: number, collection: CollectionName, fields: readonly string[]): Decorator =>
  server => ({
    decorateStore: store => {
      const behind = late(lag, [collection])(server).decorateStore?.(store) ?? store;
      const list: Store['list'] = async name => {
        const present = await store.list(name);
        const past: readonly object[] = await behind.list(name);
        if (name !== (collection as string) || past === (present as readonly object[])) return present;
        const before = new Map(past.map(one => [keyOf(one), one as Mutable]));
        return present.map(one => {
          const was = before.get(keyOf(one)) ?? {};
          return { ...one, ...Object.fromEntries(fields.filter(name => name in was).map(name => [name, was[name]])) };
        });
      };
      return { ...behind, get: store.get, list };
    },
  });

/** Answers a patch with what it sends, and with all else as it was shown `lag` milliseconds before. */
export const restBehind = (lag: number): Decorator =>
  perServer(() => {
    const pasts = new Map<string, { readonly entity: Mutable; readonly at: number }[]>();
    return onEntity((entity, request) => {
      const now = performance.now();
      const known = pasts.get(request.param) ?? [];
      pasts.set(request.param, [...known, { entity: { ...entity }, at: now }]);
      const { entity: past } = known.findLast(({ at }) => at <= now - lag) ?? known[0] ?? { entity };
      const sent = sentBy(request);
      const isFresh = (name: string): boolean => name in sent || (name === 'team' && 'teamID' in sent);
      if (isEmptyPatch(request)) return;
      for (const name of Object.keys(entity)) if (!isFresh(name)) entity[name] = past[name];
    });
  });

/** Lists a collection in the order of the last changes, the latest last. */
export const latestLast =
  (collection: CollectionName): Decorator =>
  () => ({
    decorateStore: store => {
      const changed = new Set<string>();
      const noting = withTransactions(store, inner => ({
        ...inner,
        put: async (name, id, value) => {
          if (name === (collection as string)) {
            changed.delete(id);
            changed.add(id);
          }
          await inner.put(name, id, value);
        },
      }));
      const ordered = memoized((all: readonly object[]) => {
        const order = [...changed];
        return all.toSorted((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
      });
      return listing(noting, collection, ordered);
    },
  });
