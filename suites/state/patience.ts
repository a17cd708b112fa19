/**
 * Waits for what may become visible late. Read-after-write may be delayed, so what should be there is looked for again for a while before anybody
 * is accused. Once a check has waited in vain, it waits no more: its other cases have the same cause.
 */
export interface Patience {
  /** Reads until `done` holds or the patience is used up; the last reading comes back. */
  until<T>(read: () => Promise<T>, done: (reading: T) => boolean): Promise<T>;
}

const firstPause = 25;

/** Patience for one check, of `settleMs` milliseconds. */
export function createPatience(settleMs: number): Patience {
  let left = settleMs;
  return {
    async until(read, done) {
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
    },
  };
}
