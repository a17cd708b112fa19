import type { RequestHead } from './head.ts';

/** What of the head of a request becomes that of the target. */
export interface Rewriting {
  /** What Host says; null keeps it as the client sent it. */
  readonly host: string | null;
  /** Stands before the path: the path of the target's base URL without a slash at its end. */
  readonly basePath: string;
}

/** The target of a request without scheme and authority, where it names them (RFC 9112 section 3.2.2). */
const absoluteForm = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** The path and the query that a client asks for, whether it names the origin before them or not. */
export function originForm(target: string): string {
  const [origin = ''] = absoluteForm.exec(target) ?? [];
  const rest = target.slice(origin.length);
  return origin !== '' && !rest.startsWith('/') ? `/${rest}` : rest;
}

function targetFor(target: string, { host, basePath }: Rewriting): string {
  const [origin = ''] = absoluteForm.exec(target) ?? [];
  if (origin === '') return target.startsWith('/') ? `${basePath}${target}` : target;
  const authority = origin.indexOf('//') + 2;
  return `${host === null ? origin : origin.slice(0, authority) + host}${basePath}${originForm(target)}`;
}

/** The head with the target's Host and base path; every other byte as it came. */
export function rewritten({ bytes, target, targetFrom, hosts }: RequestHead, rewriting: Rewriting): Buffer {
  const { host } = rewriting;
  const places = [
    { from: targetFrom, to: targetFrom + target.length, text: targetFor(target, rewriting) },
    ...(host === null ? [] : hosts.map(place => ({ ...place, text: host }))),
  ];
  if (places.every(({ from, to, text }) => bytes.toString('latin1', from, to) === text)) return bytes;
  let at = 0;
  const parts: Buffer[] = [];
  for (const { from, to, text } of places) {
    parts.push(bytes.subarray(at, from), Buffer.from(text, 'latin1'));
    at = to;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
