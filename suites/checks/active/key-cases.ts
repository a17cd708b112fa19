import { hasDryRun } from '../../../contracts/endpoint.ts';
import { isObject, type JsonObject } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { urlText } from '../../../contracts/url-text.ts';
import type { ApiRequest, KeyUse } from '../../protocol/answer.ts';
import type { CheckContext } from '../../protocol/check.ts';
import {
  asBasic,
  changedAtEnd,
  changedInside,
  credentialsOf,
  firstPartTurned,
  joinedParts,
  lastPartTurned,
  longerBefore,
  otherCase,
  sameShape,
  withoutLastPart,
} from '../../sut/near-miss-keys.ts';

/** One place of a request that carries something in place of the key: in words, and as a change of the request. */
export interface Way {
  readonly where: string;
  readonly change: Partial<ApiRequest>;
  /** The requirement that is broken if this way opens the operation; absent: that of the case. */
  readonly breaks?: RequirementId;
}

/** The material of a case: the right key, the name of its header, and the otherwise valid request. */
interface Known {
  readonly key: string;
  readonly header: string;
  readonly request: ApiRequest;
  readonly context: CheckContext;
}

/** A request without the right key, which must not be carried out. */
export interface KeyCase {
  readonly title: string;
  readonly requirement: RequirementId;
  /** Several ways share one request. Empty if the way does not exist for this key or operation. */
  readonly ways: (known: Known) => readonly Way[];
}

const none: KeyUse = { kind: 'none' };

const instead =
  (change: (key: string) => string): KeyCase['ways'] =>
  ({ key }) =>
    change(key) === key ? [] : [{ where: 'in its header', change: { key: { kind: 'value', value: change(key) } } }];

/** Returns the first ways at every other operation and the second ways at those between; another seed turns them. */
const takingTurns = (first: KeyCase['ways'], second: KeyCase['ways']): readonly [KeyCase['ways'], KeyCase['ways']] => {
  const isFirst = ({ context: { endpoint, seed } }: Known): boolean => (endpoint.length + seed) % 2 === 0;
  return [known => (isFirst(known) ? first(known) : []), known => (isFirst(known) ? [] : second(known))];
};

const [firstHalf, oneMoreBefore] = takingTurns(
  instead(key => (key.length < 4 ? key : key.slice(0, Math.floor(key.length / 2)))),
  instead(longerBefore),
);
const [cutAtPart, partsJoined] = takingTurns(instead(withoutLastPart), instead(joinedParts));

/**
 * Another key in the header, and the right one in the query: a guard may look there where the header opens nothing. By
 * itself the query is tried without a header.
 */
const besideQuery =
  (change: (key: string) => string): KeyCase['ways'] =>
  known => {
    const wrong = instead(change)(known);
    const query = Object.fromEntries([known.header, ...parameterNames].map(name => [name, known.key]));
    return wrong.flatMap(way => [
      way,
      { where: 'and the right key in the query', change: { ...way.change, query }, breaks: 'auth.key-in-query' },
    ]);
  };

/** A dry run, which a guard may take for a request without effect. */
const dryWithoutKey: KeyCase['ways'] = ({ request: { body }, context: { row } }) =>
  hasDryRun(row)
    ? [{ where: 'nowhere', change: { key: none, body: { ...(body as JsonObject | undefined), dryRun: true } } }]
    : [];

/** A later page of a list with a stated query, which a guard of the first page alone would show. */
const laterPageWithoutKey: KeyCase['ways'] = ({ context: { row } }) =>
  row.query === null ? [] : [{ where: 'nowhere', change: { key: none, query: { page: 2, limit: 1 } } }];

/** An empty key. A list also gets a query, because a guard may match the whole address. */
const emptyKey: KeyCase['ways'] = known =>
  instead(() => '')(known).map(way =>
    known.context.row.list ? { ...way, change: { ...way.change, query: { page: 1 } } } : way,
  );

/** Other names under which services commonly take keys. */
const parameterNames = ['api_key', 'apiKey', 'apikey', 'key', 'token', 'access_token'];
const headerNames = ['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token'];

/** True of the key's own header, or one that the target file adds: neither is a second carrier. */
const carriesOther = (name: string, { header, context }: Known): boolean =>
  header.toLowerCase() === name.toLowerCase() || name.toLowerCase() in context.target.access.headers;

const inHeader = (known: Known, name: string, value: string): readonly Way[] =>
  carriesOther(name, known) ? [] : [{ where: `in ${name}`, change: { key: none, headers: { [name]: value } } }];

/** `Authorization` with credentials of a scheme (RFC 9110 section 11.6.2). */
const authorization =
  (credentials: (key: string) => string): KeyCase['ways'] =>
  known =>
    inHeader(known, 'Authorization', credentials(known.key));

const inQuery: KeyCase['ways'] = ({ key, header }) =>
  [header, ...parameterNames].map(name => ({
    where: `in ${name} of the query`,
    change: { key: none, query: { [name]: key } },
  }));

const inBody: KeyCase['ways'] = ({ key, header, request: { body }, context }) =>
  (context.row.method === 'GET' ? [] : [header, ...parameterNames]).map(name => ({
    where: `in ${name} of the body`,
    change: { key: none, body: { ...(body as JsonObject | undefined), [name]: key } },
  }));

const inOtherHeaders: KeyCase['ways'] = known => {
  const cookies = [known.header, 'api_key', 'token'].map(name => `${name}=${urlText(known.key)}`);
  const inHeaders = headerNames.flatMap(name => inHeader(known, name, known.key));
  return [...inHeaders, ...inHeader(known, 'Cookie', cookies.join('; '))];
};

/** Operations take turns with these schemes. */
const schemes = ['Token', 'ApiKey'];
const inOtherScheme: KeyCase['ways'] = known =>
  authorization(key => `${schemes[known.context.endpoint.length % schemes.length]} ${credentialsOf(key).secret}`)(
    known,
  );

/** Sends no key, at another spelling of the path: `spell` changes the path after the version. */
const atPath =
  (spell: (path: string) => string): KeyCase['ways'] =>
  ({ request, context: { row } }) => {
    const path = row.path.replace(/\{[A-Za-z]+\}/, () => urlText(request.param ?? ''));
    const [start = '', rest = ''] = path.split(/(?<=\/v1\/)/);
    const rawPath = `${start}${spell(rest)}`;
    return [{ where: `at ${rawPath}`, change: { key: none, rawPath } }];
  };

const encoded = (text: string): string =>
  text.replace(/^[a-z]/, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const upper = (path: string): string => path.replace(/^[^/]*/, segment => segment.toUpperCase());

/** The title of the case that all others vary. */
export const withoutKey = 'without the header';

// biome-ignore format: a table
const keyRows: readonly (readonly [title: string, requirement: RequirementId, ways: KeyCase['ways']])[] = [
  [withoutKey,                                          'auth.missing-key',   () => [{ where: 'nowhere', change: { key: none } }]],
  [`${withoutKey}, as a dry run`,                       'auth.missing-key',   dryWithoutKey],
  [`${withoutKey}, for a later page`,                   'auth.missing-key',   laterPageWithoutKey],
  ['with an empty key',                                 'auth.empty-key',     emptyKey],
  ['with another key',                                  'auth.wrong-key',     instead(() => 'conform-wrong-key')],
  ['with another key of the same shape',                'auth.wrong-key',     besideQuery(sameShape)],
  ['with the key but for its last character',           'auth.near-miss-key', instead(key => (key.length < 2 ? key : key.slice(0, -1)))],
  ['with the first half of the key',                    'auth.near-miss-key', firstHalf],
  ['with the key and one character more',               'auth.near-miss-key', instead(key => `${key}x`)],
  ['with the key and one character before it',          'auth.near-miss-key', oneMoreBefore],
  ['with the key in another letter case',               'auth.near-miss-key', instead(otherCase)],
  ['with the key with one character inside changed',    'auth.near-miss-key', instead(changedInside)],
  ['with the key with its last characters changed',     'auth.near-miss-key', instead(changedAtEnd)],
  ['with the first part of the key in another letter case', 'auth.near-miss-key', instead(firstPartTurned)],
  ['with the last part of the key in another letter case', 'auth.near-miss-key', instead(lastPartTurned)],
  ['with the key but for its last part',                'auth.near-miss-key', cutAtPart],
  ['with the key without its separators',               'auth.near-miss-key', partsJoined],
  ['with the key in the query only',                    'auth.key-in-query',  inQuery],
  ['with the key in the body only',                     'auth.key-in-body',   inBody],
  ['with the key as a bearer token only',               'auth.bearer',        authorization(key => `Bearer ${credentialsOf(key).secret}`)],
  ['with the key in other headers and cookies only',    'auth.other-carrier', inOtherHeaders],
  ['with the key as basic credentials only',            'auth.other-carrier', authorization(key => `Basic ${asBasic(key)}`)],
  ['with the key in `Authorization` without a scheme only', 'auth.other-carrier', authorization(key => credentialsOf(key).secret)],
  ['with the key under another scheme only',            'auth.other-carrier', inOtherScheme],
  ['without the key, with a slash at the end of the path', 'auth.other-path',   atPath(path => `${path}/`)],
  ['without the key, with a slash doubled',             'auth.other-path',    atPath(path => `/${path}`)],
  ['without the key, with a letter of the path encoded', 'auth.other-path',   atPath(encoded)],
  ['without the key, with the path in another letter case', 'auth.other-path', atPath(upper)],
];

/** The ways in which a request lacks the right key in its header, and the requirement that each acceptance breaks. */
export const keyCases: readonly KeyCase[] = keyRows.map(([title, requirement, ways]) => ({ title, requirement, ways }));

/** Merges the changes of several ways into one request. */
export function together(ways: readonly Way[]): Partial<ApiRequest> {
  const merged = (name: 'query' | 'headers' | 'body'): object | undefined => {
    const values = ways.map(({ change }) => change[name]).filter(isObject);
    return values.length === 0 ? undefined : Object.assign({}, ...values);
  };
  const [query, headers, body] = [merged('query'), merged('headers'), merged('body')];
  return { ...ways[0]?.change, ...(present({ query, headers, body }) as Partial<ApiRequest>) };
}
