import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type HandlerResponse, refusal } from '../api/response.ts';

/** Who may use the control paths. */
export interface Access {
  /** What the header `Reference-Control-Key` must hold; required where the server listens beyond the loopback interface. */
  readonly controlKey: string | undefined;
  /** The host that the server was told to listen on; undefined where it listens on none, or on a socket of this machine. */
  readonly host: () => string | undefined;
}

/** The header of the control key. */
export const controlKeyHeader = 'Reference-Control-Key';

/** True of names and addresses of this machine that no other machine can have. */
export const isLoopback = (host: string): boolean => {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === '::1' || name === '::ffff:127.0.0.1' || name === 'localhost' || name.endsWith('.localhost');
};

/** The host of a `Host` header or an origin, without its port; undefined where it is none. */
const hostOf = (authority: string): string | undefined => {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/i.exec(authority);
  return match?.[1]?.toLowerCase();
};

const equal = (one: string, other: string): boolean => {
  const [sent, expected] = [Buffer.from(one), Buffer.from(other)];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
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
 * Why a request may not use the control paths; undefined where it may. A page of another origin could send requests to
 * a server on the loopback interface, and a name that its owner points there could read the answers: so the host that a
 * request names has to be one of this machine, or the one on which the server listens, and its origin the same.
 * `open`: paths that tell nothing of a world, which need no control key.
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
  // Of a server that listens everywhere only the key can tell who is meant.
  if (!isOurs && !(anywhere && controlKey !== undefined)) return otherHost;
  if (origin !== undefined && !/^https?:\/\//.test(origin)) return otherOrigin;
  if (origin !== undefined && origin.replace(/^https?:\/\//, '').toLowerCase() !== authority.toLowerCase())
    return otherOrigin;
  if (open) return undefined;
  if (controlKey === undefined) return beyond ? closed : undefined;
  const sent = headers[controlKeyHeader.toLowerCase()];
  return typeof sent === 'string' && equal(sent, controlKey) ? undefined : wrongKey;
};
