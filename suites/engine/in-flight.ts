/**
 * Runs `work` over the inputs, at most `window` at a time, until all are begun or `isOver` says that no further one is to be, and tells how many were begun.
 * An error of any one stops the launching of further ones and is thrown when those under way have ended.
 */
export async function inFlight<I>(
  inputs: readonly I[],
  window: number,
  isOver: () => boolean,
  work: (input: I, index: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  let failed: { error: unknown } | null = null;
  async function lane(): Promise<void> {
    while (next < inputs.length && failed === null && !isOver()) {
      const index = next;
      next += 1;
      try {
        await work(inputs[index] as I, index);
      } catch (error) {
        failed ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(window, inputs.length) }, lane));
  // The cast: control-flow analysis does not see the assignment inside the closure.
  const failure = failed as { error: unknown } | null;
  if (failure !== null) throw failure.error;
  return next;
}
