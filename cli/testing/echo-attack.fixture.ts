import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { seedOf } from '../../suites/generators/seed.ts';

/**
 * A target that echoes secrets, whole or in part, in any spelling and at any place of an answer. Its behaviour follows
 * from a seed and the requests. And the search for these secrets in everything written.
 */

/** Returns a whole number below a bound; the sequence follows from the seed. */
type Draw = (below: number) => number;

function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return below => {
    // The generator mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const word = (draw: Draw, length: number): string =>
  Array.from({ length }, () => letters[draw(letters.length)]).join('');

/** The secrets that the owner of a target gives to a command. */
export interface Told {
  readonly apiKey: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Each secret by itself. */
  readonly secrets: readonly string[];
}

/** Returns secrets by a seed: a key, Basic credentials, a token after a scheme, cookies, and characters to escape. */
export function toldBy(seed: number): Told {
  const draw = drawing(seed);
  const apiKey = `sk_${word(draw, 9 + draw(30))}`;
  const [user, password] = [word(draw, 9 + draw(8)), `p:${word(draw, 8 + draw(20))}`];
  const token = `tok-${word(draw, 8 + draw(40))}`;
  const cookies = [word(draw, 10 + draw(20)), `${word(draw, 6)}/+=${word(draw, 6)}`] as const;
  const odd = `"${word(draw, 4)}\\<${word(draw, 4)}>&' ${word(draw, 4)}`;
  const pair = `${user}:${password}`;
  return {
    apiKey,
    headers: [
      { name: 'authorization', value: `Basic ${Buffer.from(pair).toString('base64')}` },
      { name: 'x-forwarded-authorization', value: `Token ${token}` },
      { name: 'cookie', value: `sid=${cookies[0]}; lang=en; other=${encodeURIComponent(cookies[1])}` },
      { name: 'x-odd', value: odd },
    ],
    secrets: [apiKey, Buffer.from(pair).toString('base64'), pair, user, password, token, ...cookies, odd],
  };
}

const byByte = (text: string, write: (hex: string) => string): string =>
  [...Buffer.from(text)].map(byte => write(byte.toString(16).padStart(2, '0'))).join('');
const inHtml = (text: string): string =>
  text.replace(/[&<>"']/g, sign => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[sign] ?? '#39'};`);

type Write = (text: string, draw: Draw) => string;

/** The spellings of a secret. */
const spellings: readonly Write[] = [
  text => text,
  text => text.toUpperCase(),
  (text, draw) => [...text].map(sign => (draw(2) === 0 ? sign.toLowerCase() : sign.toUpperCase())).join(''),
  text => encodeURIComponent(text),
  text => encodeURIComponent(encodeURIComponent(text)),
  text => byByte(text, hex => `%${hex}`),
  text => byByte(text, hex => `\\u00${hex}`),
  text => JSON.stringify(text).slice(1, -1),
  inHtml,
  text => byByte(text, hex => `&#x${hex};`),
  text => Buffer.from(text).toString('base64'),
  text => Buffer.from(text).toString('base64url'),
  (text, draw) => Buffer.from(`${'u'.repeat(1 + draw(3))}:${text}`).toString('base64'),
  text => Buffer.from(JSON.stringify({ key: text })).toString('base64'),
  text => Buffer.from(text).toString('hex'),
  text => [...text].reverse().join(''),
];

/** Lengths near which texts are cut. */
const limits = [
  0, 20, 30, 36, 40, 60, 76, 80, 110, 118, 120, 150, 160, 190, 200, 300, 400, 500, 505, 512, 1000, 4000, 4080, 4096,
  8100, 8190,
];

/** Returns a text with a secret that begins near a place where texts are cut. */
function echo(told: Told, draw: Draw): string {
  const secret = told.secrets[draw(told.secrets.length)] as string;
  const written = (spellings[draw(spellings.length)] as Write)(secret, draw);
  const limit = limits[draw(limits.length)] as number;
  const before = Math.max(0, limit - draw(written.length + 8));
  const filled = 'it was so '.repeat(Math.ceil(before / 10)).slice(0, before);
  return `${filled}${['', ' ', '"', "'"][draw(4)]}${written}${draw(2) === 0 ? ' has expired' : ''}`;
}

/** Reduces a text to what a header may contain. */
const inHeader = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(-3000);

type Answer = (text: string, response: ServerResponse, draw: Draw) => void;

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
const json = 'application/json; charset=utf-8';
const refusals = [400, 401, 403, 404, 409, 422, 500];
const reasons = ['message', 'detail', 'error', 'title', 'reason'];

/** Answers that replace the server's own. */
const answers: readonly Answer[] = [
  (text, response, draw) =>
    send(response, refusals[draw(7)] as number, json, JSON.stringify({ [reasons[draw(5)] as string]: text })),
  (text, response, draw) =>
    send(
      response,
      refusals[draw(7)] as number,
      json,
      JSON.stringify({ message: 'No.', errors: [{ property: text, errorMessage: text }] }),
    ),
  (text, response, draw) => send(response, refusals[draw(7)] as number, 'text/plain', text),
  (text, response) => send(response, 500, 'text/html', `<html><body>\n    at f (/srv/app/${text}:1:2)</body></html>`),
  (text, response) =>
    send(response, 200, json, JSON.stringify({ message: text, data: { [text]: text, id: text, name: text } })),
  (text, response) => send(response, 200, json, JSON.stringify([text, { data: text }])),
  (text, response) => send(response, 200, json, `{"message": "${text}`),
  (text, response) => send(response, 200, inHeader(`${json}; x=${text}`), '{}'),
  (text, response) => {
    response.writeHead(302, { location: inHeader(`http://127.0.0.1:9/${text}`) });
    response.end();
  },
  (text, response) => {
    response.writeHead(400, inHeader(text).slice(0, 500) || 'No', {
      'x-echo': inHeader(text),
      'set-cookie': inHeader(`a=${text}`),
    });
    response.end('{}');
  },
  (text, response) => {
    response.writeHead(401, {
      'www-authenticate': inHeader(`Basic realm="${text}"`),
      'content-encoding': inHeader(text) || 'x',
    });
    response.end('{}');
  },
  (text, response) => void response.socket?.end(`HTTP/1.1 200 OK\r\n${text}\r\n\r\n`),
  (text, response) => void response.socket?.end(`${text}\r\n\r\n`),
];

/** Puts a text into a text of a sound answer, or into the name of a new member. */
function spoiled(body: string, text: string, draw: Draw): string {
  try {
    const value = JSON.parse(body) as { message?: unknown; data?: unknown };
    const [first] = Array.isArray(value.data) ? (value.data as unknown[]) : [value.data];
    const place = draw(4);
    if (place === 0) value.message = text;
    else if (typeof first === 'object' && first !== null) {
      const members = first as Record<string, unknown>;
      const names = Object.keys(members).filter(name => typeof members[name] === 'string' && name !== 'id');
      if (place === 1) members[text.slice(0, 300)] = 1;
      else if (names.length > 0) members[names[draw(names.length)] as string] = text;
      else members.description = text;
    }
    return JSON.stringify(value);
  } catch {
    return body;
  }
}

/**
 * Makes a server answer in `percent` of a hundred cases as if `told` were no secret. Truncates some of its own answers.
 */
export function echoing(seed: number, told: Told, percent: number) {
  let echoes = 0;
  const asked = new Map<string, number>();
  function answer(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const what = `${request.method} ${request.url}`;
    const nth = (asked.get(what) ?? 0) + 1;
    asked.set(what, nth);
    const draw = drawing(seedOf(seed, `${what} ${nth}`));
    if (draw(100) >= percent) {
      listener(request, response);
      return;
    }
    echoes += 1;
    const text = echo(told, draw);
    if (draw(3) === 0) {
      (answers[draw(answers.length)] as Answer)(text, response, draw);
      return;
    }
    const isWhole = draw(4) > 0;
    const end = response.end.bind(response);
    const writeHead = response.writeHead.bind(response);
    response.writeHead = ((status: number, headers: Record<string, string | number> = {}) => {
      const { 'Content-Length': _, ...others } = headers;
      return writeHead(status, { ...(isWhole ? others : headers), 'x-echo': inHeader(text) });
    }) as typeof writeHead;
    response.end = ((chunk?: unknown) => end(spoiled(String(chunk ?? ''), text, draw))) as typeof end;
    listener(request, response);
  }
  const decorate =
    (listener: RequestListener): RequestListener =>
    (request, response) =>
      answer(request, response, listener);
  return { decorate, echoes: () => echoes };
}

/** Returns the text with its escapes undone once, twice and so on, without losing anything else. */
function layers(text: string): readonly string[] {
  const all = [text];
  for (let left = 4; left > 0; left -= 1) {
    const last = all.at(-1) as string;
    const next = last
      .replace(/\\u00([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/%([0-7][0-9a-f])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&#x0*([0-7][0-9a-f]);/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(
        /&(amp|lt|gt|quot|#39);/g,
        (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
      )
      .replace(/\\(["\\/'])/g, '$1');
    if (next === last) break;
    all.push(next);
  }
  return all;
}

/** Returns what gives a secret away: half of it from either end, in any spelling, at least eight characters. */
function telling(secret: string): readonly { readonly text: string; readonly isExact: boolean }[] {
  const half = (text: string, isExact: boolean) => {
    const length = Math.max(8, Math.ceil(text.length / 2));
    return text.length < 8
      ? []
      : [text.slice(0, length), text.slice(-length)].map(one => ({ text: isExact ? one : one.toLowerCase(), isExact }));
  };
  const packed = [0, 1, 2].map(offset =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4)
      .replace(/.{0,3}=*$/, ''),
  );
  return [
    ...[secret, [...secret].reverse().join(''), Buffer.from(secret).toString('hex')].flatMap(text => half(text, false)),
    ...packed.flatMap(text => [...half(text, true), ...half(text.replaceAll('+', '-').replaceAll('/', '_'), true)]),
  ];
}

/** Returns the secrets, or parts of them, in a text, each with its surroundings. */
export function leaksIn(text: string, { secrets }: Told): readonly string[] {
  const looked = layers(text).map(layer => ({ layer, lower: layer.toLowerCase() }));
  return secrets.flatMap(secret =>
    telling(secret).flatMap(({ text: part, isExact }) => {
      for (const { layer, lower } of looked) {
        const at = (isExact ? layer : lower).indexOf(part);
        if (at >= 0) return [`${secret}: …${layer.slice(Math.max(0, at - 60), at + part.length + 20)}…`];
      }
      return [];
    }),
  );
}
