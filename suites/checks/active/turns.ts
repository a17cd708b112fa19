/** Work that may go on together, and work that must be alone. */
export interface Turns {
  /** Runs work beside other work of this kind, once nothing is or waits to be alone. */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work when all that is under way has ended, and lets nothing begin meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Turns of which none is taken. What is alone follows in the order in which it was asked for. */
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
