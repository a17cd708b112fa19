/**
 * Reads until `done` holds or the time to settle is used up, and returns the last reading. Read-after-write may be
 * delayed, so what should be there is looked for again for a while before a finding is made. After one wait in vain it
 * waits no more: the other cases of the check have the same cause.
 */
export type Eventually = <T>(read: () => Promise<T>, done: (reading: T) => boolean) => Promise<T>;

/** The first pause between two readings, in milliseconds; each further one is twice as long. */
const firstPause = 25;

/** An `Eventually` for one check, that waits `settleMs` milliseconds at most. */
export function createEventually(settleMs: number): Eventually {
  let left = settleMs;
  return async (read, done) => {
    let reading = await read();
    let waited = 0;
    for (let pause = firstPause; !done(reading) && waited < left; pause *= 2) {
      const rest = Math.min(pause, left - waited);
      await new Promise(resolve => setTimeout(resolve, rest));
      waited += rest;
      reading = await read();
    }
    if (!done(reading)) left = 0;
    return reading;
  };
}
