import { knownTexts } from '../memoized.ts';
import { urlText } from '../url-text.ts';
import { type Cut, cutsOf, endAfter, type Rest, restsOf } from './cuts.ts';
import { type Layer, layersOf } from './escapes.ts';
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
 * Where to look for a secret: within texts, as a whole value of any kind, or as the whole value of a header, cookie or
 * form. A short secret means nothing within a longer text: the key `k` is no part of `new_checkout`. A cookie `lang=en`
 * does not make every `"en"` in JSON secret.
 */
type Place = 'text' | 'value' | 'field';

/**
 * Removes secrets from every text that is shown or stored. They are the API key, its near misses (which would give it
 * away) and all other credentials of its owner, in every spelling that a target may echo.
 */
export interface Secrets {
  /** Adds a secret, to be replaced by `mark`. Default place: within texts if it is long, else as a whole value. */
  add(secret: string, mark: string, place?: Place): void;
  /** Returns the text with every secret replaced by its mark. Redact first, then cut. */
  redact(text: string): Shown;
  /** Does the same for a truncated text: also replaces half of a secret at its end. */
  redactCut(text: string): Shown;
}

/** Minimum number of characters of a secret to be looked for within texts. */
export const longSecret = 8;

/** Returns the number of characters of a secret's longest spelling, in which each is an escape of six. */
export const longestSpelling = (secret: string): number => 6 * secret.length;

const isBase64 = (sign: string | undefined): boolean => sign !== undefined && /^[A-Za-z0-9+/_-]$/.test(sign);

/**
 * The context of a whole value: the ends of the text, the separators of a query, a cookie or a list of credentials, a
 * scheme (RFC 9110 section 11.4) or a header's name before it. `value` also allows quotes.
 */
// biome-ignore format: a table
const around: Readonly<Record<Exclude<Place, 'text'>, readonly [opening: string, closing: string]>> = {
  value: ['(?<=^|["\'=,;] ?|^[A-Za-z]+ )',          '(?=$|["\'&,;])'],
  field: ['(?<=^|[=,;] ?|^(?:[\\w-]+: ?)?(?:[A-Za-z]+ )?)', '(?=\\r?$|[&,;])'],
};

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/**
 * With more spellings, look only for parts before an ellipsis. The spellings of a target are some hundreds, but traffic
 * may hold thousands of keys that begin or end alike.
 */
const mostSpellings = 2_000;

/** Total number of characters of remembered texts that are free of secrets. */
const mostClean = 2_000_000;

function put<T>(into: Map<number, T[]>, hash: number, one: T): void {
  const others = into.get(hash);
  if (!others) into.set(hash, [one]);
  else others.push(one);
}

/**
 * Returns an empty set of secrets. Each spelling is indexed by four of its characters: rare within it, and the index of
 * few others. Thousands of keys that begin alike, or repeat one character, then cost no more than a few.
 */
export function createSecrets(): Secrets {
  const added = new Set<string>();
  const known = new Set<string>();
  const found = new Map<number, { readonly one: Spelling; readonly offset: number }[]>();
  /** 1 for a hash that indexes or begins a spelling: most places of most texts have none. */
  const marked = new Uint8Array(0x10000);
  /** Sorted, so that a cut does not have to compare thousands of spellings that begin alike. */
  const beginnings = new Map<number, Spelling[]>();
  const endings = new Map<number, Spelling[]>();
  const all: Spelling[] = [];
  let longest = 0;
  /** Texts known to be free of secrets: most are shown again, whole or within an event. */
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

  /** Returns the span of a whole spelling at a place; undefined if it is not there. */
  function spanAt(text: string, from: number, one: Spelling): Span | undefined {
    const { length } = one.text;
    if (from < 0 || lengthAt(text, from, one) < length) return undefined;
    const end = from + length;
    const first = one.sharesFirst && isBase64(text[from - 1]) ? 1 : 0;
    let to = end + (one.sharesLast && isBase64(text[end]) ? 1 : 0);
    while (one.isExact && text[to] === '=') to += 1;
    return { from: from - first, to, mark: one.mark, weight: 2 * length + Number(text.startsWith(one.text, from)) };
  }

  /** Returns the spans of secrets that begin before a cut. */
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

  /** Returns the spans of secrets at a place that a text, line or quotation cuts off, with at least half left. */
  function spansCutOff(text: string, from: number): Span[] {
    return (beginnings.get(hashAt(text, from)) ?? []).flatMap(one => {
      const length = lengthAt(text, from, one);
      if (length === one.text.length || length < longSecret || 2 * length < one.text.length) return [];
      const to = endAfter(text, from + length);
      return to === undefined ? [] : [{ from, to, mark: one.mark, weight: length }];
    });
  }

  /** Returns the span of the longest end of a secret after a cut, or of its middle if it was cut on both sides. */
  function spansAfter(text: string, { begin, end, isCut }: Rest): Span[] {
    const length = end - begin;
    if (isCut && length >= longSecret && length < longest) {
      const [plain, exact] = [false, true].map(isExact => orderOf(text.slice(begin, end), isExact).slice(1));
      // Skip the first character, and the one that sorts exact spellings.
      const one = all.find(({ order, isExact }) => order.includes((isExact ? exact : plain) as string, 2));
      if (one) return [{ from: begin, to: end, mark: one.mark, weight: length }];
    }
    for (let to = Math.min(end, begin + longest); to >= begin + gram; to -= 1) {
      const one = endings.get(hashAt(text, to - gram))?.find(one => {
        const first = one.text.length - (to - begin);
        return first > 0 && lengthAt(text, begin, one, first) >= to - begin;
      });
      if (one) return [{ from: begin, to, mark: one.mark, weight: to - begin }];
    }
    return [];
  }

  function spansIn({ text, places }: Layer, isCut: boolean): Span[] {
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
      // Look at a run of one character only at its start; otherwise every place of the run would be scanned to its end.
      if (isFew && hash !== before) spans.push(...spansCutOff(text, at - gram + 1));
      for (const { one, offset } of found.get(hash) ?? []) {
        const span = spanAt(text, at - gram + 1 - offset, one);
        if (span) spans.push(span);
      }
    }
    for (const { text: secret, pattern, mark } of short) {
      if (!text.includes(secret)) continue;
      for (const { index } of text.matchAll(pattern))
        spans.push({ from: index, to: index + secret.length, mark, weight: 2 * secret.length + 1 });
    }
    if (!places || spans.length === 0) return spans;
    const { starts, ends } = places();
    return spans.map(span => ({ ...span, from: starts[span.from] as number, to: ends[span.to - 1] as number }));
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
