import { hidden, redactions } from '../../contracts/report/evidence.ts';
import type { Secrets } from '../client/secrets.ts';
import type { KeyUse } from './client-request.ts';
import { byName, type SeenExchange } from './seen.ts';

/** So many different keys of clients are redacted wherever they turn up; the key header is redacted anyway. */
const mostKeys = 64;

/** Headers of which the value is a secret, whatever it is. */
export const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'proxy-authorization',
]);

/** Keeps what clients prove themselves with out of all that is kept or shown. */
export interface Redaction {
  /** Remembers the secrets of a request, and returns what was seen without them. */
  shown(seen: SeenExchange, use: KeyUse): SeenExchange;
  readonly size: () => number;
}

/** Begins to redact, with the name of the key header. */
export function createRedaction(secrets: Secrets, header: string): Redaction {
  const known = new Set<string>();
  const keyHeader = header.toLowerCase();
  function learn(value: string, mark: string): void {
    if (known.has(value) || known.size >= mostKeys) return;
    known.add(value);
    secrets.add(value, mark);
  }
  const shownValue = (name: string, value: string): string => {
    if (name === keyHeader && value.trim() !== '') return redactions.key;
    return secretHeaders.has(name) ? hidden.header : value;
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
    size: () => known.size,
    shown(seen, { values }) {
      for (const value of values) learn(value, redactions.key);
      for (const [name, own] of seen.headers ?? [])
        if (secretHeaders.has(name)) for (const value of own) learn(value, hidden.header);
      const { reply } = seen.answer;
      const { response } = seen.exchange;
      const isKnown = !('failure' in response) && response.headers !== 'not recorded';
      const headers = isKnown ? shownHeaders(byName(response.headers), values => [...values]) : {};
      const own = shownHeaders(seen.headers ?? new Map(), values => values.join(', '));
      return {
        ...seen,
        answer: {
          ...seen.answer,
          reply: { ...reply, request: { ...reply.request, headers: own }, headers },
        },
      };
    },
  };
}
