import { hidden, redactions } from '../../contracts/report/evidence.ts';
import type { Secrets } from '../client/secrets.ts';
import { namesCredential, withoutCredentials } from './credential-names.ts';
import type { KeyUse } from './key-use.ts';
import { byName, type SeenExchange } from './seen.ts';

/**
 * So many different secrets of clients are redacted wherever they turn up, and so many that headers name beside keys; the
 * values of those headers are redacted anyway.
 */
const mostKeys = 400;
const mostOthers = 64;
/** What a header names as a credential is looked for elsewhere from so many characters on. */
const longCredential = 8;

/** True where a secret stands in what is kept of an exchange beside its headers. */
function standsIn({ exchange, answer: { reply } }: SeenExchange, secret: string): boolean {
  const texts = [
    exchange.request.target,
    reply.request.body?.toString() ?? '',
    reply.body.kind === 'empty' ? '' : reply.body.text,
  ];
  return [secret, encodeURIComponent(secret)].some(form => texts.some(text => text.includes(form)));
}

/** Keeps what clients prove themselves with out of all that is kept or shown. */
export interface Redaction {
  /**
   * Remembers the secrets of a request, and returns what was seen without them; undefined where it holds one of so many
   * that it would be kept.
   */
  shown(seen: SeenExchange, use: KeyUse): SeenExchange | undefined;
  readonly size: () => number;
}

/** Begins to redact, with the name of the key header. */
export function createRedaction(secrets: Secrets, header: string): Redaction {
  const known = new Set<string>();
  const others = new Set<string>();
  const keyHeader = header.toLowerCase();
  function learn(value: string, mark: string, among: Set<string>, most: number): boolean {
    if (among.has(value)) return true;
    if (among.size >= most) return false;
    among.add(value);
    secrets.add(value, mark);
    return true;
  }
  const shownValue = (name: string, value: string): string => {
    if (name === keyHeader && value.trim() !== '') return redactions.key;
    return namesCredential(name) ? hidden.header : value;
  };
  /** Headers as evidence shows them: several values of one name as `several` puts them. */
  const shownHeaders = <V>(
    headers: ReadonlyMap<string, readonly string[]>,
    several: (values: readonly string[]) => V,
  ): Record<string, string | V> =>
    Object.fromEntries(
      [...headers].map(([name, values]) => {
        const shown = values.map(value => shownValue(name, value));
        return [name, shown.length === 1 ? (shown[0] ?? '') : several(shown)];
      }),
    );
  return {
    size: () => known.size + others.size,
    shown(seen, { values, beside }) {
      const unlearned = values.filter(value => !learn(value, redactions.key, known, mostKeys));
      if (unlearned.some(value => standsIn(seen, value))) return undefined;
      for (const [name, own] of seen.headers ?? [])
        if (name !== keyHeader && namesCredential(name))
          for (const value of own) if (value.length >= longCredential) learn(value, hidden.header, others, mostOthers);
      for (const value of beside) learn(value, hidden.header, others, mostOthers);
      const { reply } = seen.answer;
      const { response } = seen.exchange;
      const isKnown = !('failure' in response) && response.headers !== 'not recorded';
      const headers = isKnown ? shownHeaders(byName(response.headers), values => [...values]) : {};
      const own = shownHeaders(seen.headers ?? new Map(), values => values.join(', '));
      const path = withoutCredentials(reply.request.path, hidden.header);
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
