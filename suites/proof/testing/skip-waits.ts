/** Milliseconds: longer than any test takes, and than any wait between requests. A time limit of so long is none. */
export const longest = 1_000_000_000;

/**
 * Lets every wait between requests pass at once: the clock is put forward instead. Time limits of `longest` stay. The
 * function that comes back gives the waits back to the clock.
 */
export function skipWaits(): () => void {
  const real = { setTimeout, now: performance.now };
  let skipped = 0;
  const skipping = (act: () => void, after = 0, ...given: []): NodeJS.Timeout => {
    // The connections of undici give their timers something to act on; waits do not.
    if (after >= longest || given.length > 0) return real.setTimeout(act, after, ...given);
    skipped += after;
    return real.setTimeout(act, 0);
  };
  Object.assign(globalThis, { setTimeout: skipping });
  Object.assign(performance, { now: () => real.now.call(performance) + skipped });
  return () => {
    Object.assign(globalThis, { setTimeout: real.setTimeout });
    Object.assign(performance, { now: real.now });
  };
}
