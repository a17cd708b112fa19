import { operationAt } from '../../../contracts/operation-at.ts';
import type { ObservedHeaders, ObservedRequest, Unknown } from '../exchange/exchange.ts';
import { opennessOf } from '../exchange/open-body.ts';
import { byName, outsideReasons, type SeenExchange } from '../exchange/seen.ts';

/** Escapes within escapes are undone so often; no server undoes more. */
const mostRounds = 8;

/** A path with all escapes undone, byte by byte, however often they were made. */
function undone(path: string): string {
  let text = path;
  for (let round = 0; round < mostRounds; round += 1) {
    const next = text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === text) break;
    text = next;
  }
  return text;
}

function isText(target: string): boolean {
  try {
    decodeURIComponent(target);
    return /^[\x21-\x7e]*$/.test(target);
  } catch {
    return false;
  }
}

/** The ways in which two servers may read one path differently; `plain` has its escapes undone. */
// biome-ignore format: a table
const oddPaths: readonly (readonly [why: string, isSo: (path: string, plain: string) => boolean])[] = [
  ['its path is no text',                       path => !isText(path)],
  ['its path holds a backslash',                (_path, plain) => plain.includes('\\')],
  ['its path holds a dot segment',              (_path, plain) => plain.split('/').some(part => /^\.{1,2}(;.*)?$/s.test(part))],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  ['its path holds a control character',        (_path, plain) => /[\0-\x1f\x7f]/.test(plain)],
  ['its path is escaped again and again',       (_path, plain) => /%[0-9a-f]{2}/i.test(plain)],
  ['its path holds a fragment',                 path => path.includes('#')],
];

/** A segment as some servers take it: without parameters, what was escaped as the end of a path, and controls. */
const meant = (part: string): string => part.split(/[;?#]/)[0]?.replace(/[\0-\x20\x7f]/g, '') ?? '';

/** Headers by which some servers take a request for another one. */
const overrides = [
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  'x-original-uri',
];

/** Whether a content type names another character coding than the one that JSON has (RFC 8259 section 8.1). */
const isOtherCharset = (headers: ObservedHeaders | Unknown): boolean =>
  headers !== 'not recorded' &&
  (byName(headers).get('content-type') ?? []).some(type =>
    [...type.matchAll(/charset\s*=\s*"?([^\s;",]+)/gi)].some(([, name = '']) => !/^(utf-?8|us-ascii)$/i.test(name)),
  );

const otherCharset = 'its content type names another character coding than UTF-8';

/**
 * Why it cannot be told what a request asks for, before its body is read; undefined where it can, and where it asks for
 * a path outside the API, whichever way a server reads that. `elsewhere`: why it is taken for one outside, if it is.
 */
export function unclearRequest(request: ObservedRequest, elsewhere: string | undefined): string | undefined {
  const { target, headers, method, body } = request;
  if (!target.startsWith('/')) return 'it asks for no path';
  const [path = ''] = target.split('?');
  const plain = undone(path);
  const oddity = oddPaths.find(([, isSo]) => isSo(path, plain))?.[0];
  const parts = plain
    .toLowerCase()
    .split(/[/\\]+/)
    .map(meant)
    .filter(part => part !== '');
  const mayBeOurs =
    oddity === undefined ? /^console\/v\d+$/.test(parts.slice(0, 2).join('/')) : parts.includes('console');
  if (elsewhere === outsideReasons.path && !mayBeOurs) return undefined;
  if (oddity !== undefined) return oddity;
  if (elsewhere === outsideReasons.path)
    return 'its path is one of the API to servers that undo escapes or leave out parameters';
  const other = operationAt(method, plain)?.endpoint;
  if (other !== undefined && other !== operationAt(method, path)?.endpoint)
    return 'its path asks for another operation once its escapes are undone';
  if (!isText(target)) return 'its query is no text';
  const named = headers === 'not recorded' ? undefined : overrides.find(name => byName(headers).has(name));
  if (named !== undefined) return `its header ${named} may ask for something else`;
  if (isOtherCharset(headers)) return otherCharset;
  return elsewhere === outsideReasons.preflight && body !== null ? 'a question of a browser has no body' : undefined;
}

/** Why the body of a request cannot be judged; undefined where it can. */
export const unclearBody = ({ body, isOpenBody }: SeenExchange): string | undefined =>
  body === undefined
    ? 'its body holds too much, or values that servers read differently, or its coding is unknown or broken'
    : isOpenBody && body.kind === 'broken'
      ? `its body ${body.why}`
      : undefined;

/** Why an answer cannot be judged; undefined where it can, and where there is none. */
export function unclearAnswer({ exchange, answer, unreadable }: SeenExchange): string | undefined {
  const { response } = exchange;
  if ('failure' in response) return undefined;
  if (unreadable !== undefined) return unreadable;
  const { status, headers } = response;
  // What a client has already is no new answer.
  if (status >= 300 && status < 400 && status !== 304) return 'a redirection, to what is not judged';
  if (isOtherCharset(headers)) return otherCharset;
  const { body } = answer.reply;
  const open = body.kind === 'json' ? opennessOf(body) : undefined;
  return open?.kind === 'reason' ? `its body ${open.why}` : undefined;
}
