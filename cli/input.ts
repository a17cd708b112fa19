import { parserMessage } from '../contracts/json.ts';

/** A mistake of the caller: a flag, a file, a name. Ends as one line on the standard error and exit code 2. */
export class UsageError extends Error {}

/** Parses the JSON text of a file. Throws a `UsageError` that names the file. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${parserMessage(error)}`);
  }
}

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
