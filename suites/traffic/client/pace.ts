import { createHash } from 'node:crypto';
import { boundedMap } from '../exchange/bounded.ts';
import { type Breach, clientBreach } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** Until when a client was asked to stay away, and by which exchange. */
interface Wait {
  readonly askedAtMs: number;
  readonly untilMs: number;
  readonly by: number;
}

/** So many keys and operations are remembered. */
const mostWaits = 1_000;

/** Longer waits are believed no further than this, in milliseconds. */
const longestWait = 24 * 3_600_000;

/**
 * Timers end a little early, and two clocks take the time: so much sooner, in milliseconds, is in time. A date has whole
 * seconds, and so has the clock that it is held against: there it is a second more.
 */
const slack = 100;
const second = 1_000;

/** How long a `Retry-After` asks to wait, in milliseconds: seconds, or the time until a date of the answer's clock. */
function waitOf({ answer }: SeenExchange): number | undefined {
  const header = answer.reply.headers['retry-after'];
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * 1_000, longestWait);
  const until = Date.parse(value);
  const now = Date.parse(String(answer.reply.headers.date ?? ''));
  return Number.isNaN(until) || Number.isNaN(now)
    ? undefined
    : Math.min(Math.max(0, until - now - second), longestWait);
}

/** Judges whether clients that are asked to wait do so (RFC 9110 section 10.2.3), per key and operation. */
export interface Pace {
  /** The breach of an exchange, and whether it could have been one. */
  judge(seen: SeenExchange, key: string): { readonly breaches: readonly Breach[]; readonly covers: boolean };
  readonly size: () => number;
}

/** Begins to watch. Keys are remembered as digests. */
export function createPace(): Pace {
  let last = { key: '', digest: '' };
  function digestOf(key: string): string {
    // One client sends one key, most of the time.
    if (key !== last.key) last = { key, digest: createHash('sha256').update(key).digest('base64').slice(0, 16) };
    return last.digest;
  }
  const waits = boundedMap<string, Wait>(mostWaits);
  return {
    size: () => waits.size,
    judge(seen, key) {
      const { exchange, endpoint, answer, operation } = seen;
      if (operation === undefined) return { breaches: [], covers: false };
      const name = `${endpoint} ${digestOf(key)}`;
      const wait = waits.get(name);
      const { answeredAtMs } = exchange;
      // What takes long to be sent was begun before.
      const sentAtMs = exchange.beganAtMs ?? exchange.sentAtMs;
      // What was under way when the answer came could not know of it.
      const isAfter = wait !== undefined && sentAtMs > wait.askedAtMs;
      const early = isAfter ? wait.untilMs - slack - sentAtMs : 0;
      const asked = answer.status === 429 || answer.status === 503 ? waitOf(seen) : undefined;
      if (asked !== undefined)
        waits.set(name, { askedAtMs: answeredAtMs, untilMs: answeredAtMs + asked, by: exchange.number });
      else if (isAfter && early <= 0) waits.delete(name);
      if (wait === undefined || early <= 0) return { breaches: [], covers: isAfter };
      const expected = `a wait of ${(wait.untilMs - wait.askedAtMs) / 1_000} s, as exchange ${wait.by} was answered (Retry-After; RFC 9110 section 10.2.3)`;
      const actual = `back after ${((sentAtMs - wait.askedAtMs) / 1_000).toFixed(1)} s`;
      return { breaches: [clientBreach(seen, 'client.retry-after', 'time', expected, actual)], covers: true };
    },
  };
}
