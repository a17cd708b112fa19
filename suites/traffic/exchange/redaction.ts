import { decoded } from '../../../contracts/decoded.ts';
import { present } from '../../../contracts/present.ts';
import { credentialsIn } from '../../../contracts/redaction/credentials.ts';
import { createSecrets, longSecret, type Secrets } from '../../../contracts/redaction/secrets.ts';
import { hidden, redactions } from '../../../contracts/report/evidence.ts';
import { urlText } from '../../../contracts/url-text.ts';
import { namesCredential, namesSecret } from '../../client/secret-names.ts';
import { type Hide, hideInBody, hideInHeader, hideInText, hideInUrl } from '../../client/secret-values.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Breach } from './breach.ts';
import type { ObservedBody, ObservedExchange, ObservedHeaders, Unknown } from './exchange.ts';
import type { KeyUse } from './key-use.ts';
import { byName, type SeenExchange } from './seen.ts';

/** So many different secrets of traffic are remembered, and so many characters of them. */
const mostSecrets = 4_000;
const mostCharacters = 400_000;
/** A cookie whose name says nothing is a secret from so many characters on: shorter ones are words. */
const longCookie = 16;

/** Keeps what clients and servers prove themselves with out of all that is kept or shown. */
export interface Redaction {
  /** Remembers the secrets of an exchange that is none of the API's, before anything of it is kept. */
  learn(exchange: ObservedExchange): void;
  /**
   * Remembers the secrets of a request, and returns what was seen with the headers and the path that may be shown;
   * undefined where it holds one of so many keys that it would be kept.
   */
  shown(seen: SeenExchange, use: KeyUse): SeenExchange | undefined;
  /** A breach as evidence may show it: without secrets in the beginning of bodies, and in what it says of them. */
  evidence(breach: Breach): Breach;
  readonly secrets: Secrets;
  readonly texts: TextRedaction;
  readonly size: () => number;
}

/** What takes secrets out of each part of a message: those that are known, and those that tell themselves. */
export interface TextRedaction {
  /** A text that may be anything. */
  text(text: string): string;
  /** The target of a request, or a URL. */
  url(url: string): string;
  header(name: string, value: string): string;
  /** Undefined where it may hold secrets that cannot be found. */
  body(text: string, type: string, isCut: boolean): string | undefined;
  /** More secrets passed than are remembered: those of others may stand anywhere from now on. */
  isFull(): boolean;
}

/** So much of a body is looked at for evidence, which shows less of it. */
const longestShown = 16_384;
/** What is shown in the place of a body that may hold secrets that cannot be found. */
const leftOut = '«left out: it may hold secrets»';

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** A text without a value where that stands by itself. */
function withoutWord(text: string, value: string, mark: string): string {
  const parts = text.split(value);
  return parts.reduce((left, part) => {
    const isWithin = /[\p{L}\p{N}_]$/u.test(left) || /^[\p{L}\p{N}_]/u.test(part);
    return `${left}${isWithin ? value : mark}${part}`;
  });
}

/** True where a secret stands in what is kept of an exchange beside its headers. */
function standsIn({ exchange, answer: { reply } }: SeenExchange, secret: string): boolean {
  const texts = [
    exchange.request.target,
    reply.request.body?.toString() ?? '',
    reply.body.kind === 'empty' ? '' : reply.body.text,
  ];
  return [secret, urlText(secret)].some(form => texts.some(text => text.includes(form)));
}

/** The value of a header of an exchange; empty where it has none. */
export const headerOf = (headers: ObservedHeaders | Unknown, name: string): string =>
  headers === 'not recorded' ? '' : (headers.find(([own]) => own.toLowerCase() === name)?.[1] ?? '');

const textOf = (body: ObservedBody | Unknown | null): string =>
  body === null || body === 'not recorded' ? '' : Buffer.from(body.bytes).toString();

/** The secrets within the value of a header whose name is for one: each cookie, a password, what follows a scheme. */
function withinHeader(name: string, value: string): readonly string[] {
  if (/cookie2?$/i.test(name)) {
    const [first = ''] = value.split(';');
    const all = /^set-/i.test(name) ? [first] : value.split(';');
    return all
      .map(one => [one.slice(0, one.indexOf('=')).trim(), one.slice(one.indexOf('=') + 1).trim()] as const)
      .filter(([own, text]) => namesSecret(own) || text.length >= longCookie)
      .map(([, text]) => text);
  }
  return credentialsIn(value);
}

/** Begins to redact, with the name of the key header, and the key where it is known. */
export function createRedaction(header: string, apiKey: string | undefined): Redaction {
  const secrets = createSecrets();
  const known = new Set<string>();
  const keyHeader = header.toLowerCase();
  let characters = 0;
  let isFull = false;

  function learn(value: string, mark: string): boolean {
    if (known.has(value)) return true;
    if (known.size >= mostSecrets || characters + value.length > mostCharacters) {
      isFull = true;
      return false;
    }
    known.add(value);
    characters += value.length;
    secrets.add(value, mark);
    return true;
  }
  if (apiKey !== undefined) secrets.add(apiKey, redactions.key);

  const hide: Hide = () => hidden.named;
  /** Remembers what is hidden, where it is long enough to be found again. */
  const note: Hide = value => {
    // Of a user and a password the password is a secret by itself.
    for (const one of [value, decoded(value), decoded(value.slice(value.indexOf(':') + 1))])
      if (one.length >= longSecret) learn(one, hidden.named);
    return hidden.named;
  };

  function learnHeaders(headers: ObservedHeaders | Unknown): void {
    for (const [name, value] of headers === 'not recorded' ? [] : headers) {
      const isKey = name.toLowerCase() === keyHeader;
      if (isKey && value.trim() !== '') learn(value, redactions.key);
      else if (namesCredential(name))
        for (const one of withinHeader(name, value)) one.length >= longSecret && learn(one, hidden.header);
      else hideInHeader(value, note);
    }
  }

  const texts: TextRedaction = {
    isFull: () => isFull,
    text: text => hideInText(secrets.redact(text), hide),
    url: url => hideInUrl(secrets.redact(url), hide),
    header(name, value) {
      if (name.toLowerCase() === keyHeader && value.trim() !== '') return redactions.key;
      return namesCredential(name) ? hidden.header : hideInHeader(secrets.redact(value), hide);
    },
    body: (text, type, isCut) => hideInBody(isCut ? secrets.redactCut(text) : secrets.redact(text), type, hide),
  };

  function learnExchange({ request, response }: ObservedExchange): void {
    learnHeaders(request.headers);
    hideInUrl(request.target, note);
    hideInBody(textOf(request.body), headerOf(request.headers, 'content-type'), note);
    if ('failure' in response) return;
    learnHeaders(response.headers);
    hideInBody(textOf(response.body), headerOf(response.headers, 'content-type'), note);
  }

  /** Headers as evidence shows them: several values of one name as `several` puts them. */
  const shownHeaders = <V>(
    headers: ReadonlyMap<string, readonly string[]>,
    several: (values: readonly string[]) => V,
  ): Record<string, string | V> =>
    Object.fromEntries(
      [...headers].map(([name, values]) => {
        const shown = values.map(value => texts.header(name, value));
        return [name, shown.length === 1 ? (shown[0] ?? '') : several(shown)];
      }),
    );

  function shownBody(text: string, hideOne: Hide): string {
    const isCut = text.length > longestShown;
    // What is known is taken out last: in the place of a number it would be no JSON any more.
    const shown = hideInBody(isCut ? text.slice(0, longestShown) : text, '', hideOne) ?? leftOut;
    return isCut ? secrets.redactCut(shown) : secrets.redact(shown);
  }

  function shownAnswer(answer: Answer, hideOne: Hide): Answer {
    const { reply } = answer;
    const { request, body } = reply;
    const sent = request.body === undefined ? {} : { body: shownBody(request.body.toString(), hideOne) };
    const shown = body.kind === 'empty' ? body : { ...body, text: shownBody(body.text, hideOne) };
    return { ...answer, reply: { ...reply, request: { ...request, ...sent }, body: shown } };
  }

  function evidence(breach: Breach): Breach {
    const { violation, about } = breach;
    const { expected, actual, fault, timeline, steps } = violation;
    // What is short, or a number, is found again in these words alone.
    const found = new Set<string>();
    const find: Hide = value => {
      found.add(value);
      return hidden.named;
    };
    const answer = shownAnswer(violation.answer, find);
    const earlier = steps?.map(step => ({ ...step, answer: shownAnswer(step.answer, find) }));
    const words = (text: string): string =>
      texts.text([...found].reduce((left, value) => withoutWord(left, value, hidden.named), text));
    const data = <T>(value: T): T | undefined => {
      const text = value === undefined ? undefined : hideInBody(JSON.stringify(value), '', hide);
      return text === undefined
        ? undefined
        : JSON.parse(text, (_name, leaf) => (isScalar(leaf) && found.has(String(leaf)) ? hidden.named : leaf));
    };
    return {
      ...breach,
      ...(about === undefined ? {} : { about: present({ ...about, sent: data(about.sent) }) }),
      violation: {
        ...violation,
        expected: words(expected),
        actual: words(actual),
        answer,
        ...present({
          fault: fault && present({ ...fault, expected: data(fault.expected), got: data(fault.got) }),
          timeline: timeline?.map(words),
          steps: earlier,
        }),
      },
    };
  }

  return {
    secrets,
    texts,
    learn: learnExchange,
    size: () => known.size,
    evidence,
    shown(seen, { values }) {
      const unlearned = values.filter(value => !learn(value, redactions.key));
      if (unlearned.some(value => standsIn(seen, value))) return undefined;
      learnExchange(seen.exchange);
      const { reply } = seen.answer;
      const { response } = seen.exchange;
      const isKnown = !('failure' in response) && response.headers !== 'not recorded';
      const headers = isKnown ? shownHeaders(byName(response.headers), all => [...all]) : {};
      const own = shownHeaders(seen.headers ?? new Map(), all => all.join(', '));
      const path = texts.url(reply.request.path);
      return {
        ...seen,
        answer: {
          ...seen.answer,
          reply: { ...reply, request: { ...reply.request, path, headers: own }, headers },
        },
      };
    },
  };
}
