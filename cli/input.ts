/** A mistake of the caller: a flag, a file, a name. Ends as one line on the standard error and exit code 2. */
export class UsageError extends Error {}

/** Does something. An error of one of these kinds, all mistakes of the caller, becomes a `UsageError`. */
export async function refusing<T>(
  kinds: readonly (new (message: string) => Error)[],
  act: () => T | Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw kinds.some(kind => error instanceof kind) ? new UsageError((error as Error).message) : error;
  }
}
