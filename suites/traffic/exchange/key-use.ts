import { decoded } from '../../../contracts/decoded.ts';
import { plain } from '../../client/secret-names.ts';
import { undocumentedMembers } from './body-problems.ts';
import { knownIn, valuesOf } from './exchange.ts';
import type { SeenExchange } from './seen.ts';
import { textsWithin } from './values.ts';

/** The places in which a client put its key. */
export type KeyUse = Readonly<ReturnType<typeof keyUseOf>>;

/** Names under which clients send an API key in the wrong place. */
const keyNames = new Set(['apikey', 'key', 'token', 'accesstoken', 'authtoken', 'accesskey', 'authkey', 'auth', 'jwt']);

/** True if a name always means the key of this API; `header` is the key header. */
const namesKey = (name: string, header: string): boolean => plain(name) === plain(header) || plain(name) === 'apikey';

/** True if a name means the key of this API when the key header is missing. */
const namesSomeKey = (name: string, header: string): boolean => namesKey(name, header) || keyNames.has(plain(name));

/** Other headers in which clients send the key by mistake. */
const otherCarriers = ['authorization', 'x-api-key', 'api-key', 'x-auth-token', 'statsig-api-key'];

/** Minimum length of a key that is known by itself; a shorter one, such as `test`, may be any word of the client. */
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
  const secrets = [...filled, key ?? ''].filter(value => value.length >= longKey);
  const isKnown = headers !== 'not recorded' && seen;
  const isKeyless = isKnown && !inHeader;
  const holdsKey = (text: string): boolean => secrets.some(secret => text.includes(secret));
  const isKey = (name: string, text: string): boolean =>
    (text !== '' && (namesKey(name, header) || (isKeyless && namesSomeKey(name, header)))) || holdsKey(text);
  const [parameter, asked = ''] = [...query].find(([name, value]) => isKey(name, value) || holdsKey(name)) ?? [];
  const { sent } = answer;
  const undocumented = sent === undefined || !row.body ? [''] : undocumentedMembers(sent, row);
  const isUndocumented = (pointer: string): boolean =>
    undocumented.some(one => pointer === one || pointer.startsWith(`${one}/`));
  // The name of a documented member does not mean a key.
  const member = textsWithin(sent, mostValues).find(({ pointer, name, text }) =>
    isUndocumented(pointer) ? isKey(name, text) : holdsKey(text),
  );
  const inText = body?.kind === 'broken' && holdsKey(body.text) ? '' : undefined;
  const others = knownIn(headers).filter(([name]) => name.toLowerCase() !== keyHeader);
  const bearing = others.find(([, value]) => holdsKey(value))?.[0].toLowerCase();
  const carrier = bearing ?? otherCarriers.find(one => others.some(([name]) => name.toLowerCase() === one));
  const inMember = member && !holdsKey(member.text) ? member.text : '';
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
    /** The pointer of the text in the body that holds a key; empty if the whole body does, or a broken one. */
    inBody: member?.pointer ?? inText,
    /** Another header that carries a key; beside the key header only if it holds the same key. */
    inOther: inHeader ? bearing : carrier,
    /** The key that distinguishes clients; empty if none is known. */
    key: filled[0] ?? (parameter === undefined ? inMember : asked),
    /** All secrets found: the values of the key header and of the wrong places. */
    values: [...filled, ...[asked, inMember].filter(value => value !== '')],
  };
}
