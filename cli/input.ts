import { readFileSync } from 'node:fs';

/** A mistake of the caller: a flag, a file, a name. Ends as one line on the standard error and exit code 2. */
export class UsageError extends Error {}

/** Reads a file that the caller named. Throws a `UsageError`: `cannot read the config a.json (ENOENT)`. */
export function readInput(file: string, kind: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read the ${kind} ${file} (${code ?? message})`);
  }
}

/** Parses the JSON text of a file. Throws a `UsageError` that names the file. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}
