/**
 * Reads until `done` holds or the time to settle is used up, and returns the last reading. Writes may show late, so a
 * missing value is read again before a finding is made. Each finding, as named by `findingOf`, is waited for in full
 * once. After that the wait is no longer than the longest delay that was seen to end.
 */
export type Eventually = <T>(
  read: () => Promise<T>,
  done: (reading: T) => boolean,
  findingOf?: (reading: T) => string,
) => Promise<T>;

/** The first pause between two readings, in milliseconds; each further one is twice as long. */
const firstPause = 25;

/** Number of findings of one check that are waited for in full: later ones stand beside proven ones. */
const mostInVain = 8;

/** Creates an `Eventually` for one check that waits `settleMs` milliseconds at most. */
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
