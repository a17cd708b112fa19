import type { IncomingMessage, RequestListener } from 'node:http';
import type { Served } from '../behaviours/active.ts';
import type { ServedWorld } from './served-world.ts';
import type { Worlds } from './worlds.ts';

/** The world that a request speaks to, and how it is served there. */
export interface Serving {
  readonly world: ServedWorld;
  readonly served: Served;
}

/** Decides, once for each request, how it is served. */
interface Dispatch {
  /** The decision for a request; made where the listener did not see it. */
  readonly servingOf: (request: IncomingMessage) => Serving | Promise<Serving>;
  /** Decides, and hands on to what the behaviours of the world make of the application. */
  readonly listener: RequestListener;
}

/** What is below it is served by the world of the key that is sent. */
const api = '/console/';

/**
 * Dispatches requests to the worlds of a server; whatever is no request of the API, or cannot be dispatched, goes to the
 * application as it is.
 */
export const dispatching = (worlds: Worlds, application: RequestListener): Dispatch => {
  const decided = new WeakMap<IncomingMessage, Serving | Promise<Serving>>();
  const decide = async (request: IncomingMessage): Promise<Serving> => {
    const world = await worlds.of(request.headers);
    await world.refresh();
    return { world, served: await world.behaviours.serve(request.method ?? '', request.url ?? '') };
  };
  /** The decision where nothing has to be waited for, which is nearly always so in memory. */
  const decideNow = (request: IncomingMessage): Serving | undefined => {
    const world = worlds.known(request.headers);
    if (world === undefined || !world.isFresh()) return undefined;
    return world.behaviours.isEmpty() ? { world, served: world.behaviours.base } : undefined;
  };
  return {
    servingOf: request => decided.get(request) ?? decide(request),
    listener: (request, response) => {
      if (request.url?.startsWith(api) !== true) return application(request, response);
      const serving = decideNow(request) ?? decide(request);
      decided.set(request, serving);
      if (!(serving instanceof Promise)) return serving.served.listener(request, response);
      serving.then(
        ({ served }) => served.listener(request, response),
        () => application(request, response),
      );
    },
  };
};
