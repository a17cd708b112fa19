/**
 * Runs `work` over the inputs in order, at most `window` at a time, until all have begun or `isOver` returns true.
 * Returns how many began. After an error nothing further begins; the error is thrown when running work has ended.
 */
export async function inFlight<I>(
  inputs: readonly I[],
  window: number,
  isOver: () => boolean,
  work: (input: I, index: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  const errors: unknown[] = [];
  async function worker(): Promise<void> {
    while (next < inputs.length && errors.length === 0 && !isOver()) {
      const index = next;
      next += 1;
      try {
        await work(inputs[index] as I, index);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(window, inputs.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return next;
}

/** Resolves when all work has ended, or rejects then with the first error: none goes on meanwhile. */
export async function allEnded<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
