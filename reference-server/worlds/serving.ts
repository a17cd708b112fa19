import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parsedJson } from '../../contracts/json.ts';
import type { PlannedAnswer } from '../api/planned.ts';
import { readAhead } from '../api/request-copy.ts';
import { refusal } from '../api/response.ts';
import type { Served } from '../behaviours/active.ts';
import { withoutBody } from '../behaviours/effects.ts';
import { askedBy } from '../behaviours/matching.ts';
import type { NameOfKey } from '../log/request-log.ts';
import type { ServedWorld } from './served-world.ts';
import type { Worlds } from './worlds.ts';

/** The world of a request, and how it is served there. */
export interface Serving {
  readonly world: ServedWorld;
  readonly served: Served;
}

/** A decision, and the request to continue with: a replay if its body was read ahead. */
interface Decided extends Serving {
  readonly request: IncomingMessage;
}

/** The parts of the server that dispatching uses. */
interface DispatchOptions {
  readonly worlds: Worlds;
  /** The header of the key, in lower case. */
  readonly keyHeader: string;
  readonly nameOfKey: NameOfKey;
  /** True if clients may choose the status of an answer (`Prefer: code=429`). */
  readonly prefer: boolean;
}

/** Requests below this path are served by the world of their key. */
const api = '/console/';

const isOfApi = (request: IncomingMessage): boolean => request.url?.startsWith(api) === true;

/** Returns the answer that a client prefers (RFC 7240, with the `code` preference that Prism and others support). */
const preferredBy = ({ headers }: IncomingMessage): PlannedAnswer | undefined => {
  const code = /(?:^|[\s,;])code\s*=\s*"?([2-5]\d\d)"?(?:$|[\s,;])/i.exec(String(headers.prefer ?? ''))?.[1];
  if (code === undefined) return undefined;
  const status = Number(code);
  const { body } = refusal(status, `As the request prefers it (Prefer: code=${code}).`);
  return {
    behaviour: 'prefer',
    left: null,
    answer: {
      status,
      headers: { 'Preference-Applied': `code=${code}` },
      body: withoutBody.includes(status) ? undefined : body,
    },
    effect: 'none',
  };
};

/**
 * Dispatches requests to the worlds of a server. Requests outside the API, or that fail to dispatch, go to the plain
 * application.
 */
export const dispatching = (
  { worlds, keyHeader, nameOfKey, prefer }: DispatchOptions,
  application: RequestListener,
) => {
  // Keyed by the response, because a decorator may pass on a copy of the request.
  const decided = new WeakMap<ServerResponse, Serving | Promise<Decided>>();
  /** `proceed` is called before the body is read, for which a client may wait. */
  const decide = async (request: IncomingMessage, proceed?: () => void): Promise<Decided> => {
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
    proceed?.();
    const { bytes, again } = await readAhead(request);
    const body = parsedJson(bytes.toString());
    return { world, served: await behaviours.serve({ ...asked, body }, settings.now()), request: again };
  };
  /** Decides synchronously if nothing has to be awaited: the usual case in memory. */
  const decideNow = (request: IncomingMessage): Serving | undefined => {
    if (prefer && request.headers.prefer !== undefined) return undefined;
    const world = worlds.known(request.headers);
    if (world === undefined || !world.isFresh()) return undefined;
    return world.behaviours.isEmpty() ? { world, served: world.behaviours.base } : undefined;
  };
  const decideOnce = (
    request: IncomingMessage,
    response: ServerResponse,
    proceed?: () => void,
  ): Serving | Promise<Decided> => {
    const serving = decided.get(response) ?? decideNow(request) ?? decide(request, proceed);
    decided.set(response, serving);
    return serving;
  };
  return {
    /** Returns how a request is served; decided once per request. */
    servingOf: decideOnce,
    /** Writes the client's 100 Continue, at the latest before the body is read, unless a behaviour withholds it. */
    async writeContinue(request: IncomingMessage, response: ServerResponse): Promise<void> {
      let isWritten = false;
      const proceed = (): void => {
        if (!isWritten) response.writeContinue();
        isWritten = true;
      };
      if (!isOfApi(request)) return proceed();
      const serving = await Promise.resolve(decideOnce(request, response, proceed)).catch(() => undefined);
      if (serving?.served.planned?.wire !== 'no-continue') proceed();
    },
    /** Passes the request to the application as the world's behaviours wrap it. */
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
