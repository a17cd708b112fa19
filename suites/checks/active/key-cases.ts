import type { Endpoint } from '../../../contracts/endpoint.ts';
import { isObject, type JsonObject } from '../../../contracts/json.ts';
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
  lastPartTurned,
  otherCase,
  sameShape,
  withoutLastPart,
} from '../../sut/near-miss-keys.ts';

/** One place of a request that carries something in place of the key: in words, and as a change of the request. */
export interface Way {
  readonly where: string;
  readonly change: Partial<ApiRequest>;
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

const inBody: KeyCase['ways'] = ({ key, header, request, context }) =>
  context.row.method === 'GET'
    ? []
    : [header, ...parameterNames].map(name => ({
        where: `in ${name} of the body`,
        change: { key: none, body: { ...(request.body as JsonObject | undefined), [name]: key } },
      }));

const inOtherHeaders: KeyCase['ways'] = known => {
  const cookies = [known.header, 'api_key', 'token'].map(name => `${name}=${urlText(known.key)}`);
  return [...headerNames.map(name => [name, known.key] as const), ['Cookie', cookies.join('; ')] as const].flatMap(
    ([name, value]) => inHeader(known, name, value),
  );
};

/** Operations take turns with these schemes. */
const schemes = ['Token', 'ApiKey'];
const inOtherScheme: KeyCase['ways'] = known =>
  authorization(key => `${schemes[known.context.endpoint.length % schemes.length]} ${credentialsOf(key).secret}`)(
    known,
  );

/** Returns the path with its parameter, encoded. */
const pathOf = ({ path }: Endpoint, param: string | undefined): string =>
  path.replace(/\{[A-Za-z]+\}/, () => urlText(param ?? ''));

/** Sends no key, at another spelling of the path: `spell` changes the path after the version. */
const atPath =
  (spell: (path: string) => string): KeyCase['ways'] =>
  ({ request, context: { row } }) => {
    const path = pathOf(row, request.param);
    const [start = '', rest = ''] = path.split(/(?<=\/v1\/)/);
    const rawPath = `${start}${spell(rest)}`;
    return [{ where: `at ${rawPath}`, change: { key: none, rawPath } }];
  };

const encoded = (text: string): string =>
  text.replace(/^[a-z]/, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const upper = (path: string): string => path.replace(/^[^/]*/, segment => segment.toUpperCase());

/** The title of the case that all others vary. */
export const withoutKey = 'without the header';

/** The ways in which a request lacks the right key in its header, and the requirement that each acceptance breaks. */
// biome-ignore format: a table
export const keyCases: readonly KeyCase[] = [
  { title: withoutKey,                                          requirement: 'auth.missing-key',   ways: () => [{ where: 'nowhere', change: { key: none } }] },
  { title: 'with an empty key',                                 requirement: 'auth.empty-key',     ways: emptyKey },
  { title: 'with another key',                                  requirement: 'auth.wrong-key',     ways: instead(() => 'conform-wrong-key') },
  { title: 'with another key of the same shape',                requirement: 'auth.wrong-key',     ways: instead(sameShape) },
  { title: 'with the key but for its last character',           requirement: 'auth.near-miss-key', ways: instead(key => (key.length < 2 ? key : key.slice(0, -1))) },
  { title: 'with the first half of the key',                    requirement: 'auth.near-miss-key', ways: instead(key => (key.length < 4 ? key : key.slice(0, Math.floor(key.length / 2)))) },
  { title: 'with the key and one character more',               requirement: 'auth.near-miss-key', ways: instead(key => `${key}x`) },
  { title: 'with the key in another letter case',               requirement: 'auth.near-miss-key', ways: instead(otherCase) },
  { title: 'with the key with one character inside changed',    requirement: 'auth.near-miss-key', ways: instead(changedInside) },
  { title: 'with the key with its last characters changed',     requirement: 'auth.near-miss-key', ways: instead(changedAtEnd) },
  { title: 'with the first part of the key in another letter case', requirement: 'auth.near-miss-key', ways: instead(firstPartTurned) },
  { title: 'with the last part of the key in another letter case', requirement: 'auth.near-miss-key', ways: instead(lastPartTurned) },
  { title: 'with the key but for its last part',                requirement: 'auth.near-miss-key', ways: instead(withoutLastPart) },
  { title: 'with the key in the query only',                    requirement: 'auth.key-in-query',  ways: inQuery },
  { title: 'with the key in the body only',                     requirement: 'auth.key-in-body',   ways: inBody },
  { title: 'with the key as a bearer token only',               requirement: 'auth.bearer',        ways: authorization(key => `Bearer ${credentialsOf(key).secret}`) },
  { title: 'with the key in other headers and cookies only',    requirement: 'auth.other-carrier', ways: inOtherHeaders },
  { title: 'with the key as basic credentials only',            requirement: 'auth.other-carrier', ways: authorization(key => `Basic ${asBasic(key)}`) },
  { title: 'with the key in `Authorization` without a scheme only', requirement: 'auth.other-carrier', ways: authorization(key => credentialsOf(key).secret) },
  { title: 'with the key under another scheme only',            requirement: 'auth.other-carrier', ways: inOtherScheme },
  { title: 'without the key, with a slash at the end of the path', requirement: 'auth.other-path',   ways: atPath(path => `${path}/`) },
  { title: 'without the key, with a slash doubled',             requirement: 'auth.other-path',    ways: atPath(path => `/${path}`) },
  { title: 'without the key, with a letter of the path encoded', requirement: 'auth.other-path',   ways: atPath(encoded) },
  { title: 'without the key, with the path in another letter case', requirement: 'auth.other-path', ways: atPath(upper) },
];

/** Merges the changes of several ways into one request. */
export function together(ways: readonly Way[]): Partial<ApiRequest> {
  const bodies = ways.flatMap(({ change: { body } }) => (isObject(body) ? [body] : []));
  const queries = ways.flatMap(({ change: { query } }) => (query === undefined ? [] : [query]));
  const headers = ways.flatMap(({ change: { headers: more } }) => (more === undefined ? [] : [more]));
  return {
    ...ways[0]?.change,
    ...(queries.length === 0 ? {} : { query: Object.assign({}, ...queries) }),
    ...(headers.length === 0 ? {} : { headers: Object.assign({}, ...headers) }),
    ...(bodies.length === 0 ? {} : { body: Object.assign({}, ...bodies) }),
  };
}
