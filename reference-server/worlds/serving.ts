import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parsedJson } from '../../contracts/json.ts';
import type { PlannedAnswer } from '../api/planned.ts';
import { readAhead } from '../api/request-copy.ts';
import { refusal } from '../api/response.ts';
import type { Served } from '../behaviours/active.ts';
import { askedBy } from '../behaviours/matching.ts';
import type { NameOfKey } from '../log/request-log.ts';
import type { ServedWorld } from './served-world.ts';
import type { Worlds } from './worlds.ts';

/** The world that a request speaks to, and how it is served there. */
export interface Serving {
  readonly world: ServedWorld;
  readonly served: Served;
}

/** A decision, and the request to go on with: the same, or one whose body was read and is to be read again. */
interface Decided extends Serving {
  readonly request: IncomingMessage;
}

/** What dispatching needs of the server. */
interface DispatchOptions {
  readonly worlds: Worlds;
  /** The header of the key, in small letters. */
  readonly keyHeader: string;
  readonly nameOfKey: NameOfKey;
  /** Whether a client may ask for an answer by its status (`Prefer: code=429`). */
  readonly prefer: boolean;
}

/** What is below it is served by the world of the key that is sent. */
const api = '/console/';

const isOfApi = (request: IncomingMessage): boolean => request.url?.startsWith(api) === true;

/** The answer that a client asks for (RFC 7240, with the preference that Prism and others know). */
const preferredBy = ({ headers }: IncomingMessage): PlannedAnswer | undefined => {
  const code = /(?:^|[\s,;])code\s*=\s*"?([2-5]\d\d)"?(?:$|[\s,;])/i.exec(String(headers.prefer ?? ''))?.[1];
  if (code === undefined) return undefined;
  const answer = refusal(Number(code), `As the request prefers it (Prefer: code=${code}).`);
  return {
    behaviour: 'prefer',
    left: null,
    answer: { ...answer, headers: { 'Preference-Applied': `code=${code}` } },
    effect: 'none',
  };
};

/**
 * Dispatches requests to the worlds of a server; whatever is no request of the API, or cannot be dispatched, goes to the
 * application as it is.
 */
export const dispatching = (
  { worlds, keyHeader, nameOfKey, prefer }: DispatchOptions,
  application: RequestListener,
) => {
  // By the response: a decorator may hand on a copy of the request.
  const decided = new WeakMap<ServerResponse, Serving | Promise<Decided>>();
  const decide = async (request: IncomingMessage): Promise<Decided> => {
    const world = await worlds.of(request.headers);
    await world.refresh();
    const { behaviours, settings } = world;
    const planned = prefer ? preferredBy(request) : undefined;
    if (planned !== undefined) return { world, served: { ...behaviours.base, planned }, request };
    const { method = '', url = '', headers } = request;
    const keyName = nameOfKey(String(headers[keyHeader]));
    const asked = behaviours.isEmpty() ? undefined : askedBy(method, url, headers, keyName, world.name);
    if (asked === undefined) return { world, served: behaviours.base, request };
    if (!behaviours.needsBody(asked)) return { world, served: await behaviours.serve(asked, settings.now()), request };
    const { bytes, again } = await readAhead(request);
    const body = parsedJson(bytes.toString());
    return { world, served: await behaviours.serve({ ...asked, body }, settings.now()), request: again };
  };
  /** The decision where nothing has to be waited for, which is nearly always so in memory. */
  const decideNow = (request: IncomingMessage): Serving | undefined => {
    if (prefer && request.headers.prefer !== undefined) return undefined;
    const world = worlds.known(request.headers);
    if (world === undefined || !world.isFresh()) return undefined;
    return world.behaviours.isEmpty() ? { world, served: world.behaviours.base } : undefined;
  };
  const decideOnce = (request: IncomingMessage, response: ServerResponse): Serving | Promise<Decided> => {
    const serving = decided.get(response) ?? decideNow(request) ?? decide(request);
    decided.set(response, serving);
    return serving;
  };
  return {
    /** How a request is served; decided once. */
    servingOf: decideOnce,
    /** Whether a client that expects 100 Continue is to wait for it in vain. */
    async withholdsContinue(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
      if (!isOfApi(request)) return false;
      const serving = await Promise.resolve(decideOnce(request, response)).catch(() => undefined);
      return serving?.served.planned?.wire === 'no-continue';
    },
    /** Decides, and hands on to what the behaviours of the world make of the application. */
    listener: ((request, response) => {
      if (!isOfApi(request)) return application(request, response);
      const serving = decideOnce(request, response);
      if (!(serving instanceof Promise)) return serving.served.listener(request, response);
      serving.then(
        ({ served, request: given }) => served.listener(given, response),
        () => application(request, response),
      );
    }) satisfies RequestListener,
  };
};
