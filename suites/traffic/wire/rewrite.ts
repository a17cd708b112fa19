import type { RequestHead } from './head.ts';

/** The replacements in the head of a request. */
export interface Rewriting {
  /** The new value of Host; null keeps the client's. */
  readonly host: string | null;
  /** The path of the target's base URL, without trailing slash, to put before the path. */
  readonly basePath: string;
}

/** Scheme and authority of a request target in absolute form (RFC 9112 section 3.2.2). */
const absoluteForm = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** Returns the path and query of a request target, without scheme and authority. */
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

/** Returns the head with the target's Host and base path; every other byte stays unchanged. */
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
