import { operationAt } from '../../../contracts/operation-at.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { respelledMember } from '../exchange/body-problems.ts';
import { knownIn, type ObservedMessage, type ObservedRequest, valuesOf } from '../exchange/exchange.ts';
import { hasFinerNumber, opennessOf } from '../exchange/open-body.ts';
import { outsideReasons, type SeenExchange } from '../exchange/seen.ts';

/** Maximum number of rounds in which nested escapes are undone; no server undoes more. */
const mostRounds = 8;

/** Returns a path with all escapes undone byte by byte, nested ones included. */
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

/** Paths that two servers may read differently; `plain` is the path with its escapes undone. */
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

/** Returns a segment as some servers read it: without parameters, escaped `?` and `#`, and control characters. */
const meant = (part: string): string => part.split(/[;?#]/)[0]?.replace(/[\0-\x20\x7f]/g, '') ?? '';

/** Headers by which some servers replace the path or the method of a request. */
const otherPaths = ['x-original-url', 'x-rewrite-url', 'x-original-uri'];
const overrides = [...otherPaths, 'x-http-method-override', 'x-http-method', 'x-method-override'];

/** Returns the segments of a path as some servers read them, in lower case. */
const partsOf = (plain: string): readonly string[] =>
  plain
    .toLowerCase()
    .split(/[/\\]+/)
    .map(meant)
    .filter(part => part !== '');

/** Returns the values of a header; some servers treat underscores in names as dashes. */
const valuesOfAnySpelling = (headers: ObservedMessage['headers'], name: string): readonly string[] =>
  valuesOf(
    knownIn(headers).map(([own, value]) => [own.replaceAll('_', '-'), value]),
    name,
  );

/** Returns the reason for a header with several values, of which servers read one. */
const severalValues = (name: string): string => `its header ${name} has several values, of which servers read one`;

/** Returns why a content type makes the body unclear (JSON is always UTF-8, RFC 8259 section 8.1). */
function unclearType(headers: ObservedMessage['headers']): string | undefined {
  const types = new Set(valuesOfAnySpelling(headers, 'content-type'));
  if (types.size > 1) return severalValues('content-type');
  const isOther = [...types].some(type =>
    [...type.matchAll(/charset\s*=\s*"?([^\s;",]+)/gi)].some(([, name = '']) => !/^(utf-?8|us-ascii)$/i.test(name)),
  );
  return isOther ? 'its content type names another character coding than UTF-8' : undefined;
}

/**
 * Returns why the meaning of a request is unclear before its body is read. Returns undefined if it is clear, or if
 * every server reads the path as outside the API. `elsewhere`: why the request counts as outside, if it does.
 */
export function unclearRequest(
  request: ObservedRequest,
  elsewhere: string | undefined,
  keyHeader: string,
): string | undefined {
  const { target, headers, method, body } = request;
  if (!target.startsWith('/')) return 'it asks for no path';
  const [path = '', query = ''] = target.split('?');
  const values = (name: string): readonly string[] => valuesOfAnySpelling(headers, name);
  const plain = undone(path);
  const oddity = oddPaths.find(([, isSo]) => isSo(path, plain))?.[0];
  const parts = partsOf(plain);
  const mayBeOurs = oddity ? parts.includes('console') : /^console\/v\d+$/.test(parts.slice(0, 2).join('/'));
  if (elsewhere === outsideReasons.path && !mayBeOurs) {
    const leading = otherPaths.find(name => values(name).some(to => partsOf(undone(to)).includes('console')));
    return leading && `its header ${leading} may lead to the API`;
  }
  if (oddity) return oddity;
  if (elsewhere === outsideReasons.path)
    return 'its path is one of the API to servers that undo escapes or leave out parameters';
  const other = operationAt(method, plain)?.endpoint;
  if (other && other !== operationAt(method, path)?.endpoint)
    return 'its path asks for another operation once its escapes are undone';
  if (!isText(target)) return 'its query is no text';
  const named = overrides.find(name => values(name).length > 0);
  if (named) return `its header ${named} may ask for something else`;
  if (new URLSearchParams(query).has('_method')) return 'its query may ask for another method (_method)';
  if (new Set(values(keyHeader.toLowerCase())).size > 1) return severalValues(keyHeader);
  const type = unclearType(headers);
  if (type) return type;
  if (body && values('content-type').some(one => /^application\/x-www-form-urlencoded\b/i.test(one.trim())))
    return 'its content type says that its body is a form';
  return elsewhere === outsideReasons.preflight && body ? 'a question of a browser has no body' : undefined;
}

/** Returns why the body of a request cannot be judged; undefined if it can. */
export function unclearBody({ body, isOpenBody, answer, row }: SeenExchange): string | undefined {
  if (!body)
    return 'its body holds too much, or values that servers read differently, or its coding is unknown or broken';
  if (isOpenBody && body.kind === 'broken') return `its body ${body.why}`;
  if (body.kind !== 'json') return undefined;
  if (hasFinerNumber(body.text)) return 'its body holds a number with more digits than servers keep';
  const respelled = answer.sent === undefined ? undefined : respelledMember(answer.sent, row);
  return (
    respelled && `its body names ${clip(respelled, 80)}, which is a documented member where letter case is ignored`
  );
}

/** True if a request may be conditional (RFC 9110 section 13.1). */
const hasCondition = ({ headers }: ObservedRequest): boolean =>
  headers === 'not recorded' ||
  ['if-none-match', 'if-modified-since'].some(name => valuesOfAnySpelling(headers, name).length > 0);

/** Returns why an answer cannot be judged; undefined if it can, or if there is none. */
export function unclearAnswer({ exchange, answer, unreadable }: SeenExchange): string | undefined {
  const { response } = exchange;
  if ('failure' in response) return undefined;
  if (unreadable) return unreadable;
  const { status, headers } = response;
  // A 304 to a conditional request carries nothing new to judge.
  if (status === 304 && !hasCondition(exchange.request)) return 'a 304 to a request without a condition';
  if (status >= 300 && status < 400 && status !== 304) return 'a redirection, to what is not judged';
  const type = unclearType(headers);
  if (type) return type;
  const { body } = answer.reply;
  const open = body.kind === 'json' ? opennessOf(body) : undefined;
  if (!open) return undefined;
  return open.kind === 'reason' ? `its body ${open.why}` : 'its body holds values that clients read differently';
}
