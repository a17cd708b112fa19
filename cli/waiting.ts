import { timeText } from '../reports/text/page.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { pause } from '../suites/client/deferral.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { whyNotReady } from '../suites/sut/probe-client.ts';
import type { DoctorFlags } from './definitions/target.ts';
import { tell } from './writer.ts';

/** Milliseconds between two looks. */
const interval = 500;

/**
 * Waits, for as long as `--wait` says, for a target that is starting, and says so on the standard error. Returns when
 * it answers, when the time is up or the signal is aborted: what then follows says what is the matter.
 *
 * @param wait absent: not at all
 * @param timeout longest wait for one answer
 */
export async function waitForTarget(
  target: Target,
  { wait, timeout }: Pick<DoctorFlags, 'wait' | 'timeout'>,
  signal?: AbortSignal,
): Promise<void> {
  if (wait === undefined) return;
  const isAborted = (): boolean => signal?.aborted === true;
  const until = performance.now() + wait;
  const aborted = new Promise<null>(resolve => signal?.addEventListener('abort', () => resolve(null), { once: true }));
  for (let looks = 0; ; looks += 1) {
    const left = until - performance.now();
    if (left <= 0 || isAborted()) return;
    const why = await Promise.race([whyNotReady(target, Math.min(timeout, left)), aborted]);
    if (why === null) {
      if (looks > 0 && !isAborted()) tell(`${target.baseUrl.href} answers.\n`);
      return;
    }
    if (looks === 0) {
      const what = `${target.baseUrl.href} (${safeText(why, 200)})`;
      tell(`Waiting up to ${timeText(wait)} for ${what}. Ctrl-C ends it.\n`);
    }
    await pause(Math.min(interval, Math.max(until - performance.now(), 0)), signal);
  }
}
