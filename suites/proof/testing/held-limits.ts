import { longest } from './skip-waits.ts';

/** Time limits that depend on the server, never on the speed of the machine. */
export interface HeldLimits {
  /**
   * The time limit for the client under test, in milliseconds. It is longer than any test and never expires by itself.
   */
  readonly timeoutMs: number;
  /** Reports that a request has arrived that the server will never answer. */
  hold(): void;
  /** Returns the time limits to the real clock. */
  release(): void;
}

/** Milliseconds. Identifies these timers, because no other is as long. */
const timeoutMs = longest;

/**
 * Milliseconds that one long answer waits for another (`suites/client/exchange.ts`). The time limit of its request is
 * paused meanwhile.
 */
const turnMs = 100;

/** Runs the event loop long enough for sent bytes to arrive. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
}

/**
 * Replaces the clock of request time limits until released. All limits expire at once as soon as the server holds every
 * request in flight. So requests that hang time out without waiting, and answered ones never do, however slow. Client
 * and server must be in this process, and only one use is possible at a time.
 */
export function heldLimits(): HeldLimits {
  const limits = new Map<NodeJS.Timeout, () => void>();
  const resting = new Set<NodeJS.Timeout>();
  let held = 0;
  const real = { setTimeout, clearTimeout };

  const areAllHeld = (): boolean => limits.size > 0 && limits.size + resting.size === held;
  async function look(): Promise<void> {
    if (!areAllHeld()) return;
    await turns();
    if (!areAllHeld()) return;
    const expired = [...limits];
    limits.clear();
    held -= expired.length;
    for (const [timer, expire] of expired) {
      real.clearTimeout(timer);
      expire();
    }
  }

  const watched = (act: () => void, after = 0, ...given: []): NodeJS.Timeout => {
    if (after !== turnMs && after !== timeoutMs) return real.setTimeout(act, after, ...given);
    const acting = (): void => {
      resting.delete(timer);
      act();
    };
    const timer = real.setTimeout(acting, after);
    if (after === turnMs) resting.add(timer);
    else limits.set(timer, act);
    void look();
    return timer;
  };
  const clearing = (timer: NodeJS.Timeout): void => {
    real.clearTimeout(timer);
    if (limits.delete(timer) || resting.delete(timer)) void look();
  };
  Object.assign(globalThis, { setTimeout: watched, clearTimeout: clearing });
  return {
    timeoutMs,
    hold() {
      held += 1;
      void look();
    },
    release() {
      Object.assign(globalThis, real);
      for (const timer of limits.keys()) clearTimeout(timer);
    },
  };
}
