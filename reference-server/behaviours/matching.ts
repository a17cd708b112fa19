import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { BehaviourRequest, Matcher } from '../../contracts/behaviour.ts';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { at } from '../../contracts/pointer.ts';
import { operationOf, queryOf } from '../api/request-target.ts';

/** The parts of a request that behaviours match on. */
export interface Asked {
  readonly endpoint: EndpointId;
  /** The method of the operation: GET for HEAD, which is served so. */
  readonly method: string;
  readonly param: string | undefined;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The name of the API key that was sent. */
  readonly keyName: string | undefined;
  /** The name of its world. */
  readonly world: string;
  /** The parsed body, if a behaviour asks for it; undefined if it is no JSON. */
  readonly body: unknown;
}

/** Returns the operation of a request, with the other parts to match; undefined if there is no operation. */
export const askedBy = (
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  keyName: string | undefined,
  world: string,
): Asked | undefined => {
  // A raw request may have a fragment, which addresses nothing.
  const [target = ''] = url.split('#', 1);
  const operation = operationOf(method, target.split('?', 1)[0] ?? '');
  if (operation === undefined) return undefined;
  const { method: own } = endpoints[operation.endpoint];
  return { ...operation, method: own, url: target, headers, keyName, world, body: undefined };
};

/** True if a value satisfies a matcher. */
const isSo = (matcher: Matcher | undefined, value: unknown): boolean => {
  if (matcher === undefined) return true;
  if (typeof matcher !== 'object' || matcher === null) return matcher === value;
  const { absent, matches } = matcher;
  if (absent !== undefined && absent !== (value === undefined)) return false;
  if (Object.hasOwn(matcher, 'equals') && !isDeepStrictEqual(matcher.equals, value)) return false;
  if (matches === undefined) return true;
  return (typeof value === 'string' || typeof value === 'number') && new RegExp(matches, 'u').test(String(value));
};

/** True if one part of a request matches the behaviour. */
type Look = (behaviour: BehaviourRequest, asked: Asked) => boolean;

const among = (wanted: string | readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || [wanted].flat().includes(value);

const allSo = (matchers: Readonly<Record<string, Matcher>> | undefined, found: (name: string) => unknown): boolean =>
  Object.entries(matchers ?? {}).every(([name, matcher]) => isSo(matcher, found(name)));

const first = (value: string | readonly string[] | undefined): string | undefined => [value].flat()[0];

// biome-ignore format: a table
const looks: Readonly<Record<string, Look>> = {
  operation: ({ match, operations }, { endpoint }) => among(operations, endpoint) && among(match?.operation, endpoint),
  method:    ({ match, methods }, { method }) => among(methods, method) && among(match?.method, method),
  param:     ({ match, entity }, { param }) => (entity === undefined || entity === param) && isSo(match?.param, param),
  key:       ({ match }, { keyName }) => match?.key === undefined || match.key === keyName,
  sandbox:   ({ match }, { world }) => match?.sandbox === undefined || match.sandbox === world,
  headers:   ({ match }, { headers }) => allSo(match?.headers, name => first(headers[name.toLowerCase()])),
  query:     ({ match }, { url }) => {
    if (match?.query === undefined) return true;
    const query = queryOf(url.slice(url.indexOf('?') + 1 || url.length));
    return allSo(match.query, name => first(query[name]));
  },
  body:      ({ match }, { body }) => allSo(match?.body, pointer => at(body, pointer)),
};

/** Returns the part of a request that does not match; undefined if all match. */
export const unmet = (behaviour: BehaviourRequest, asked: Asked): string | undefined =>
  Object.entries(looks).find(([, look]) => !look(behaviour, asked))?.[0];

/** True if a behaviour matches on the body, and everything else of the request matches. */
export const asksForBody = (behaviour: BehaviourRequest, asked: Asked): boolean =>
  behaviour.match?.body !== undefined && [undefined, 'body'].includes(unmet(behaviour, asked));
