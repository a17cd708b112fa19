/** Coordinates work that may run concurrently with work that must run alone. */
export interface Turns {
  /** Runs work concurrently, once no exclusive work runs or waits. */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work once everything under way has ended, and lets nothing start meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes a fresh coordinator. Exclusive work runs in the order in which it was asked for. */
export function createTurns(): Turns {
  const underWay = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    async together(work) {
      for (let before: Promise<unknown> | undefined; before !== last; ) {
        before = last;
        await before;
      }
      const mine = work();
      underWay.add(mine);
      try {
        return await mine;
      } finally {
        underWay.delete(mine);
      }
    },
    alone(work) {
      const before = last;
      const mine = before.then(() => Promise.allSettled(underWay)).then(work);
      last = mine.catch(() => {});
      return mine;
    },
  };
}
