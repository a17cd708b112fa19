import { longest } from './skip-waits.ts';

/** Time limits of requests that depend on what the server does, never on how fast the machine is. */
export interface HeldLimits {
  /**
   * The time limit to give to the client under test, in milliseconds. Longer than any test takes: it never runs out by
   * itself.
   */
  readonly timeoutMs: number;
  /** Says that one more request has arrived which the server will never answer. */
  hold(): void;
  /** Gives the time limits back to the clock. */
  release(): void;
}

/** Milliseconds. No other timer is as long. */
const timeoutMs = longest;

/**
 * Milliseconds for which one long answer waits for another (`suites/client/exchange.ts`): the time limit of its request
 * rests meanwhile.
 */
const turnMs = 100;

/** Lets everything that is ready happen, as often as it takes for bytes that are under way to arrive. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise<void>(resolve => setImmediate(resolve));
}

/**
 * Takes the time limits of requests away from the clock, until they are released: they run out, at once, whenever the
 * server holds all requests that are in flight. So those that hang are timeouts without any waiting, and those that are
 * answered never are, however slow. Client and server have to be in this process, and only one may do so at a time.
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
