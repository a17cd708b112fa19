import { decoded } from '../../../contracts/decoded.ts';
import { isObject, type Json } from '../../../contracts/json.ts';
import { valuesOf } from './exchange.ts';
import type { SeenExchange } from './seen.ts';
import { someText } from './values.ts';

/** The places in which a client put its key. */
export type KeyUse = Readonly<ReturnType<typeof keyUseOf>>;

/** Names under which clients send an API key in the wrong place. */
const keyNames = new Set(['apikey', 'key', 'token', 'accesstoken', 'authtoken', 'accesskey', 'authkey', 'auth', 'jwt']);

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** True if a name always means the key of this API; `header` is the key header. */
const namesKey = (name: string, header: string): boolean => plain(name) === plain(header) || plain(name) === 'apikey';

/** True if a name means the key of this API when the key header is missing. */
const namesSomeKey = (name: string, header: string): boolean => namesKey(name, header) || keyNames.has(plain(name));

/** Other headers in which clients send the key by mistake. */
const otherCarriers = ['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'statsig-api-key'];

/** Minimum length of a key that is searched within texts; a shorter one may occur by accident. */
const longKey = 12;
/** Maximum number of body values searched for the key. */
const mostValues = 2_000;

/**
 * Finds where a request carries a key.
 *
 * @param header the name of the key header
 * @param key the key, if known
 * @param seen false if the recording leaves keys out
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
    /** False if it is unknown whether there is a key, because a recording may leave it out. */
    isKnown,
    /** True if the key header is present and not blank. */
    inHeader,
    /** True if the key header is present but blank. */
    isEmpty: own.length > 0 && !inHeader,
    /** The query parameter that holds a key; empty if its name contains the key. */
    inQuery: parameter && (holdsKey(parameter) ? '' : parameter),
    /** True if the path holds the key. */
    inPath: path.split('/').some(part => holdsKey(decoded(part))),
    /** The body member that holds a key; empty if the key stands in a broken body. */
    inBody: member ?? inText,
    /** Another header that carries a key. */
    inOther: inHeader ? undefined : carrier,
    /** The key that distinguishes clients; empty if none is known. */
    key: filled[0] ?? (parameter === undefined ? sent : asked),
    /** All secrets found: the values of the key header and of the wrong places. */
    values: [...filled, ...(asked === '' ? [] : [asked]), ...(typeof inMember === 'string' ? [inMember] : [])],
  };
}
