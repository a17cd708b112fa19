import type { IncomingMessage, RequestListener } from 'node:http';
import { internalError, Refused } from '../api/response.ts';
import type { Served } from '../behaviours/active.ts';
import { write } from '../http/send.ts';
import type { ServedWorld } from './served-world.ts';
import type { Worlds } from './worlds.ts';

/** The world that a request speaks to, and how it is served there. */
export interface Serving {
  readonly world: ServedWorld;
  readonly served: Served;
}

/** Decides, once for each request, how it is served. */
export interface Dispatch {
  /** The decision for a request; made where the listener did not see it. */
  readonly servingOf: (request: IncomingMessage) => Promise<Serving>;
  /** Decides, and hands on to what the behaviours of the world make of the application. */
  readonly listener: RequestListener;
}

/** What is below it is served by the world of the key that is sent. */
const api = '/console/';

/** Dispatches requests to the worlds of a server; whatever is no request of the API goes to the application as it is. */
export const dispatching = (
  worlds: Worlds,
  application: RequestListener,
  onError: (error: unknown) => void,
): Dispatch => {
  const decided = new WeakMap<IncomingMessage, Serving>();
  const decide = async (request: IncomingMessage): Promise<Serving> => {
    const world = await worlds.of(request.headers);
    await world.refresh();
    const served = await world.behaviours.serve(request.method ?? '', request.url ?? '');
    return { world, served };
  };
  const handle: (...given: Parameters<RequestListener>) => Promise<void> = async (request, response) => {
    try {
      const serving = await decide(request);
      decided.set(request, serving);
      serving.served.listener(request, response);
    } catch (error) {
      if (!(error instanceof Refused)) onError(error);
      request.resume();
      write(response, error instanceof Refused ? error.response : internalError);
    }
  };
  return {
    servingOf: async request => decided.get(request) ?? decide(request),
    listener: (request, response) => {
      if (request.url?.startsWith(api) === true) void handle(request, response);
      else application(request, response);
    },
  };
};
