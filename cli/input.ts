/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A mistake of the caller: a flag, a file, a name. Ends as one line on the standard error and exit code 2. */
export class UsageError extends Error {}

/** Throws the error of a mistake of the caller. */
export function refuse(message: string): never {
  throw new UsageError(message);
}

/** True of a name as variables of the environment have it. A secret may begin with a dollar sign, too. */
export const isVariableName = (name: string): boolean => /^[A-Z0-9_]+$/.test(name);

/**
 * The value of a variable of the environment that the text at `place` names. Throws a `UsageError` where it is not set:
 * what is not written like a variable is not shown.
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

/** Does something, now or later. An error of one of these kinds, all mistakes of the caller, becomes a `UsageError`. */
export function refusing<T>(kinds: readonly (new (message: string) => Error)[], act: () => T): T {
  const refuse = (error: unknown): never => {
    throw kinds.some(kind => error instanceof kind) ? new UsageError((error as Error).message) : error;
  };
  try {
    const done = act();
    return done instanceof Promise ? (done.catch(refuse) as T) : done;
  } catch (error) {
    return refuse(error);
  }
}
