import type { Handler, HandlerRequest } from '../api/request.ts';
import type { HandlerResponse } from '../api/response.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Decorator } from './layers.ts';
import { sentBy } from './operations.ts';

/** Where requests meet: the first waits for the second, a moment at most, and what is done then depends on both. */

/** So long a request waits for others to meet, in milliseconds. */
const patience = 4;

/** The requests that met, in the order in which they came, and the place of one among them. */
export interface Met {
  readonly requests: readonly HandlerRequest[];
  readonly index: number;
  /** What all of them came to, by their places; for those who want to mix them up. */
  readonly results: Map<number, Promise<HandlerResponse>>;
}

interface Gathering {
  readonly requests: HandlerRequest[];
  readonly results: Map<number, Promise<HandlerResponse>>;
  readonly begin: (() => void)[];
  isOver: boolean;
}

/** A place where `size` requests of one key meet; whoever waits in vain goes on with those that are there. */
export function createMeeting(size: number) {
  const open = new Map<string, Gathering>();
  return async (key: string, request: HandlerRequest): Promise<Met> => {
    const gathering: Gathering = open.get(key) ?? { requests: [], results: new Map(), begin: [], isOver: false };
    open.set(key, gathering);
    const index = gathering.requests.push(request) - 1;
    const end = (): void => {
      if (gathering.isOver) return;
      gathering.isOver = true;
      open.delete(key);
      for (const begin of gathering.begin) begin();
    };
    if (gathering.requests.length < size) {
      // A busy machine may let the time pass before it reads what has come: that is let in first.
      const timer = setTimeout(() => void begun(() => gathering.isOver).then(end), patience);
      await new Promise<void>(begin => gathering.begin.push(begin));
      clearTimeout(timer);
    } else end();
    return { requests: gathering.requests, index, results: gathering.results };
  };
}

/** Lets others that met begin, who may do so a moment later. */
export async function begun(isEnough: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20 && !isEnough(); turn += 1) await new Promise(resolve => setImmediate(resolve));
}

/** Which requests meet: how many, and those of one entity, unless `key` says otherwise. None where it is undefined. */
export interface Meeting {
  readonly size?: number;
  readonly key?: (request: HandlerRequest) => string | undefined;
}

const writesOne = (request: HandlerRequest): string | undefined =>
  request.endpoint === 'patch-gate' && Object.keys(sentBy(request)).length === 0 ? undefined : request.param;

/** The work of an operation where requests meet; those that meet nobody are worked on as they are. */
export type WhereMet = (met: Met, work: Handler, ...given: Parameters<Handler>) => Promise<HandlerResponse>;

/** Works otherwise on requests that meet, at all operations of the row together. */
export const whereMet =
  (react: WhereMet, { size = 2, key = writesOne }: Meeting = {}): Decorator =>
  () => {
    const meet = createMeeting(size);
    return {
      decorateOperation: (_id, work) => async (request, store, settings) => {
        const name = key(request);
        const met = name === undefined ? undefined : await meet(name, request);
        return met === undefined || met.requests.length < size
          ? work(request, store, settings)
          : react(met, work, request, store, settings);
      },
    };
  };

/** All requests of the row meet, whatever they are about. */
export const anybody: Meeting = { key: () => '' };

const all: Meeting['key'] = request =>
  writesOne(request) === undefined && request.endpoint === 'patch-gate' ? undefined : '';

/** Requests to different entities of one kind meet. */
export const overAll: Meeting = { key: all };

/**
 * Reads, changes and writes without a lock: whoever reads the same entity before the other has written overwrites it
 * with his own copy.
 */
export const withoutLock =
  ({ key = writesOne }: Meeting = {}): Decorator =>
  () => {
    const meet = createMeeting(2);
    return {
      decorateOperation: (_id, work) => (request, store, settings) => {
        const transaction: Store['transaction'] = async inner => {
          const writes: (() => Promise<void>)[] = [];
          const put: Transaction['put'] = async (collection, id, value) =>
            void writes.push(() => store.put(collection, id, value));
          const remove: Transaction['remove'] = async (collection, id) =>
            void writes.push(() => store.remove(collection, id));
          const result = await inner({ get: store.get, list: store.list, put, remove });
          const name = key(request);
          if (writes.length > 0 && name !== undefined) await meet(name, request);
          for (const write of writes) await write();
          return result;
        };
        return work(request, { ...store, transaction }, settings);
      },
    };
  };
