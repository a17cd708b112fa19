/**
 * Reads until `done` holds or the time to settle is used up, and returns the last reading. Read-after-write may be
 * delayed, so what should be there is looked for again for a while before a finding is made. Each finding is waited for
 * in full once: `findingOf` says which one a reading would be. After that, the same is waited for no longer than the
 * longest delay that was seen to end.
 */
export type Eventually = <T>(
  read: () => Promise<T>,
  done: (reading: T) => boolean,
  findingOf?: (reading: T) => string,
) => Promise<T>;

/** The first pause between two readings, in milliseconds; each further one is twice as long. */
const firstPause = 25;

/** So many findings of one check are waited for in full: what comes after them stands beside proven ones. */
const mostInVain = 8;

/** An `Eventually` for one check, that waits `settleMs` milliseconds at most. */
export function createEventually(settleMs: number): Eventually {
  const inVain = new Set<string>();
  let delaySeen = 0;
  return async (read, done, findingOf = () => '') => {
    let reading = await read();
    let waited = 0;
    for (let pause = firstPause; !done(reading); pause *= 2) {
      const isKnown = inVain.size >= mostInVain || inVain.has(findingOf(reading));
      const rest = Math.min(pause, (isKnown ? delaySeen : settleMs) - waited);
      if (rest <= 0) break;
      await new Promise(resolve => setTimeout(resolve, rest));
      waited += rest;
      reading = await read();
    }
    if (done(reading)) delaySeen = Math.max(delaySeen, waited);
    else inVain.add(findingOf(reading));
    return reading;
  };
}
