import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { gateUpdated } from '../../suites/proof/testing/exchanges.ts';
import { type Attacked, said, withWall } from './attacked-wall.fixture.ts';

/** A way to write something, and the reaction due to it. `sound`: it must pass unless its content is broken. */
interface Spelling<T> {
  readonly name: string;
  readonly sound: boolean;
  readonly value: T;
}

/** A body as sent: its bytes, and the headers that describe their encoding. */
interface Packed {
  readonly headers: string;
  readonly bytes: Buffer;
}

const right = { description: 'second' };
const api = '/console/v1/gates/gate_a';

const spelled = <T>(sound: boolean, ways: Readonly<Record<string, T>>): Spelling<T>[] =>
  Object.entries(ways).map(([name, value]) => ({ name, sound, value }));

const soundPaths = spelled(true, {
  plain: api,
  'an absolute form': `http://elsewhere.test${api}`,
  'a query': `${api}?a=b`,
  'outside the API': '/elsewhere/gates',
  'outside the API, with a dot segment': '/elsewhere/../gates',
  'outside the API, and no text': '/elsewhere/%ff%zz',
});

const oddPaths = spelled(false, {
  backslashes: api.replaceAll('/', '\\').replace('\\', '/'),
  'escaped backslashes': api.replaceAll('/', '%5C').replace('%5C', '/'),
  'a backslash in a name': `${api}%5cx`,
  'a dot segment': '/x/../console/v1/gates/gate_a',
  'a dot segment inside': '/console/v1/./gates/gate_a',
  'an escaped dot segment': '/x/%2e%2E/console/v1/gates/gate_a',
  'a dot segment escaped twice': '/x/%252e%252e/console/v1/gates/gate_a',
  'a dot segment with a parameter': '/x/..;a=b/console/v1/gates/gate_a',
  'a dot segment behind a fragment': '/x#/../console/v1/gates/gate_a',
  'a dot segment behind an escaped query': '/x%3f/../console/v1/gates/gate_a',
  'a dot segment behind what is no text': '/%ff/..%2fconsole/v1/gates/gate_a',
  'a way out of the API and back': '/console/v1/gates/..%2fgates%2fgate_a',
  'a name of dots': '/console/v1/gates/%2e%2e',
  'a long way': `${'/x'.repeat(1_500)}${'/..'.repeat(1_500)}\\console/v1/gates/gate_a`,
  'escaped letters': '/%63onsole/v1/gates/gate_a',
  'letters escaped twice': '/%2563onsole/v1/gates/gate_a',
  'letters escaped ten times': `/%${'25'.repeat(10)}63onsole/v1/gates/gate_a`,
  'escaped slashes': '/console%2fv1%2Fgates%2fgate_a',
  'two slashes': '//console//v1/gates/gate_a',
  'another letter case': '/Console/V1/gates/gate_a',
  'a fragment': `${api}#x`,
  'a name that is no text': '/console/v1/gates/%ff',
  'a name with half an escape': '/console/v1/gates/a%2',
  'a name beyond UTF-8': '/console/v1/gates/%c0%ae%c0%ae',
  'a name with a bare byte': '/console/v1/gates/\xe9',
  'a name with NUL': '/console/v1/gates/gate_a%00',
  'a name with a line': '/console/v1/gates/a%0d%0ax',
  'an operation within a name': '/console/v1/gates/gate_a/../gate_a',
  'a query that is no text': `${api}?limit=%ff`,
  'another method in the query': `${api}?_method=DELETE`,
  'no path': '*',
});

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const plain = (bytes: Buffer, headers = ''): Packed => ({ bytes, headers });
const coded = (coding: string, bytes: Buffer): Packed => ({ bytes, headers: `Content-Encoding: ${coding}\r\n` });
const deep = (text: string): string => text.replace(/}$/, `,"deep":${'['.repeat(2_000)}${']'.repeat(2_000)}}`);
const withMember = (value: object, member: string): Packed =>
  plain(Buffer.from(JSON.stringify(value).replace(/}$/, `,${member}}`)));
const full = (text: string): string => text.replace(/}$/, `,"full":[${'0,'.repeat(150_000)}0]}`);

type Pack = (value: object) => Packed;

const soundBodies = spelled<Pack>(true, {
  plain: value => plain(json(value)),
  gzip: value => coded('gzip', gzipSync(json(value))),
  deflate: value => coded('Deflate', deflateSync(json(value))),
  brotli: value => coded('br', brotliCompressSync(json(value))),
  'two codings': value => coded('gzip, br', brotliCompressSync(gzipSync(json(value)))),
  'a coding that is none': value => coded('identity', json(value)),
});

const oddBodies = spelled<Pack>(false, {
  'an unknown coding': value => coded('zstd', json(value)),
  'a coding of our own': value => coded('x-mine', gzipSync(json(value))),
  'a broken coding': value => coded('gzip', json(value)),
  'a cut coding': value => coded('gzip', gzipSync(json(value)).subarray(0, -9)),
  'three codings': value => coded('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(json(value))))),
  'codings in two headers': value => {
    const bytes = gzipSync(json(value));
    return { bytes, headers: 'Content-Encoding: gzip\r\nContent-Encoding: compress\r\n' };
  },
  'a bomb': value => coded('gzip', gzipSync(Buffer.concat([json(value), Buffer.alloc(6_000_000, 32)]))),
  'too deep': value => plain(Buffer.from(deep(JSON.stringify(value)))),
  'too many values': value => plain(Buffer.from(full(JSON.stringify(value)))),
  'a member twice': value =>
    plain(Buffer.from(`{"description":"first",${JSON.stringify({ ...value, ...right }).slice(1)}`)),
  'a byte order mark': value => plain(Buffer.concat([Buffer.from('\uFEFF'), json(value)])),
  'no UTF-8': value => plain(Buffer.concat([json(value), Buffer.from([0xff])])),
  'UTF-16': value => plain(Buffer.from(JSON.stringify(value), 'utf16le')),
  'bytes behind a coding': value => coded('br', Buffer.concat([brotliCompressSync(json(value)), Buffer.from('more')])),
  'bytes behind an inner coding': value =>
    coded('deflate, gzip', gzipSync(Buffer.concat([deflateSync(json(value)), Buffer.from('more')]))),
  'half a character': value => withMember(value, '"tags":["\\ud800"]'),
  'a number without end': value => withMember(value, '"more":1e999'),
  'two content types': value =>
    plain(json(value), 'Content-Type: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\n'),
  'another character coding': value => plain(json(value), 'Content-Type: application/json; charset="utf-7"\r\n'),
});

const oddRequests = spelled<Pack>(false, {
  'a number finer than doubles': value => withMember(value, '"more":1.00000000000000001'),
  'a number that doubles take for 0': value => withMember(value, '"more":[-1e-400]'),
  'a member in capitals': value => plain(json({ ...value, Type: 'NONE' })),
  'a member in capitals inside': value => plain(json({ ...value, reviewSettings: { REQUIREDREVIEW: 'yes' } })),
  'the content type of a form': value => plain(json(value), 'Content-Type: application/x-www-form-urlencoded\r\n'),
  'two keys': value => plain(json(value), 'SERVICE-API-KEY: another-key-of-the-attack\r\n'),
  'another method in a header of underscores': value => plain(json(value), 'X_HTTP_METHOD_OVERRIDE: DELETE\r\n'),
  'another method in a header': value => plain(json(value), 'X-HTTP-Method-Override: DELETE\r\n'),
  'another path in a header': value => plain(json(value), 'X-Original-URL: /console/v1/segments\r\n'),
});

const statuses = [
  ...spelled(true, { 'a whole answer': '200 OK' }),
  ...spelled(false, {
    'a part': '206 Partial Content',
    'a redirection': '302 Found',
    'nothing new, which nobody asked for': '304 Not Modified',
    'another protocol': '101 Switching Protocols',
    'a reason that is no text': '200 OK\0',
    'another protocol without its name': '101 Switching',
  }),
];

/** An attack: a request in some spelling, an answer in another, and whether their contents break the specification. */
const attacks = fc.record({
  path: fc.oneof(fc.constantFrom(...soundPaths), fc.constantFrom(...oddPaths)),
  request: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...soundBodies) },
    fc.constantFrom(...oddBodies, ...oddRequests),
  ),
  answer: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...soundBodies) }, fc.constantFrom(...oddBodies)),
  status: fc.oneof({ weight: 3, arbitrary: fc.constant(statuses[0]) }, fc.constantFrom(...statuses)) as fc.Arbitrary<
    Spelling<string>
  >,
  isRequestBroken: fc.boolean(),
  isAnswerBroken: fc.boolean(),
  /** Positions of characters in the path that are written as escapes. */
  escapes: fc.uniqueArray(fc.nat(60), { maxLength: 4 }),
});

type Attack = typeof attacks extends fc.Arbitrary<infer T> ? T : never;

/** Returns an attack for each spelling, plain otherwise, so that no spelling depends on the seed. */
function eachSpelling(): readonly Attack[] {
  const [path, outside] = [soundPaths[0], soundPaths.find(one => one.name === 'outside the API')];
  const [body, status] = [soundBodies[0], statuses[0]];
  if (path === undefined || outside === undefined || body === undefined || status === undefined) return [];
  const sound = {
    path,
    request: body,
    answer: body,
    status,
    isRequestBroken: false,
    isAnswerBroken: false,
    escapes: [],
  };
  return [
    ...[...soundPaths, ...oddPaths].map(one => ({ ...sound, path: one })),
    ...[...soundBodies, ...oddBodies, ...oddRequests].flatMap(request => [
      { ...sound, request },
      { ...sound, request, path: outside },
    ]),
    ...[...soundBodies, ...oddBodies].map(answer => ({ ...sound, answer })),
    ...statuses.map(one => ({ ...sound, status: one })),
  ];
}

const isOutside = ({ path }: Attack): boolean => path.sound && path.name.startsWith('outside');

/** Escapes characters of the path: another spelling of the same path for every server that decodes it. */
const escaped = ({ value, name }: Spelling<string>, at: readonly number[]): string =>
  name === 'plain'
    ? [...value]
        .map((sign, index) => (at.includes(index) && /\w/.test(sign) ? `%${sign.charCodeAt(0).toString(16)}` : sign))
        .join('')
    : value;

/** True if an escape is in the documented part of the path, which no regular client escapes. */
const isMadeOdd = ({ path, escapes }: Attack): boolean =>
  path.name === 'plain' && escapes.some(at => at < api.lastIndexOf('/') && /\w/.test(api[at] ?? ''));

/** Returns the result due to an attack: whether it reaches the target, and whether the answer reaches the client. */
function due(attack: Attack): { asks: boolean; answers: boolean } {
  if (isOutside(attack)) {
    const asks = attack.request.name !== 'another path in a header';
    return { asks, answers: asks && !/^101|\0$/.test(attack.status.value) };
  }
  const asks = attack.path.sound && !isMadeOdd(attack) && attack.request.sound && !attack.isRequestBroken;
  return { asks, answers: asks && attack.answer.sound && attack.status.sound && !attack.isAnswerBroken };
}

function requestOf(attack: Attack, number: number): Buffer {
  const { headers, bytes } = attack.request.value(attack.isRequestBroken ? { ...right, name: 'a#b' } : right);
  const type = headers.includes('Content-Type') ? '' : 'Content-Type: application/json\r\n';
  const head = `PATCH ${escaped(attack.path, attack.escapes)} HTTP/1.1\r\nHost: wall\r\nConnection: close\r\nSERVICE-API-KEY: the-key-of-the-attack\r\nX-Attack: ${number}\r\n${type}${headers}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

function answerOf({ answer, status, isAnswerBroken }: Attack): Buffer {
  const { headers, bytes } = answer.value(gateUpdated({ ...right, ...(isAnswerBroken ? { isEnabled: 'yes' } : {}) }));
  const type = headers.includes('Content-Type') ? '' : 'Content-Type: application/json\r\n';
  const upgrade =
    status.value === '101 Switching Protocols' ? 'Connection: Upgrade\r\nUpgrade: x\r\n' : 'Connection: close\r\n';
  const head = `HTTP/1.1 ${status.value}\r\n${upgrade}X-Answered: yes\r\n${type}${headers}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

/**
 * Sends each spelling, and random attacks by a seed, over raw sockets to a wall; the server behind may say anything.
 */
export function attackWall(seed: number, count: number): Promise<Attacked> {
  const all = [...eachSpelling(), ...fc.sample(attacks, { seed, numRuns: count })];
  return withWall(
    number => answerOf(all[number] as Attack),
    async (url, asked) => {
      const wrong: string[] = [];
      let answered = 0;
      for (const [number, attack] of all.entries()) {
        const text = await said(url, requestOf(attack, number));
        const got = { asks: asked.has(number), answers: /\r\nX-Answered: yes\r\n/i.test(text) };
        answered += Number(got.answers);
        const { asks, answers } = due(attack);
        if (got.asks === asks && got.answers === answers && /^HTTP\/1\.1 \d{3} /.test(text)) continue;
        const { path, request, answer, status, isRequestBroken, isAnswerBroken } = attack;
        const what = [path.name, request.name, isRequestBroken, status.name, answer.name, isAnswerBroken];
        wrong.push(JSON.stringify([number, ...what, got, text.slice(0, 300)]));
      }
      return { count: all.length, wrong, asked: asked.size, answered, ours: all.filter(one => !isOutside(one)).length };
    },
  );
}
