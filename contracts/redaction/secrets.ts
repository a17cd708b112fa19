import { knownTexts } from '../memoized.ts';
import { urlText } from '../url-text.ts';
import { type Cut, cutsOf, endAfter, type Rest, restsOf } from './cuts.ts';
import { endIn, type Layer, layersOf } from './escapes.ts';
import type { Shown } from './shown.ts';
import { replaced, type Span } from './spans.ts';
import {
  gram,
  hashAt,
  hashesOf,
  inJson,
  lengthAt,
  orderOf,
  placeOf,
  rolled,
  type Spelling,
  spellingsOf,
} from './spellings.ts';

/**
 * Where a secret is looked for: within texts, where it is a whole value of any kind, or where it is the whole value of a
 * header, a cookie or a form. A short one means nothing within a longer text: the key `k` is no part of `new_checkout`,
 * and a cookie `lang=en` does not make a secret of every `"en"` in JSON.
 */
type Place = 'text' | 'value' | 'field';

/**
 * Takes secrets out of every text that may be shown or stored: the API key, its near misses (which would give it away),
 * what else its owner sends to prove himself, in the spellings in which a target may echo them.
 */
export interface Secrets {
  /** Adds a secret; `mark` stands in its place. Absent: within texts where it is long, else where it is a whole value. */
  add(secret: string, mark: string, place?: Place): void;
  /** The text with every secret replaced by its mark. Redact first, and cut afterwards. */
  redact(text: string): Shown;
  /** The same for a text that ends where it was cut: half of a secret at its end is replaced too. */
  redactCut(text: string): Shown;
}

/** Secrets of so many characters are looked for within texts. */
export const longSecret = 8;

/** So many characters the longest spelling of a secret has: each of them an escape of six. */
export const longestSpelling = (secret: string): number => 6 * secret.length;

const isBase64 = (sign: string | undefined): boolean => sign !== undefined && /^[A-Za-z0-9+/_-]$/.test(sign);

/**
 * What stands around a whole value: the ends of the text, the signs of a query, of a cookie or of a list of credentials,
 * a scheme before it (RFC 9110 section 11.4) or the name of a header; of any value, quotes.
 */
// biome-ignore format: a table
const around: Readonly<Record<Exclude<Place, 'text'>, readonly [opening: string, closing: string]>> = {
  value: ['(?<=^|["\'=,;] ?|^[A-Za-z]+ )',          '(?=$|["\'&,;])'],
  field: ['(?<=^|[=,;] ?|^(?:[\\w-]+: ?)?(?:[A-Za-z]+ )?)', '(?=\\r?$|[&,;])'],
};

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/**
 * Of more spellings no parts are looked for but those before an ellipsis: those of a target are some hundreds, and the
 * thousands of keys that pass in traffic often begin and end alike.
 */
const mostSpellings = 2_000;

/** So many characters of texts that are free of secrets are remembered. */
const mostClean = 2_000_000;

function put<T>(into: Map<number, T[]>, hash: number, one: T): void {
  const others = into.get(hash);
  if (others === undefined) into.set(hash, [one]);
  else others.push(one);
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
  /** 1 for a hash by which a spelling is found, or with which one begins: most texts have none in most of their places. */
  const marked = new Uint8Array(0x10000);
  /** In order: thousands that begin alike are not looked at one by one for each cut. */
  const beginnings = new Map<number, Spelling[]>();
  const endings = new Map<number, Spelling[]>();
  const all: Spelling[] = [];
  let longest = 0;
  /** Texts that were found to be free of secrets: most are shown again, whole or within an event. */
  const clean = knownTexts(mostClean);
  const short: { readonly text: string; readonly pattern: RegExp; readonly mark: string }[] = [];

  function addLong(secret: string, mark: string): void {
    for (const one of spellingsOf(secret, mark)) {
      if (one.text.length < gram || known.has(`text ${one.text}`)) continue;
      known.add(`text ${one.text}`);
      longest = Math.max(longest, one.text.length);
      const hashes = hashesOf(one.text);
      const alike = beginnings.get(hashes[0] as number) ?? [];
      alike.splice(placeOf(one.order, alike), 0, one);
      beginnings.set(hashes[0] as number, alike);
      put(endings, hashes.at(-1) as number, one);
      all.push(one);
      const times = new Map<number, number>();
      for (const hash of hashes) times.set(hash, (times.get(hash) ?? 0) + 1);
      let [offset, fewest] = [0, Number.POSITIVE_INFINITY];
      for (const [at, hash] of hashes.entries()) {
        const meetings = (times.get(hash) as number) * (1 + (found.get(hash)?.length ?? 0));
        if (meetings < fewest) [offset, fewest] = [at, meetings];
      }
      const hash = hashes[offset] as number;
      marked[hash] = 1;
      marked[hashes[0] as number] = 1;
      put(found, hash, { one, offset });
    }
  }

  function addShort(secret: string, mark: string, place: Exclude<Place, 'text'>): void {
    const [opening, closing] = around[place];
    const bytes = Buffer.from(secret);
    const written = [secret, urlText(secret), inJson(secret), bytes.toString('base64'), bytes.toString('base64url')];
    for (const text of new Set(written)) {
      if (known.has(`${place} ${text}`)) continue;
      known.add(`${place} ${text}`);
      const pattern = new RegExp(`${opening}${literal(text)}${closing}`, place === 'field' ? 'gm' : 'g');
      short.push({ text, mark, pattern });
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
  function spansBefore(text: string, { begin, end, to, isSeen }: Cut): Span[] {
    const spans: Span[] = [];
    for (let from = Math.max(begin, end - longest); from <= end - gram; from += 1) {
      const alike = beginnings.get(hashAt(text, from)) ?? [];
      for (const isExact of alike.length === 0 ? [] : [false, true]) {
        const order = orderOf(text.slice(from, end), isExact);
        for (let at = placeOf(order, alike); alike[at]?.order.startsWith(order) === true; at += 1) {
          const { text: whole, mark } = alike[at] as Spelling;
          if (!isSeen && end - from < whole.length / 2) continue;
          spans.push({ from, to, mark, weight: end - from });
          break;
        }
      }
    }
    return spans;
  }

  /** The spans of secrets that begin at a place, and of which half or more is left where a text, a line or a quote ends. */
  function spansCutOff(text: string, from: number): Span[] {
    return (beginnings.get(hashAt(text, from)) ?? []).flatMap(one => {
      const length = lengthAt(text, from, one);
      if (length === one.text.length || length < longSecret || 2 * length < one.text.length) return [];
      const to = endAfter(text, from + length);
      return to === undefined ? [] : [{ from, to, mark: one.mark, weight: length }];
    });
  }

  /** The span of what is left of the end of a secret, the longest, or of its middle where it was cut on both sides. */
  function spansAfter(text: string, { begin, end, isCut }: Rest): Span[] {
    const length = end - begin;
    if (isCut && length >= longSecret && length < longest) {
      const [plain, exact] = [false, true].map(isExact => orderOf(text.slice(begin, end), isExact).slice(1));
      // Behind its first character, and that by which the exact ones are put in order.
      const one = all.find(({ order, isExact }) => order.includes((isExact ? exact : plain) as string, 2));
      if (one !== undefined) return [{ from: begin, to: end, mark: one.mark, weight: length }];
    }
    for (let to = Math.min(end, begin + longest); to >= begin + gram; to -= 1) {
      const one = endings.get(hashAt(text, to - gram))?.find(one => {
        const first = one.text.length - (to - begin);
        return first > 0 && lengthAt(text, begin, one, first) >= to - begin;
      });
      if (one !== undefined) return [{ from: begin, to, mark: one.mark, weight: to - begin }];
    }
    return [];
  }

  function spansIn({ text, origins }: Layer, isCut: boolean): Span[] {
    const isFew = all.length <= mostSpellings;
    const cuts = found.size === 0 ? [] : cutsOf(text, isCut);
    const rests = isFew && found.size > 0 ? restsOf(text) : [];
    const spans = [...cuts.flatMap(cut => spansBefore(text, cut)), ...rests.flatMap(rest => spansAfter(text, rest))];
    const last = found.size === 0 ? 0 : text.length;
    let hash = 0;
    for (let at = 0; at < last; at += 1) {
      const before = hash;
      hash = rolled(hash, text.charCodeAt(at));
      if (marked[hash] === 0) continue;
      // In a run of one sign it begins where that does: each place of the run would be looked at to its end.
      if (isFew && hash !== before) spans.push(...spansCutOff(text, at - gram + 1));
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
    if (origins === undefined || spans.length === 0) return spans;
    const began = origins();
    return spans.map(span => ({ ...span, from: began[span.from] as number, to: endIn(began, span.to - 1) }));
  }

  function redacted(text: string, isCut: boolean): Shown {
    if (added.size === 0 || (!isCut && clean.has(text))) return text as Shown;
    const spans = layersOf(text).flatMap(layer => spansIn(layer, isCut));
    const left = spans.length === 0 ? text : replaced(text, spans);
    clean.add(left);
    return left as Shown;
  }

  return {
    add(secret, mark, place = secret.length >= longSecret ? 'text' : 'value') {
      const name = `${place} ${secret}`;
      if (secret === '' || added.has(name)) return;
      added.add(name);
      clean.clear();
      if (place !== 'text') addShort(secret, mark, place);
      else if (secret.length >= gram) addLong(secret, mark);
      else addShort(secret, mark, 'value');
    },
    redact: text => redacted(text, false),
    redactCut: text => redacted(text, true),
  };
}
