import { type Layer, layersOf } from './escapes.ts';

/**
 * Takes secrets out of every text that may be shown or stored: the API key, its near misses (which would give it away),
 * and the spellings in which a target may echo it. A short secret is replaced only where it is a whole value, for within a
 * longer text it means nothing: the key `k` is no part of `new_checkout`.
 */
export interface Secrets {
  /** Adds a secret; `mark` stands in its place. It is replaced within texts too if it is `long`. */
  add(secret: string, mark: string, long?: boolean): void;
  /** The text with every secret replaced by its mark. Redact first, and cut afterwards. */
  redact(text: string): string;
  /** The same for a text that ends where it was cut: half of a secret at its end is replaced too. */
  redactCut(text: string): string;
}

/** Secrets of so many characters are looked for within texts. */
export const longSecret = 8;

/** Of a secret that was cut, so many characters before an ellipsis give it away; they find its spellings, too. */
const gram = 4;

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** How a text may be written so that no escape tells: whole, in any letter case, backwards, as bytes, as a form has it. */
const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => text.replaceAll(' ', '+'),
  text => [...text].reverse().join(''),
  text => Buffer.from(text).toString('hex'),
];

/** What is written in Base64: the text itself, and as a JSON text or a URL within has it. */
const packed: readonly ((text: string) => string)[] = [text => text, inJson, encodeURIComponent];

/** One spelling of a secret. `isExact`: in this letter case alone; then `+` and `/` are `-` and `_`. */
interface Spelling {
  readonly text: string;
  readonly mark: string;
  readonly isExact: boolean;
  /** The sign before it, and the one after it with its padding, hold bits of it too. */
  readonly sharesFirst: boolean;
  readonly sharesLast: boolean;
}

/** Base64 (RFC 4648 sections 4 and 5) of a text as it stands at each of three offsets, without what it shares. */
function base64Of(text: string, mark: string): Spelling[] {
  return [0, 1, 2].map(offset => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const own = bytes.toString('base64url').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return { text: own, mark, isExact: true, sharesFirst: offset > 0, sharesLast: bytes.length % 3 > 0 };
  });
}

function spellingsOf(secret: string, mark: string): Spelling[] {
  const plain = { mark, isExact: false, sharesFirst: false, sharesLast: false };
  const within = [...new Set(packed.map(spell => spell(secret)))];
  return [
    ...[...new Set(spellings.map(spell => spell(secret)))].map(text => ({ ...plain, text })),
    ...within.flatMap(text => base64Of(text, mark)),
  ];
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);
const urlSafe = (code: number): number => (code === 43 ? 45 : code === 47 ? 95 : code);
/** All that spellings do not tell apart, for the first 128 characters. */
const folded = Uint8Array.from({ length: 128 }, (_, code) => urlSafe(lower(code)));
/** Adds a sign to the hash of the four last ones: what is before them is shifted out. */
const rolled = (hash: number, code: number): number =>
  ((hash << 4) ^ (code < 128 ? (folded[code] as number) : code)) & 0xffff;

function hashAt(text: string, from: number): number {
  let hash = 0;
  for (let at = from; at < from + gram; at += 1) hash = rolled(hash, text.charCodeAt(at));
  return hash;
}

/** The hash at each place of a text of at least so many characters. */
function hashesOf(text: string): readonly number[] {
  const hashes: number[] = [];
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = rolled(hash, text.charCodeAt(at));
    if (at >= gram - 1) hashes.push(hash);
  }
  return hashes;
}

/** How many characters of a spelling stand at a place. */
function lengthAt(text: string, at: number, { text: spelled, isExact }: Spelling): number {
  const fold = isExact ? urlSafe : lower;
  let length = 0;
  while (length < spelled.length && fold(text.charCodeAt(at + length)) === fold(spelled.charCodeAt(length)))
    length += 1;
  return length;
}

const isBase64 = (sign: string | undefined): boolean => sign !== undefined && /^[A-Za-z0-9+/_-]$/.test(sign);

/** A place in a text that gives a secret away; the greater `weight` has the mark. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly mark: string;
  readonly weight: number;
}

/**
 * What stands around a whole value: the ends of the text, quotes, the signs of a query, of a cookie or of a list of
 * credentials, and a scheme before it (RFC 9110 section 11.4).
 */
const opening = '(?<=^|["\'=,;] ?|^[A-Za-z]+ )';
const closing = '(?=$|["\'&,;])';

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

function put<T>(into: Map<number, T[]>, hash: number, one: T): void {
  const others = into.get(hash);
  if (others === undefined) into.set(hash, [one]);
  else others.push(one);
}

/** A place at which a text was cut, and where what stands before it began. `isSeen`: an ellipsis tells of the cut. */
interface Cut {
  readonly begin: number;
  readonly end: number;
  readonly isSeen: boolean;
}

/** Where a text was cut: before an ellipsis, or the closing quote before one; `isCut`: at its end, too. */
function cutsOf(text: string, isCut: boolean): readonly Cut[] {
  const cuts: Cut[] = [];
  // No spelling holds an ellipsis: what stands before one is looked at once.
  let begin = 0;
  for (const { index: end } of text.matchAll(/…/g)) {
    cuts.push({ begin, end, isSeen: true });
    if (text[end - 1] === '"') cuts.push({ begin, end: end - 1, isSeen: true });
    begin = end + 1;
  }
  if (isCut) cuts.push({ begin: 0, end: text.length, isSeen: false });
  return cuts;
}

/**
 * An empty set of secrets. Each spelling is found by four characters of it: those that stand in it seldom and that few
 * others are found by, so that thousands of keys that begin alike, or end in the same sign again and again, cost no more
 * than a few.
 */
export function createSecrets(): Secrets {
  const added = new Set<string>();
  const known = new Set<string>();
  const found = new Map<number, { readonly one: Spelling; readonly offset: number }[]>();
  const isFound = new Uint8Array(0x10000);
  const beginnings = new Map<number, Spelling[]>();
  let longest = 0;
  const short: { readonly text: string; readonly pattern: RegExp; readonly mark: string }[] = [];

  function addLong(secret: string, mark: string): void {
    for (const one of spellingsOf(secret, mark)) {
      if (one.text.length < gram || known.has(one.text)) continue;
      known.add(one.text);
      longest = Math.max(longest, one.text.length);
      const hashes = hashesOf(one.text);
      put(beginnings, hashes[0] as number, one);
      const times = new Map<number, number>();
      for (const hash of hashes) times.set(hash, (times.get(hash) ?? 0) + 1);
      let [offset, fewest] = [0, Number.POSITIVE_INFINITY];
      for (const [at, hash] of hashes.entries()) {
        const meetings = (times.get(hash) as number) * (1 + (found.get(hash)?.length ?? 0));
        if (meetings < fewest) [offset, fewest] = [at, meetings];
      }
      const hash = hashes[offset] as number;
      isFound[hash] = 1;
      put(found, hash, { one, offset });
    }
  }

  function addShort(secret: string, mark: string): void {
    const bytes = Buffer.from(secret);
    const written = [
      secret,
      encodeURIComponent(secret),
      inJson(secret),
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ];
    for (const text of new Set(written)) {
      if (known.has(text)) continue;
      known.add(text);
      short.push({ text, mark, pattern: new RegExp(`${opening}${literal(text)}${closing}`, 'g') });
    }
    short.sort((a, b) => b.text.length - a.text.length);
  }

  /** The span of a spelling that stands whole at a place; undefined where it does not. */
  function spanAt(text: string, from: number, one: Spelling): Span | undefined {
    const { length } = one.text;
    if (from < 0 || lengthAt(text, from, one) < length) return undefined;
    const end = from + length;
    const first = one.sharesFirst && isBase64(text[from - 1]) ? 1 : 0;
    let to = end + (one.sharesLast && isBase64(text[end]) ? 1 : 0);
    while (one.isExact && text[to] === '=') to += 1;
    return { from: from - first, to, mark: one.mark, weight: 2 * length + Number(text.startsWith(one.text, from)) };
  }

  /** The spans of secrets that begin before a cut. */
  function spansBefore(text: string, { begin, end, isSeen }: Cut): Span[] {
    const spans: Span[] = [];
    for (let from = Math.max(begin, end - longest); from <= end - gram; from += 1) {
      for (const one of beginnings.get(hashAt(text, from)) ?? []) {
        const length = end - from;
        if (length >= one.text.length || (!isSeen && length < one.text.length / 2)) continue;
        if (lengthAt(text, from, one) >= length) spans.push({ from, to: end, mark: one.mark, weight: length });
      }
    }
    return spans;
  }

  function spansIn({ text, places }: Layer, isCut: boolean): Span[] {
    const spans = found.size === 0 ? [] : cutsOf(text, isCut).flatMap(cut => spansBefore(text, cut));
    const last = found.size === 0 ? 0 : text.length;
    let hash = 0;
    for (let at = 0; at < last; at += 1) {
      hash = rolled(hash, text.charCodeAt(at));
      if (isFound[hash] === 0) continue;
      for (const { one, offset } of found.get(hash) ?? []) {
        const span = spanAt(text, at - gram + 1 - offset, one);
        if (span !== undefined) spans.push(span);
      }
    }
    for (const { text: secret, pattern, mark } of short) {
      if (!text.includes(secret)) continue;
      for (const { index } of text.matchAll(pattern))
        spans.push({ from: index, to: index + secret.length, mark, weight: 2 * secret.length + 1 });
    }
    if (places === undefined || spans.length === 0) return spans;
    const { starts, ends } = places();
    return spans.map(span => ({ ...span, from: starts[span.from] as number, to: ends[span.to - 1] as number }));
  }

  function redacted(text: string, isCut: boolean): string {
    if (added.size === 0) return text;
    const spans = layersOf(text).flatMap(layer => spansIn(layer, isCut));
    return spans.length === 0 ? text : replaced(text, spans);
  }

  return {
    add(secret, mark, isLong = secret.length >= longSecret) {
      const name = `${isLong} ${secret}`;
      if (secret === '' || added.has(name)) return;
      added.add(name);
      if (isLong && secret.length >= gram) addLong(secret, mark);
      else addShort(secret, mark);
    },
    redact: text => redacted(text, false),
    redactCut: text => redacted(text, true),
  };
}

/** The text with marks in the place of spans; where spans overlap all of them go, and the mark is that of the weightiest. */
function replaced(text: string, spans: readonly Span[]): string {
  const sorted = spans.toSorted((a, b) => a.from - b.from || b.to - a.to);
  let result = '';
  let at = 0;
  for (let index = 0; index < sorted.length; ) {
    let best = sorted[index] as Span;
    const { from } = best;
    let { to } = best;
    for (index += 1; index < sorted.length; index += 1) {
      const next = sorted[index] as Span;
      if (next.from >= to) break;
      to = Math.max(to, next.to);
      if (next.weight > best.weight) best = next;
    }
    result += text.slice(at, from) + best.mark;
    at = to;
  }
  return result + text.slice(at);
}
