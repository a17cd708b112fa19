import { createHash } from 'node:crypto';
import { violation } from '../../protocol/check.ts';
import { boundedMap } from '../exchange/bounded.ts';
import { type Judged, nothing } from '../exchange/breach.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The time until which a client was asked to wait, and the exchange that asked. */
interface Wait {
  readonly askedAtMs: number;
  /** The latest time at which the client may have been asked. */
  readonly askedByMs: number;
  readonly untilMs: number;
  readonly by: number;
}

/** Maximum number of waits remembered, one per key and operation. */
const mostWaits = 1_000;

/** Longer waits are cut to this, in milliseconds. */
const longestWait = 24 * 3_600_000;

/**
 * Tolerance in milliseconds: timers end a little early, and two clocks are compared. A `Retry-After` date and the
 * `Date` header have whole seconds, so a date gets one second more.
 */
const slack = 100;
const second = 1_000;

/** Returns the wait of a `Retry-After` in milliseconds: its seconds, or its date minus the answer's `Date`. */
function waitOf({ answer: { status, reply } }: SeenExchange): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = [reply.headers['retry-after']].flat()[0]?.trim() ?? '';
  const isNumber = /^\d{1,9}$/.test(value);
  // `Date.parse` takes `12.5` for a day in December.
  const until = /\d\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  const sinceNow = until - Date.parse(String(reply.headers.date ?? '')) - second;
  const wait = isNumber ? Number(value) * 1_000 : Math.max(0, sinceNow);
  return Number.isNaN(wait) ? undefined : Math.min(wait, longestWait);
}

/** Judges whether clients wait when they are asked to (RFC 9110 section 10.2.3), per key and operation. */
export function createPace() {
  let last = { key: '', digest: '' };
  /** Returns a digest, so that no key is kept in memory. */
  function digestOf(key: string): string {
    // Cache the last digest: a client mostly sends one key.
    if (key !== last.key) last = { key, digest: createHash('sha256').update(key).digest('base64').slice(0, 16) };
    return last.digest;
  }
  const waits = boundedMap<string, Wait>(mostWaits);
  return {
    size: (): number => waits.size,
    /** Judges an exchange that was sent with a key. */
    judge(seen: SeenExchange, key: string): Judged {
      const { exchange, endpoint, answer, operation } = seen;
      if (!operation) return nothing;
      const name = `${endpoint} ${digestOf(key)}`;
      const wait = waits.get(name);
      const { answeredAtMs, coarseMs = 0 } = exchange;
      // A slow upload counts from its beginning.
      const sentAtMs = exchange.beganAtMs ?? exchange.sentAtMs;
      // A request already under way when the answer came cannot know of the wait.
      const isAfter = wait !== undefined && sentAtMs > wait.askedByMs;
      const early = isAfter ? wait.untilMs - slack - (sentAtMs + coarseMs) : 0;
      const asked = waitOf(seen);
      const times = { askedAtMs: answeredAtMs, askedByMs: answeredAtMs + coarseMs };
      if (asked !== undefined) waits.set(name, { ...times, untilMs: answeredAtMs + asked, by: exchange.number });
      else if (isAfter && early <= 0) waits.delete(name);
      if (!isAfter) return nothing;
      const { askedAtMs, untilMs, by } = wait;
      const expected = `a wait of ${(untilMs - askedAtMs) / 1_000} s, as exchange ${by} was answered (Retry-After; RFC 9110 section 10.2.3)`;
      const actual = `back after ${((sentAtMs - askedAtMs) / 1_000).toFixed(1)} s`;
      const breach = violation(answer, 'client.retry-after', 'time', expected, actual);
      return { breaches: early > 0 ? [breach] : [], covers: ['client.retry-after'] };
    },
  };
}
