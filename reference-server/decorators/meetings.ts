import type { HandlerRequest } from '../api/request.ts';
import type { HandlerResponse } from '../api/response.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Decorator, perServer } from './layers.ts';
import { aroundWork, isEmptyPatch, turns, type Work } from './operations.ts';

/** Lets concurrent requests meet: the first waits briefly for the second, and the outcome depends on both. */

/** Time that a request waits for others, in milliseconds. */
const patience = 4;

/** The requests that met, in order of arrival, and the index of this one. */
export interface Met {
  readonly requests: readonly HandlerRequest[];
  readonly index: number;
  /** The results of the requests by index, so that decorators can mix them up. */
  readonly results: Map<number, Promise<HandlerResponse>>;
}

const gathering = () => ({
  requests: [] as HandlerRequest[],
  results: new Map<number, Promise<HandlerResponse>>(),
  begin: [] as (() => void)[],
  isOver: false,
});

/**
 * Creates a place where `size` requests with the same key meet. If too few come in time, those that are there go on.
 */
export function createMeeting(size: number) {
  const open = new Map<string, ReturnType<typeof gathering>>();
  return async (key: string, request: HandlerRequest): Promise<Met> => {
    const those = open.get(key) ?? gathering();
    open.set(key, those);
    const { requests, results } = those;
    const index = requests.push(request) - 1;
    const end = (): void => {
      if (those.isOver) return;
      those.isOver = true;
      open.delete(key);
      for (const begin of those.begin) begin();
    };
    if (requests.length < size) {
      // On a busy machine the timer may fire before requests that have arrived are read: read them first.
      const timer = setTimeout(() => void begun(() => those.isOver).then(end), patience);
      await new Promise<void>(begin => those.begin.push(begin));
      clearTimeout(timer);
    } else end();
    return { requests, index, results };
  };
}

/** Yields to the event loop, at most 20 times, until the others that met have begun. */
export const begun = (isEnough: () => boolean): Promise<void> => turns(20, isEnough);

/**
 * Which requests meet: `size` of those with one `key`, by default those to one entity. An undefined key excludes a
 * request.
 */
export interface Meeting {
  readonly size?: number;
  readonly key?: (request: HandlerRequest) => string | undefined;
}

const writesOne = (request: HandlerRequest): string | undefined => (isEmptyPatch(request) ? undefined : request.param);

/** Handles a request that met others. Requests that meet nobody are handled as usual. */
type WhereMet = (met: Met, work: Work, request: HandlerRequest, store: Store) => Promise<HandlerResponse>;

/** Handles requests that meet with `react`, over all operations of the row. */
export const whereMet = (react: WhereMet, { size = 2, key = writesOne }: Meeting = {}): Decorator =>
  perServer(() => {
    const meet = createMeeting(size);
    return aroundWork(async (work, request, store) => {
      const name = key(request);
      const met = name === undefined ? undefined : await meet(name, request);
      return met === undefined || met.requests.length < size ? work() : react(met, work, request, store);
    });
  });

/** All requests of the row meet, whatever they concern. */
export const anybody: Meeting = { key: () => '' };

/** Writes to different entities of one kind meet as well. */
export const overAll: Meeting = { key: request => (isEmptyPatch(request) ? undefined : '') };

/**
 * Reads, changes and writes without a lock. Of two requests that read an entity before either writes, the later write
 * overwrites the other.
 */
export const withoutLock = ({ key = writesOne }: Meeting = {}): Decorator =>
  perServer(() => {
    const meet = createMeeting(2);
    return aroundWork((work, request, store) => {
      const transaction: Store['transaction'] = async inner => {
        const writes: (() => Promise<void>)[] = [];
        const put: Transaction['put'] = async (...entity) => void writes.push(() => store.put(...entity));
        const remove: Transaction['remove'] = async (...entity) => void writes.push(() => store.remove(...entity));
        const result = await inner({ get: store.get, list: store.list, put, remove });
        const name = key(request);
        if (writes.length > 0 && name !== undefined) await meet(name, request);
        for (const write of writes) await write();
        return result;
      };
      return work(request, { ...store, transaction });
    });
  });
