import { decoded } from '../../../contracts/decoded.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import type { SeenExchange } from './seen.ts';

/** Where a client put its key. */
export interface KeyUse {
  /** False where it is not known whether there is one: a recording may leave it out. */
  readonly isKnown: boolean;
  /** The key header is there, with something in it. */
  readonly inHeader: boolean;
  /** The header is there, and empty. */
  readonly isEmpty: boolean;
  /** The query parameter that holds a key; empty where its name does. */
  readonly inQuery: string | undefined;
  /** The path holds the key. */
  readonly inPath: boolean;
  /** The member of the body that holds one; empty where the body is none with members. */
  readonly inBody: string | undefined;
  /** The other header that carries one. */
  readonly inOther: string | undefined;
  /** The key that tells clients apart; empty where none is known. */
  readonly key: string;
  /** The values of the key header, and what stands in the other places: secrets, all of them. */
  readonly values: readonly string[];
}

/** The names by which clients send the key of an API where it does not belong. */
const keyNames = new Set(['apikey', 'key', 'token', 'accesstoken', 'authtoken', 'accesskey', 'authkey', 'auth', 'jwt']);

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** True of a name that is for the key of the API itself; `header` is the key header. */
const namesKey = (name: string, header: string): boolean => plain(name) === plain(header) || plain(name) === 'apikey';

/** True of a name that is for a key where the request has none in its header: there it can be nothing else. */
const namesSomeKey = (name: string, header: string): boolean => namesKey(name, header) || keyNames.has(plain(name));

/** Headers in which clients carry a key that belongs elsewhere. */
const otherCarriers = ['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'statsig-api-key'];

/** Keys of so many characters are looked for within texts; shorter ones may stand there by accident. */
const longKey = 12;
/** So many values of a body are looked at. */
const mostValues = 2_000;

/** True where a text holds a value that passes, at any depth. */
function someText(value: Json, isMet: (text: string) => boolean): boolean {
  const waiting: Json[] = [value];
  for (let looked = 0; looked < mostValues; looked += 1) {
    const next = waiting.pop();
    if (next === undefined) return false;
    if (typeof next === 'string') {
      if (isMet(next)) return true;
    } else if (Array.isArray(next)) waiting.push(...next.slice(0, mostValues));
    else if (isObject(next)) waiting.push(...(Object.values(next).slice(0, mostValues) as Json[]));
  }
  return false;
}

/**
 * Finds out where a request carries a key.
 *
 * @param header the name of the key header
 * @param key the key, where it is known
 * @param seen false where the recording leaves keys out
 */
export function keyUseOf(exchange: SeenExchange, header: string, key: string | undefined, seen: boolean): KeyUse {
  const { headers, query, answer, row, body, path } = exchange;
  const own = headers?.get(header.toLowerCase()) ?? [];
  const filled = own.filter(value => value.trim() !== '');
  const secrets = [...new Set([...filled, ...(key === undefined ? [] : [key])])].filter(value => value.length >= 4);
  const isKnown = headers !== undefined && seen;
  const isKeyless = isKnown && filled.length === 0;
  const holdsKey = (text: string): boolean =>
    secrets.some(secret => text === secret || (secret.length >= longKey && text.includes(secret)));
  const isKey = (name: string, value: Json): boolean =>
    (typeof value === 'string' &&
      value !== '' &&
      (namesKey(name, header) || (isKeyless && namesSomeKey(name, header)))) ||
    someText(value, holdsKey);
  const inQuery = [...query].find(([name, value]) => isKey(name, value) || holdsKey(name));
  const documented = row.body?.properties ?? {};
  const members = Object.entries(isObject(answer.sent) ? answer.sent : {}) as [string, Json][];
  const inMember = members.find(([name, value]) => !Object.hasOwn(documented, name) && isKey(name, value));
  const inText = body?.kind === 'broken' && holdsKey(body.text) ? '' : undefined;
  const inOther =
    filled.length > 0 ? undefined : otherCarriers.find(name => name !== header.toLowerCase() && headers?.has(name));
  const inBody = inMember?.[1];
  return {
    isKnown,
    inHeader: filled.length > 0,
    isEmpty: own.length > 0 && filled.length === 0,
    inQuery: inQuery === undefined || holdsKey(inQuery[0]) ? inQuery && '' : inQuery[0],
    inPath: path.split('/').some(part => holdsKey(decoded(part))),
    inBody: inMember?.[0] ?? inText,
    inOther,
    key: filled[0] ?? inQuery?.[1] ?? (typeof inBody === 'string' ? inBody : ''),
    values: [
      ...filled,
      ...(inQuery === undefined || inQuery[1] === '' ? [] : [inQuery[1]]),
      ...(typeof inBody === 'string' ? [inBody] : []),
    ],
  };
}
