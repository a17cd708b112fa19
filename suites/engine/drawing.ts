import fc from 'fast-check';

/** Draws values of an arbitrary one after another, without end and without keeping them. */
export type Drawing = ReturnType<typeof drawingOf>;

/** Ends the search of fast-check, which has no end of its own. */
class Closed extends Error {}

/**
 * Draws the values that `fc.sample` gives with the same seed, starting at index `from`. The predicate hands each value
 * over and waits. So the cost of a value does not grow with its index, as it does in a sample from a path.
 */
export function drawingOf(arbitrary: fc.Arbitrary<unknown>, seed: number, from: number) {
  let taken = from;
  let taker: { resolve(value: unknown): void; reject(error: unknown): void } | null = null;
  let proceed: ((closed: boolean) => void) | null = null;
  let search: Promise<void> | null = null;
  const property = fc.asyncProperty(arbitrary, async value => {
    taker?.resolve(value);
    const closed = await new Promise<boolean>(resolve => {
      proceed = resolve;
    });
    if (closed) throw new Closed();
  });

  async function begin(): Promise<void> {
    try {
      const parameters = { seed, path: String(from), numRuns: Number.MAX_SAFE_INTEGER, endOnFailure: true };
      const { errorInstance } = await fc.check(property, parameters);
      taker?.reject(errorInstance);
    } catch (error) {
      taker?.reject(error);
    }
  }

  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      taker = { resolve, reject };
      if (search === null) search = begin();
      else proceed?.(false);
    });

  return {
    /** Returns the next values, each with its index, which is also the path that replays it. */
    async take(count: number) {
      const values: { value: unknown; index: number }[] = [];
      for (let drawn = 0; drawn < count; drawn += 1) {
        values.push({ value: await next(), index: taken });
        taken += 1;
      }
      return values;
    },
    /** Ends the search of fast-check. */
    async close() {
      taker = null;
      proceed?.(true);
      await search;
    },
  };
}
