import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isSameKey } from '../api/authorise.ts';
import { type HandlerResponse, refusal } from '../api/response.ts';

/** The conditions for using the control paths. */
export interface Access {
  /** The expected value of `Reference-Control-Key`; required if the server listens beyond the loopback interface. */
  readonly controlKey: string | undefined;
  /** The host that the server was told to listen on, `localhost` for a Unix socket; undefined if it never listened. */
  readonly host: () => string | undefined;
}

/** The header that carries the control key. */
export const controlKeyHeader = 'Reference-Control-Key';

/** True if a name or address can only mean this machine. */
export const isLoopback = (host: string): boolean => {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === '::1' || name === '::ffff:127.0.0.1' || name === 'localhost' || name.endsWith('.localhost');
};

/** Returns the host of a `Host` header or an origin, without its port; undefined if malformed. */
const hostOf = (authority: string): string | undefined => {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/i.exec(authority);
  return match?.[1]?.toLowerCase();
};

const otherHost = refusal(
  403,
  'The control paths answer to the host on which the server listens, and to no other name.',
);
const otherOrigin = refusal(403, 'The control paths are closed to web pages of other origins.');
const closed = refusal(
  403,
  'The server listens beyond this machine: its control paths need a control key (--control-key).',
);
const wrongKey = refusal(401, `The control key is missing or wrong; it stands in the header ${controlKeyHeader}.`);

/**
 * Returns the refusal of a request to the control paths; undefined if it is allowed. The `Host` must be this machine or
 * the listening host, because DNS rebinding would let foreign pages read the answers. The origin must match it, because
 * foreign pages can send requests to a loopback server. `open`: the path reveals nothing of a world and needs no
 * control key.
 */
export const controlRefusal = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  { controlKey, host }: Access,
  open: boolean,
): HandlerResponse | undefined => {
  const { host: authority = '', origin } = headers;
  const named = hostOf(authority);
  const listening = host();
  const anywhere = listening === '0.0.0.0' || listening === '::';
  const beyond = listening !== undefined && !isLoopback(listening);
  const isOurs =
    named !== undefined && (isLoopback(named) || named === listening?.toLowerCase() || named === `[${listening}]`);
  // A server that listens on all interfaces accepts any host name, provided that it has a control key.
  if (!isOurs && !(anywhere && controlKey !== undefined)) return otherHost;
  if (origin !== undefined && /^https?:\/\/(.*)$/s.exec(origin)?.[1]?.toLowerCase() !== authority.toLowerCase())
    return otherOrigin;
  if (open) return undefined;
  if (controlKey === undefined) return beyond ? closed : undefined;
  const sent = headers[controlKeyHeader.toLowerCase()];
  return typeof sent === 'string' && isSameKey(Buffer.from(sent), Buffer.from(controlKey)) ? undefined : wrongKey;
};
