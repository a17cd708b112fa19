import { createHash } from 'node:crypto';
import { violation } from '../../protocol/check.ts';
import { boundedMap } from '../exchange/bounded.ts';
import { nothing, type Shown } from '../exchange/breach.ts';
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
function waitOf({ answer: { status, reply } }: SeenExchange): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = [reply.headers['retry-after']].flat()[0]?.trim() ?? '';
  const isNumber = /^\d{1,9}$/.test(value);
  const sinceNow = Date.parse(value) - Date.parse(String(reply.headers.date ?? '')) - second;
  const wait = isNumber ? Number(value) * 1_000 : Math.max(0, sinceNow);
  return Number.isNaN(wait) ? undefined : Math.min(wait, longestWait);
}

/** Begins to judge whether clients that are asked to wait do so (RFC 9110 section 10.2.3), per key and operation. */
export function createPace() {
  let last = { key: '', digest: '' };
  /** Keys are remembered as digests. */
  function digestOf(key: string): string {
    // One client sends one key, most of the time.
    if (key !== last.key) last = { key, digest: createHash('sha256').update(key).digest('base64').slice(0, 16) };
    return last.digest;
  }
  const waits = boundedMap<string, Wait>(mostWaits);
  return {
    size: (): number => waits.size,
    /** Judges an exchange that was sent with a key. */
    judge(seen: SeenExchange, key: string): Shown {
      const { exchange, endpoint, answer, operation } = seen;
      if (operation === undefined) return nothing;
      const name = `${endpoint} ${digestOf(key)}`;
      const wait = waits.get(name);
      const { answeredAtMs } = exchange;
      // What takes long to be sent was begun before.
      const sentAtMs = exchange.beganAtMs ?? exchange.sentAtMs;
      // What was under way when the answer came could not know of it.
      const isAfter = wait !== undefined && sentAtMs > wait.askedAtMs;
      const early = isAfter ? wait.untilMs - slack - sentAtMs : 0;
      const asked = waitOf(seen);
      if (asked !== undefined)
        waits.set(name, { askedAtMs: answeredAtMs, untilMs: answeredAtMs + asked, by: exchange.number });
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
