import { decoded } from '../../../contracts/decoded.ts';
import { grouped } from '../../../contracts/grouped.ts';
import { present } from '../../../contracts/present.ts';
import { credentialsIn } from '../../../contracts/redaction/credentials.ts';
import { createSecrets, longSecret } from '../../../contracts/redaction/secrets.ts';
import { hidden, redactions } from '../../../contracts/report/evidence.ts';
import { urlText } from '../../../contracts/url-text.ts';
import { namesCredential, namesSecret } from '../../client/secret-names.ts';
import { type Hide, hideInBody, hideInHeader, hideInText, hideInUrl } from '../../client/secret-values.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Breach } from './breach.ts';
import { knownIn, type ObservedExchange, type ObservedMessage, valuesOf } from './exchange.ts';
import type { KeyUse } from './key-use.ts';
import { longestShown, type SeenExchange } from './seen.ts';

/** Maximum number of secrets remembered, and of their characters together. */
const mostSecrets = 4_000;
const mostCharacters = 400_000;
/** Minimum length at which a cookie counts as a secret whatever its name; shorter values are words. */
const longCookie = 16;

/** Removes the credentials of clients and servers from everything that is kept or shown. */
export type Redaction = ReturnType<typeof createRedaction>;

/** Removes secrets from each part of a message: known ones, and those recognised by name or form. */
export type TextRedaction = Redaction['texts'];

/** Shown instead of a body that may hold secrets that cannot be found. */
const leftOut = '«left out: it may hold secrets»';

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** Replaces a value in a text where it stands as a whole word. */
function withoutWord(text: string, value: string, mark: string): string {
  const parts = text.split(value);
  return parts.reduce((left, part) => {
    const isWithin = /[\p{L}\p{N}_]$/u.test(left) || /^[\p{L}\p{N}_]/u.test(part);
    return `${left}${isWithin ? value : mark}${part}`;
  });
}

/** True if a secret occurs in the kept parts of an exchange other than its headers. */
function standsIn({ exchange, answer: { reply } }: SeenExchange, secret: string): boolean {
  const texts = [
    exchange.request.target,
    reply.request.body?.toString() ?? '',
    reply.body.kind === 'empty' ? '' : reply.body.text,
  ];
  return [secret, urlText(secret)].some(form => texts.some(text => text.includes(form)));
}

/** Returns the content type of a message; empty if it has none. */
export const contentType = (headers: ObservedMessage['headers']): string => valuesOf(headers, 'content-type')[0] ?? '';

/** Returns the secrets in a credential header: each cookie, a password, or the text after a scheme. */
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

/** Creates a redaction, from the name of the key header and the key if known. */
export function createRedaction(header: string, apiKey: string | undefined) {
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
  /** Hides a value, and remembers it if it is long enough to be found again. */
  const note: Hide = value => {
    // The password of a `user:password` pair is a secret by itself.
    for (const one of [value, decoded(value), decoded(value.slice(value.indexOf(':') + 1))])
      if (one.length >= longSecret) learn(one, hidden.named);
    return hidden.named;
  };

  const isKey = (name: string, value: string): boolean => name.toLowerCase() === keyHeader && value.trim() !== '';

  function learnMessage({ headers, body }: ObservedMessage): void {
    for (const [name, value] of knownIn(headers)) {
      if (isKey(name, value)) learn(value, redactions.key);
      else if (namesCredential(name))
        for (const one of withinHeader(name, value)) one.length >= longSecret && learn(one, hidden.header);
      else hideInHeader(value, note);
    }
    if (body && body !== 'not recorded') hideInBody(Buffer.from(body.bytes).toString(), contentType(headers), note);
  }

  const texts = {
    /** True if more secrets passed than can be remembered: from now on, the others may occur anywhere. */
    isFull: (): boolean => isFull,
    /** Redacts any text. */
    text: (text: string): string => hideInText(secrets.redact(text), hide),
    /** Redacts a request target or a URL. */
    url: (url: string): string => hideInUrl(secrets.redact(url), hide),
    header(name: string, value: string): string {
      if (isKey(name, value)) return redactions.key;
      return namesCredential(name) ? hidden.header : hideInHeader(secrets.redact(value), hide);
    },
    /** Returns undefined if the body may hold secrets that cannot be found. */
    body: (text: string, type: string, isCut: boolean): string | undefined =>
      hideInBody(isCut ? secrets.redactCut(text) : secrets.redact(text), type, hide),
  };

  /** Remembers the secrets of an exchange. Call it before anything of the exchange is kept. */
  function learnExchange({ request, response }: ObservedExchange): void {
    // Headers first: the key header reveals the key, which is then found in all other places.
    learnMessage(request);
    hideInUrl(request.target, note);
    if ('status' in response) learnMessage(response);
  }

  /** Returns the redacted values of each header, by name in lower case. */
  const shownHeaders = (headers: ObservedMessage['headers']): [name: string, values: string[]][] =>
    [...grouped(knownIn(headers), ([name]) => name.toLowerCase())].map(([name, all]) => [
      name,
      all.map(([, value]) => texts.header(name, value)),
    ]);

  function shownBody(text: string, hideOne: Hide): string {
    const isCut = text.length > longestShown;
    // Known secrets last: replacing one inside a number would make the text invalid JSON.
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

  /** Returns a breach without secrets, neither in the bodies that are shown nor in its texts. */
  function evidence(breach: Breach): Breach {
    const { about, expected, actual, fault, timeline, steps } = breach;
    // Short values and numbers are replaced only in the texts of this breach.
    const found = new Set<string>();
    const find: Hide = value => {
      found.add(value);
      return hidden.named;
    };
    const answer = shownAnswer(breach.answer, find);
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
      expected: words(expected),
      actual: words(actual),
      answer,
      ...present({
        about: about && present({ pointer: about.pointer, sent: data(about.sent) }),
        fault: fault && present({ ...fault, expected: data(fault.expected), got: data(fault.got) }),
        timeline: timeline?.map(words),
        steps: earlier,
      }),
    };
  }

  return {
    secrets,
    texts,
    learn: learnExchange,
    size: (): number => known.size,
    evidence,
    /**
     * Remembers the secrets of a request, and returns the exchange with redacted headers and path. Returns undefined if
     * the key can no longer be remembered and would be shown.
     */
    shown(seen: SeenExchange, { values }: KeyUse): SeenExchange | undefined {
      const unlearned = values.filter(value => !learn(value, redactions.key));
      if (unlearned.some(value => standsIn(seen, value))) return undefined;
      learnExchange(seen.exchange);
      const { reply } = seen.answer;
      const { request, response } = seen.exchange;
      const path = texts.url(reply.request.path);
      const own = shownHeaders(request.headers).map(([name, all]) => [name, all.join(', ')]);
      const headers = shownHeaders('status' in response ? response.headers : []).map(
        ([name, all]): [string, string | string[]] => [name, all.length > 1 ? all : (all[0] ?? '')],
      );
      const asked = { ...reply.request, path, headers: Object.fromEntries(own) };
      const shown = { ...reply, request: asked, headers: Object.fromEntries(headers) };
      return { ...seen, answer: { ...seen.answer, reply: shown } };
    },
  };
}
