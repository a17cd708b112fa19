/** Milliseconds: longer than any test or any wait between requests. A time limit of this length never expires. */
export const longest = 1_000_000_000;

/**
 * Skips waits between requests by advancing the clock instead. Time limits of `longest` stay. Returns a function that
 * restores real waits.
 */
export function skipWaits(): () => void {
  const real = { setTimeout, now: performance.now };
  let skipped = 0;
  const skipping = (act: () => void, after = 0, ...given: []): NodeJS.Timeout => {
    // Keep the timers of undici's connections, which pass an argument; waits do not.
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
