/** Runs pieces of work one after another, whatever became of the one before. */
export const inTurn = (): (<T>(work: () => T | Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
};

/**
 * Runs one piece of work at a time, and shares each among all who asked before it began: what they are given is never
 * older than their question.
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
