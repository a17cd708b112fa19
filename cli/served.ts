import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { createSecureContext } from 'node:tls';
import { compact, present } from '../contracts/present.ts';
import type { ApiKey, LoggedRequest, ReferenceServer, Tls } from '../reference-server/index.ts';
import { safeJson, safeText } from '../reports/text/safe-text.ts';
import { pem } from './connection.ts';
import type { ServeFlags } from './definitions/server.ts';
import { refuse } from './input.ts';
import { refuseKey } from './key-command.ts';
import { nearest } from './suggestion.ts';
import { type Stream, shown } from './writer.ts';

/** Removes a stale socket, at which no server answers. Returns true if it did. */
async function removedStale(path: string): Promise<boolean> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return false;
  const code = await new Promise<string | undefined>(resolve => {
    const socket = connect(path, () => resolve(undefined)).on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code),
    );
    socket.unref();
  });
  if (code !== 'ECONNREFUSED') return false;
  unlinkSync(path);
  return true;
}

/** The longest socket path that every system accepts, in bytes. */
const longestSocket = 103;

/** Makes a server listen at a Unix socket or a port. Returns its URL. Throws a `UsageError` if it cannot listen. */
export async function listenAt(
  server: ReferenceServer,
  port: number,
  host: string,
  unixSocket: string | undefined,
): Promise<string> {
  const listen = async () =>
    (await (unixSocket === undefined ? server.listen(port, host) : server.listen({ path: unixSocket }))).url;
  // The system would truncate a longer path and create the socket elsewhere.
  if (unixSocket !== undefined && Buffer.byteLength(unixSocket) > longestSocket)
    refuse(`--unix-socket takes a path of at most ${longestSocket} bytes`);
  try {
    return await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' || unixSocket === undefined) {
      if (code === 'EADDRINUSE') refuse(`port ${port} is taken; choose another with --port`);
      refuse(`cannot listen on ${unixSocket ?? `${host}:${port}`} (${code ?? message})`);
    }
    if (await removedStale(unixSocket)) return listen();
    refuse(`${unixSocket} is there already; choose another with --unix-socket`);
  }
}

/** The roles of keys, as `--key` names them. */
const roles: readonly NonNullable<ApiKey['role']>[] = ['read-write', 'read-only'];

/** Parses `NAME=KEY`, optionally with `:ROLE` and `:expires=TIME`. Throws a `UsageError` that shows no key. */
function keyOf(text: string): ApiKey {
  const [, name, whole] = /^([\w.-]+)=(.+)$/s.exec(text) ?? [];
  const [, before, stamp] = /^(.*):expires=(.*)$/s.exec(whole ?? '') ?? [];
  const rest = before ?? whole;
  const expires = stamp === undefined ? undefined : Date.parse(stamp);
  if (Number.isNaN(expires)) refuse(`--key ${name} expires at no time such as 2026-01-31T12:00:00Z`);
  if (name === undefined || rest === undefined)
    refuse('--key must be NAME=KEY or NAME=KEY:read-only, with a name of letters, digits, dots and dashes');
  const role = roles.find(one => rest.endsWith(`:${one}`));
  const key = role ? rest.slice(0, -role.length - 1) : rest;
  const suffix = /:([a-z_-]+)$/i.exec(key)?.[1] ?? '';
  if (!role && nearest(suffix, roles).length > 0)
    refuse(`--key ${name} ends in no role; the roles are ${roles.join(' and ')}`);
  if (key === '') refuse(`--key ${name} has no key before its role`);
  refuseKey(key, `--key ${name}`);
  return present({ name, key, role, expires });
}

/** Parses the keys of `--key`. Throws a `UsageError` for a duplicate, without showing a key. */
export function servedKeys(texts: readonly string[], apiKey: string | undefined): readonly ApiKey[] {
  const keys = texts.map(keyOf);
  for (const [index, { name, key }] of keys.entries()) {
    const before = keys.slice(0, index);
    if (name === 'api-key') refuse('--key api-key: that is what the key of --api-key is called');
    if (before.some(other => other.name === name)) refuse(`--key ${name} is given twice`);
    const twin = before.find(other => other.key === key)?.name ?? (key === apiKey ? 'api-key' : undefined);
    if (twin !== undefined) refuse(`--key ${name} is the same key as ${twin}`);
  }
  return keys;
}

/** Reads the certificate and key that the flags name. Throws a `UsageError` that names the flag, but no content. */
export function servedTls({ tlsCert, tlsKey }: ServeFlags): Tls | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined) refuse('--tls-key without --tls-cert: which certificate is it the key of?');
  if (tlsKey === undefined) refuse('--tls-cert without --tls-key: which file has its key?');
  // From an empty text the system makes a context without a certificate, to which nobody can connect.
  const usable = (name: keyof Tls) => (text: string) =>
    text.trim() === '' ? 'it is empty' : createSecureContext({ [name]: text });
  const tls = { cert: pem('--tls-cert', tlsCert, usable('cert')), key: pem('--tls-key', tlsKey, usable('key')) };
  try {
    createSecureContext(tls);
  } catch {
    refuse(`--tls-key ${tlsKey} is not the key of --tls-cert ${tlsCert}`);
  }
  return tls;
}

/** Maximum number of characters shown of a path, and of the reason for a refusal. */
const longest = { path: 120, why: 160 } as const;

/** Returns why a request was refused, on one line. */
function whyOf({ refused, behaviours, answeredBy }: LoggedRequest): string {
  const errors = refused?.errors.map(({ property, errorMessage }) => `${property} ${errorMessage}`) ?? [];
  const { behaviour, left = null } = answeredBy ?? {};
  const nameOf = (id: string): string => (id === behaviour && left !== null ? `[${id}, ${left} left]` : `[${id}]`);
  const why = errors.length > 0 ? errors.join('; ') : (refused?.message ?? '');
  return [why, ...behaviours.map(nameOf)].filter(Boolean).join(' ');
}

/**
 * Returns a request on one line: method, path, status, time, and the reason for a refusal. Adds the world unless it is
 * the default one, and the name of a key given with `--key`.
 */
export function requestLine(request: LoggedRequest, world: string): string {
  const { method, url, status, took, keyName } = request;
  const shown = compact([
    method.padEnd(6),
    safeText(url, longest.path),
    status === null ? 'no answer' : String(status),
    `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`,
    world !== 'default' && world,
    keyName !== null && keyName !== 'api-key' && keyName,
    safeText(whyOf(request), longest.why),
  ]);
  return shown.filter(Boolean).join('  ');
}

/** Returns what prints each request; undefined if `serve` prints none. Throws a `UsageError` for conflicting flags. */
export function requestPrinter(
  { log, quiet = false }: Pick<ServeFlags, 'log' | 'quiet'>,
  out: Pick<Stream, 'isTTY' | 'say'>,
) {
  if (quiet && log) refuse('--quiet prints nothing: it takes no --log');
  if (quiet || (!log && !out.isTTY)) return undefined;
  return (request: LoggedRequest, world: string): void =>
    out.say(shown(log === 'json' ? safeJson({ world, ...request }, 0) : `${requestLine(request, world)}\n`));
}
