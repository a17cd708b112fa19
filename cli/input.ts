/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A mistake of the caller: a flag, a file, a name. Ends as one line on the standard error and exit code 2. */
export class UsageError extends Error {}

/** Throws a `UsageError`. */
export function refuse(message: string): never {
  throw new UsageError(message);
}

/** True if a name looks like an environment variable. A secret may begin with a dollar sign, too. */
export const isVariableName = (name: string): boolean => /^[A-Z0-9_]+$/.test(name);

/**
 * Returns the value of the environment variable that the text at `place` names. Throws a `UsageError` if it is not set.
 * A name that does not look like a variable is not shown.
 */
export function variable(name: string, place: string): string {
  const value = process.env[name] ?? '';
  if (value !== '') return value;
  refuse(
    isVariableName(name)
      ? `${place} reads the environment variable ${name}, which is not set`
      : `${place} reads an environment variable that is not set; a dollar sign is written $$`,
  );
}

/**
 * Runs a function, synchronous or not. Turns errors of these kinds (mistakes of the caller) into a `UsageError`;
 * `textOf` returns its message.
 */
export function refusing<T, E extends Error>(
  kinds: readonly (new (message: string) => E)[],
  act: () => T,
  textOf: (error: E) => string = ({ message }) => message,
): T {
  const rethrow = (error: unknown): never => {
    throw kinds.some(kind => error instanceof kind) ? new UsageError(textOf(error as E)) : error;
  };
  try {
    const done = act();
    return done instanceof Promise ? (done.catch(rethrow) as T) : done;
  } catch (error) {
    return rethrow(error);
  }
}
