import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import { isDeepStrictEqual } from 'node:util';
import type { BehaviourRequest, Matcher } from '../../contracts/behaviour.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import { at } from '../../contracts/pointer.ts';

/** A request, as far as behaviours look at it. */
export interface Asked {
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly param: string | undefined;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** What the key that was sent is called. */
  readonly keyName: string | undefined;
  /** The name of its world. */
  readonly world: string;
  /** The value of the body, where some behaviour asks for it; undefined where it is no JSON. */
  readonly body: unknown;
}

/** The operation of a request, with what behaviours look at beside it; undefined for a request of none. */
export const askedBy = (
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  keyName: string | undefined,
  world: string,
): Asked | undefined => {
  const operation = operationAt(method, url.split('?', 1)[0] ?? '');
  return operation && { ...operation, method, url, headers, keyName, world, body: undefined };
};

/** Whether a value is what it must be. */
const isSo = (matcher: Matcher | undefined, value: unknown): boolean => {
  if (matcher === undefined) return true;
  if (typeof matcher !== 'object' || matcher === null) return matcher === value;
  const { absent, matches } = matcher;
  if (absent !== undefined && absent !== (value === undefined)) return false;
  if (Object.hasOwn(matcher, 'equals') && !isDeepStrictEqual(matcher.equals, value)) return false;
  if (matches === undefined) return true;
  return (typeof value === 'string' || typeof value === 'number') && new RegExp(matches, 'u').test(String(value));
};

/** What a behaviour looks at in a request, with whether it is what the behaviour means. */
type Look = (behaviour: BehaviourRequest, asked: Asked) => boolean;

const among = (wanted: string | readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || (typeof wanted === 'string' ? wanted === value : wanted.includes(value));

const allSo = (matchers: Readonly<Record<string, Matcher>> | undefined, found: (name: string) => unknown): boolean =>
  Object.entries(matchers ?? {}).every(([name, matcher]) => isSo(matcher, found(name)));

const first = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value[0] : value;

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
    const query = parse(url.slice(url.indexOf('?') + 1 || url.length), '&', '=', { maxKeys: 0 });
    return allSo(match.query, name => first(query[name]));
  },
  body:      ({ match }, { body }) => allSo(match?.body, pointer => at(body, pointer)),
};

/** What of a request is not what a behaviour means; undefined where it is meant. */
export const unmet = (behaviour: BehaviourRequest, asked: Asked): string | undefined =>
  Object.entries(looks).find(([, look]) => !look(behaviour, asked))?.[0];

/** Whether a behaviour looks at the body of a request that it means otherwise. */
export const asksForBody = (behaviour: BehaviourRequest, asked: Asked): boolean =>
  behaviour.match?.body !== undefined && [undefined, 'body'].includes(unmet(behaviour, asked));
