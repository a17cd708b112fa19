/** Returns a function that runs work sequentially, even after failures. */
export const inTurn = (): (<T>(work: () => T | Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
};

/**
 * Returns a function that runs the work sequentially, and shares each run among all callers that came before it began.
 * So no result is older than its call.
 */
export const sharedTurn = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  const queued = inTurn();
  let next: Promise<T> | undefined;
  return () => {
    next ??= queued(() => {
      next = undefined;
      return work();
    });
    return next;
  };
};
