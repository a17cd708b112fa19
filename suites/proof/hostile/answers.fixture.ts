import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Behaviour, inAnswers, patient, pointingElsewhere, type Row } from './behaviour.fixture.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const say = (response: ServerResponse, status: number, body: string | Buffer = '', headers = {}): void =>
  void response.writeHead(status, headers).end(body);

/** Gives the same answer to every request. */
const always =
  (status: number, body: string | Buffer = '', headers = {}) =>
  (): RequestListener =>
  (_request, response) =>
    say(response, status, body, headers);

/** Returns a page of a list. */
const page = (items: unknown, more: object = {}): string => {
  const links = { nextPage: null, previousPage: null, all: '' };
  const pagination = { itemsPerPage: 10, pageNumber: 1, totalItems: 10, ...links, ...more };
  return JSON.stringify({ message: 'Listed.', data: items, pagination });
};

const ten = Array.from({ length: 10 }, (_, index) => ({ id: `s${index}`, name: `n${index}` }));
const deep = `{"message":"m","data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
const everyItem = `{"message":"m","data":[${'{},'.repeat(500_000)}{}],"pagination":{}}`;
const fullOfValues = `{"message":"m","data":[${'{},'.repeat(49_990)}{}],"pagination":{}}`;
const emptyItems = page(Array(5_000).fill({}), { itemsPerPage: 5_000, totalItems: 5_000 });
const emptyParts = JSON.stringify({
  message: 'm',
  data: { id: 'x', name: 'n', groups: Array(4_000).fill({}), rules: Array(4_000).fill({}) },
});
/** Returns a page of almost the greatest length that is accepted. */
const longAsAllowed = (item: string): string => {
  const count = Math.floor((4 * 1_048_576 - 400) / (item.length + 1));
  return page(Array(count).fill(JSON.parse(item)));
};
const longTexts = longAsAllowed(JSON.stringify({ id: 'x', name: 'n', description: 'y'.repeat(1_000) }));
const wideTexts = page([{ id: 'x', name: 'n', description: '\u4e00'.repeat(1_390_000) }]);
const prototypes =
  '{"message":"m","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"data":{"__proto__":{"polluted":1},"constructor":null,"toString":1,"hasOwnProperty":2}}';
const hugeNumbers =
  '{"message":1e999,"data":[1e999],"pagination":{"itemsPerPage":1e999,"totalItems":1e999,"pageNumber":-1e999,"nextPage":null,"previousPage":null,"all":""}}';

/** 2.5 MB on the wire, 2.5 GB unpacked: a gzip file may consist of several members (RFC 1952 section 2.2). */
function bomb(): RequestListener {
  const member = gzipSync(Buffer.alloc(16_777_216, 0x20));
  return always(200, Buffer.concat(Array(160).fill(member)), { ...json, 'content-encoding': 'gzip' })();
}

function changingTotals(): RequestListener {
  let total = 10;
  return (_request, response) => {
    total += 1;
    say(response, 200, page(ten, { totalItems: total, nextPage: '?page=2&limit=10' }), json);
  };
}

/** A consistent list of a billion items. */
function billionItems(): RequestListener {
  const totalItems = 1_000_000_000;
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const itemsPerPage = Math.min(1_000, Math.max(1, Number(searchParams.get('limit') ?? 10) || 10));
    const pageNumber = Math.max(1, Number(searchParams.get('page') ?? 1) || 1);
    const link = (to: number): string => `${pathname}?page=${to}&limit=${itemsPerPage}`;
    const items = Array.from({ length: itemsPerPage }, (_, index) => ({ id: `s${pageNumber * itemsPerPage + index}` }));
    const links = { nextPage: link(pageNumber + 1), previousPage: pageNumber === 1 ? null : link(pageNumber - 1) };
    say(response, 200, page(items, { itemsPerPage, pageNumber, totalItems, ...links }), json);
  };
}

/** As many headers as fit into the 16 KB that clients accept by default. */
const manyHeaders: RequestListener = (_request, response) => {
  for (let index = 0; index < 1_000; index += 1) response.setHeader(`x-${index}`, 'y');
  say(response, 200, '{}', json);
};

const away = { totalItems: 1_000_000_000, nextPage: '/x?page=2&limit=10' };
const beyond = { totalItems: 9_007_199_254_740_881, nextPage: '?page=2&limit=10' };

// biome-ignore format: a table
const rows: readonly (readonly [does: string, outcome: Behaviour['outcome'], listenerFor: () => RequestListener])[] = [
  ['answers 404 to everything',               'unreachable', always(404)],
  ['answers 500 to everything',               'unreachable', always(500, '{"error":"boom"}', json)],
  ['answers 503 to everything',               'unreachable', always(503)],
  ['answers 401 to everything',               'unreachable', always(401)],
  ['answers 200 and {} to everything',        'complete',    always(200, '{}', json)],
  ['answers 200 and null to everything',      'complete',    always(200, 'null', json)],
  ['answers 204 to everything',               'complete',    always(204)],
  ['answers 304 to everything',               'complete',    always(304)],
  ['answers HTML to everything',              'unreachable', always(200, '<h1>It works!</h1>', html)],
  ['answers in invalid UTF-8',                'complete',    always(200, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), json)],
  ['nests JSON 200,000 deep',                 'complete',    always(200, deep, json)],
  ['puts half a million items on a page',     'complete',    always(200, everyItem, json)],
  ['holds as many values as are parsed',      'complete',    always(200, fullOfValues, json)],
  ['puts five thousand empty items on a page', 'complete',   always(200, emptyItems, json)],
  ['puts eight thousand empty parts into an entity', 'complete', always(200, emptyParts, json)],
  ['has valid lists of just under 4 MB',      'complete',    always(200, longTexts, json)],
  ['says 1.4 million ideographs',             'complete',    always(200, wideTexts, json)],
  ['packs 2.5 GB into 2.5 MB of gzip',        'complete',    () => bomb()],
  ['lies about the content coding',           'complete',    always(200, '{}', { ...json, 'content-encoding': 'gzip' })],
  ['uses names of the prototype',             'complete',    always(200, prototypes, json)],
  ['has lists without end',                   'complete',    always(200, page(ten, away), json)],
  ['has true lists of a billion items',       'complete',    billionItems],
  ['tells a total beyond every list',         'complete',    always(200, page(ten, beyond), json)],
  ['tells another total every time',          'complete',    changingTotals],
  ['has pages of no size',                    'complete',    always(200, page(ten, { itemsPerPage: 0, nextPage: '?page=2' }), json)],
  ['has numbers beyond every type',           'complete',    always(200, hugeNumbers, json)],
  ['sends a thousand headers',                'complete',    () => manyHeaders],
];

const answered = (does: string, outcome: Behaviour['outcome'] = 'complete', says = ''): Row => ({
  does,
  outcome,
  says,
  atMost: 12_000,
  timeoutMs: patient,
});

const welcome: RequestListener = (_request, response) => say(response, 200, page([]), json);

/** Links of lists and answers to writes that point to another origin. */
const elsewhere: Behaviour = pointingElsewhere(
  answered('links and redirects to another origin', 'complete', 'status 308'),
  welcome,
  other => {
    const link = `${other.href}console/v1/segments?page=2&limit=10`;
    return (request, response) => {
      if (request.method === 'GET') say(response, 200, page(ten, { totalItems: 30, nextPage: link, all: link }), json);
      else say(response, 308, '', { location: `${other.href}console/v1/gates` });
    };
  },
);

const redirecting: Behaviour = pointingElsewhere(
  answered('redirects everything to another origin', 'unreachable', 'status 307'),
  welcome,
  other => (request, response) => say(response, 307, '', { location: new URL(request.url ?? '', other).href }),
);

/** Answers reads; stops the answers to writes after half a megabyte and keeps the connection open. */
const stalling: Behaviour = inAnswers(
  { ...answered('stalls in the middle of long answers to writes'), timeoutMs: 'held' },
  hold => (request, response) => {
    if (request.method === 'GET') return say(response, 200, page(ten), json);
    response.writeHead(200, json).write(' '.repeat(524_288));
    hold();
  },
);

/** Valid HTTP, with answers that are wrong in one way. */
export const answerBehaviours: readonly Behaviour[] = [
  ...rows.map(([does, outcome, listenerFor]) => inAnswers(answered(does, outcome), listenerFor)),
  elsewhere,
  redirecting,
  stalling,
];

const later = (status: number, after: string): Behaviour =>
  inAnswers(
    {
      does: `answers ${status} with Retry-After ${after}`,
      outcome: 'unreachable',
      says: `status ${status}`,
      atMost: 3,
      timeoutMs: patient,
    },
    always(status, '', { 'retry-after': after }),
  );

/** Asks for a longer delay than any run waits. */
export const puttingOff: readonly Behaviour[] = [
  later(429, '3600'),
  later(503, '3600'),
  later(429, 'Fri, 01 Jan 2999 00:00:00 GMT'),
];

/** The spellings in which a target may repeat the key that it was sent. */
// biome-ignore format: a table
export const echoes: readonly (readonly [how: string, echo: (key: string) => string])[] = [
  ['as it is',               key => key],
  ['in the query of a link', key => encodeURIComponent(key)],
  ['in Base64',              key => Buffer.from(key).toString('base64')],
  ['in URL-safe Base64',     key => Buffer.from(key).toString('base64url')],
  ['in HTML',                key => key.replaceAll('/', '&#47;').replaceAll('+', '&#43;')],
  ['as \\u escapes',         key => [...key].map(sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
];

/** Repeats the key in bodies, headers and messages. */
export const echoing = (how: string, echo: (key: string) => string): Behaviour =>
  inAnswers(answered(`echoes the key ${how}`), () => (request, response) => {
    const said = echo(String(request.headers['service-api-key'] ?? ''));
    const body = `{"message":"no key like ${said}","data":{"name":"${said}","id":"${said}${'x'.repeat(4_000)}${said}"},"error":"${said}"}`;
    const plain = said.replaceAll('\\', '');
    const headers = { ...json, 'x-key': plain, link: `</x?key=${plain}>` };
    say(response, request.method === 'GET' ? 200 : 400, body, headers);
  });
