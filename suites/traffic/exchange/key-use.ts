import { decoded } from '../../../contracts/decoded.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import { valuesOf } from './headers.ts';
import type { SeenExchange } from './seen.ts';
import { someText } from './values.ts';

/** Where a client put its key. */
export type KeyUse = Readonly<ReturnType<typeof keyUseOf>>;

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

/**
 * Finds out where a request carries a key.
 *
 * @param header the name of the key header
 * @param key the key, where it is known
 * @param seen false where the recording leaves keys out
 */
export function keyUseOf(
  { exchange, query, answer, row, body, path }: SeenExchange,
  header: string,
  key: string | undefined,
  seen: boolean,
) {
  const { headers } = exchange.request;
  const keyHeader = header.toLowerCase();
  const own = valuesOf(headers, keyHeader);
  const filled = own.filter(value => value.trim() !== '');
  const inHeader = filled.length > 0;
  const secrets = [...filled, key ?? ''].filter(value => value.length >= 4);
  const isKnown = headers !== 'not recorded' && seen;
  const isKeyless = isKnown && !inHeader;
  const holdsKey = (text: string): boolean =>
    secrets.some(secret => text === secret || (secret.length >= longKey && text.includes(secret)));
  const isKey = (name: string, value: Json): boolean =>
    (typeof value === 'string' &&
      value !== '' &&
      (namesKey(name, header) || (isKeyless && namesSomeKey(name, header)))) ||
    someText(value, mostValues, holdsKey);
  const [parameter, asked = ''] = [...query].find(([name, value]) => isKey(name, value) || holdsKey(name)) ?? [];
  const documented = row.body?.properties ?? {};
  const members = Object.entries(isObject(answer.sent) ? answer.sent : {});
  const [member, inMember] =
    members.find(([name, value]) => !Object.hasOwn(documented, name) && isKey(name, value)) ?? [];
  const inText = body?.kind === 'broken' && holdsKey(body.text) ? '' : undefined;
  const carrier = otherCarriers.find(name => name !== keyHeader && valuesOf(headers, name).length > 0);
  const sent = typeof inMember === 'string' ? inMember : '';
  return {
    /** False where it is not known whether there is one: a recording may leave it out. */
    isKnown,
    /** The key header is there, with something in it. */
    inHeader,
    /** The header is there, and empty. */
    isEmpty: own.length > 0 && !inHeader,
    /** The query parameter that holds a key; empty where its name does. */
    inQuery: parameter && (holdsKey(parameter) ? '' : parameter),
    /** The path holds the key. */
    inPath: path.split('/').some(part => holdsKey(decoded(part))),
    /** The member of the body that holds one; empty where the body is none with members. */
    inBody: member ?? inText,
    /** The other header that carries one. */
    inOther: inHeader ? undefined : carrier,
    /** The key that tells clients apart; empty where none is known. */
    key: filled[0] ?? (parameter === undefined ? sent : asked),
    /** The values of the key header, and what stands in the other places: secrets, all of them. */
    values: [...filled, ...(asked === '' ? [] : [asked]), ...(typeof inMember === 'string' ? [inMember] : [])],
  };
}
