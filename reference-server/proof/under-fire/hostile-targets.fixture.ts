import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { accepted } from '../testing/accepted.ts';
import { pathOf } from '../testing/started.ts';
import { type Attack, type Kind, whole } from './attack.fixture.ts';
import type { Draw } from './draw.fixture.ts';

/** Targets, methods, keys and headers that nobody should send, in requests that are otherwise right. */

const oddIds = [
  '%', '%zz', '%2', '%00', '%ff%fe', '%c0%ae', '%2e%2e', '%2F', '%2f%2e%2e%2fsegments', '..%2f..%2f', '.', '..', '%25', '%u0041', '+', '%0d%0aHost:%20y',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '-1', '0', 'null', 'undefined', ';a=b', '%F0%9F%8E%88', '%E2%80%AE', '*', '(x)', ':id', '{id}', "'", '"', '\xff', '%7F',
]; // biome-ignore format: a list

const long = (draw: Draw): string =>
  draw.pick(['x', '%2F', '%00', '/', '/x', 'a.', '%', '..%2f', '%F0%9F%8E%88']).repeat(draw.below(15_000));

const place = (id: EndpointId, param: string): string => endpoints[id].path.replace(/\{\w+\}/, () => param);

const withParam = endpointIds.filter(id => endpoints[id].param !== null);
const anywhere = [200, 400, 401, 404, 405, 431] as const;
const json = { 'Content-Type': 'application/json' };

const odd = (draw: Draw, param: string): Omit<Attack, 'kind'> => {
  const id = draw.pick(withParam);
  const { method, body } = endpoints[id];
  return whole(
    { method, target: place(id, param), ...(body !== null && { headers: json }) },
    body === null ? '' : '{}',
    anywhere,
  );
};

const queries = [
  'page=0', 'page=-1', 'page=1e9', 'page=99999999999999999999', 'page=abc', 'page=', 'page', 'page=%00', 'page=1&page=x', 'page[]=1', 'limit=0', 'limit=1000000', 'limit=-5',
  'limit=%31', 'limit=1.5', 'limit= 1', 'limit=٣', '__proto__=1', 'constructor=1', '__proto__[limit]=1', 'limit=NaN', '&&&', '=', '%', '%ff', 'a=%zz', '?', '??page=1', 'key=reference-key',
]; // biome-ignore format: a list

const lists = endpointIds.filter(id => endpoints[id].list);
const list = (draw: Draw): string => {
  const id = draw.pick(lists);
  return pathOf(id, accepted[id].param);
};

const methods = [
  'HEAD',
  'OPTIONS',
  'DELETE',
  'PUT',
  'POST',
  'PATCH',
  'GET',
  'TRACE',
  'PURGE',
  'REPORT',
  'PROPFIND',
  'LINK',
  'M-SEARCH',
  'SEARCH',
  'QUERY',
  'LOCK',
];
const keys = [
  null,
  '',
  'x',
  'reference-ke',
  'reference-keys',
  'REFERENCE-KEY',
  ' ',
  'reference key',
  '\xff',
  'Bearer reference-key',
  '"reference-key"',
  'x'.repeat(20_000),
];

// biome-ignore format: a table
const extra: readonly (readonly [headers: Readonly<Record<string, string>>, statuses: readonly number[]])[] = [
  [{ Expect: '100-continue' }, [200]],
  [{ Expect: '100-Continue, x' }, [200, 417]],
  [{ Expect: 'something-else' }, [417]],
  [{ Connection: 'close' }, [200]],
  [{ Connection: 'keep-alive, close, x, Upgrade' }, [200]],
  [{ Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Key': 'x' }, [200]],
  [{ Upgrade: 'h2c', 'HTTP2-Settings': 'x', Connection: 'Upgrade, HTTP2-Settings' }, [200]],
  [{ Origin: 'null' }, [200]],
  [{ Origin: 'https://\xe9vil.example\\"' }, [200]],
  [{ 'X-HTTP-Method-Override': 'DELETE', 'X-Forwarded-For': '1, 2, 3', 'X-Original-URL': '/admin' }, [200]],
  [{ Host: '' }, [200, 400]],
  [{ Host: '[::1' }, [200, 400]],
  [{ Host: 'a^b@c:99999' }, [200, 400]],
  [{ 'If-None-Match': '*', 'If-Modified-Since': 'x', Range: 'bytes=0-0,-1', 'If-Match': '"x"' }, [200]],
  [{ Accept: 'text/html;q=2, x/y/z', 'Accept-Encoding': '*;q=0', 'Accept-Charset': 'x' }, [200]],
  [{ __proto__x: 'x', constructor: 'x', toString: 'x' }, [200]],
  [{ TE: 'trailers, deflate;q=0.5', Trailer: 'X' }, [200]],
  [{ Cookie: '__proto__=1; a=b'.repeat(100) }, [200]],
];

const absolute = [
  'http://127.0.0.1',
  'HTTP://other.example',
  'https://x:99999',
  'http://[::1',
  'http://a^b',
  'http://%zz',
  'http://user:word@x',
  'http://x\\y',
];

// biome-ignore format: a table
export const hostileTargets: readonly Kind[] = [
  { kind: 'odd id',         share: 70, make: draw => odd(draw, draw.pick(oddIds)) },
  { kind: 'long id',        share: 15, make: draw => odd(draw, long(draw)) },
  { kind: 'endless target', share: 3,  make: draw => ({ ...whole({ method: 'GET', target: `/console/v1/segments?${'x'.repeat(66_000 + draw.below(200_000))}` }, '', [431]), ending: 'broken' }) },
  { kind: 'query',          share: 50, make: draw => whole({ method: 'GET', target: `${list(draw)}?${draw.pick(queries)}&${draw.pick(queries)}`.replaceAll(' ', '%20').replaceAll('٣', '%D9%A3') }, '', [200, 400]) },
  { kind: 'long query',     share: 10, make: draw => whole({ method: 'GET', target: `${list(draw)}?${draw.pick(['a=b&', 'page=1&', '&', 'page=', '%20', 'a[b]['])}${draw.pick(['x', 'page=1&', '%', '=', '['])}`.padEnd(draw.below(60_000), 'a&b=') }, '', [200, 400]) },
  { kind: 'method',         share: 40, make: draw => { const method = draw.pick(methods); return whole({ method, target: pathOf(draw.pick(endpointIds), 'x'), key: draw.pick(['reference-key', null]) }, '', [200, 204, 400, 401, 404, 405]); } },
  { kind: 'key',            share: 60, make: draw => { const id = draw.pick(endpointIds); const { method, body } = endpoints[id]; return whole({ method, target: pathOf(id, accepted[id].param), key: draw.pick(keys), ...(body !== null && { headers: json }) }, body === null ? '' : JSON.stringify(accepted[id].body), [401]); } },
  { kind: 'header',         share: 50, make: draw => { const [headers, statuses] = draw.pick(extra); return whole({ method: 'GET', target: '/console/v1/segments?limit=2', headers }, '', statuses, { endpoint: 'list-segments' }); } },
  { kind: 'whole URL',      share: 20, make: draw => whole({ method: 'GET', target: `${draw.pick(absolute)}${draw.pick(['', '/', '?page=1', '/console/v1/segments', '/console/v1/nothing', '#x', '/console/v1/segments#x'])}` }, '', anywhere) },
  { kind: 'asterisk',       share: 5,  make: draw => whole({ method: draw.pick(['GET', 'OPTIONS', 'PATCH']), target: '*' }, '', [204, 401, 404, 405]) },
  { kind: 'other paths',    share: 20, make: draw => whole({ method: draw.pick(['GET', 'POST', 'PUT']), target: draw.pick(['/', '//', '/..', '/favicon.ico', '/console', '/console/', '/console/v1', '/console/v2/gates', '/_references', '/_reference//', '/_reference/health/', '/_reference/../console/v1/segments', '/%5freference/reset', '/console//v1/segments', '/.env', '/%2e%2e/%2e%2e/etc/passwd']) }, '', [401, 404, 405]) },
  { kind: 'state',          share: 5,  make: draw => whole({ method: 'PUT', target: '/_reference/state', key: null, headers: json }, draw.pick(['{}', '[]', '{', '{"gates":[]}', `{"gates":[${'[1,2],'.repeat(500)}[]]}`, '{"environments":{}}']), [400]) },
];
