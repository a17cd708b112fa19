import { isObject } from '../contracts/json.ts';
import { join } from '../contracts/pointer.ts';
import { type TargetFile, targetFileSchema } from '../contracts/target.ts';
import { validatorFor } from '../contracts/validation.ts';
import { parseJson, readInput, UsageError } from './input.ts';

/** Applies a function to every text in a JSON value; `pointer` is the JSON Pointer of the text. */
function mapTexts(value: unknown, map: (text: string, pointer: string) => string, pointer = ''): unknown {
  if (typeof value === 'string') return map(value, pointer);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, map, join(pointer, index)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapTexts(member, map, join(pointer, key))]),
  );
}

/** Escapes a value for a target file: a dollar sign at the beginning of a text is doubled. */
export function escapedDollars(value: unknown): unknown {
  return mapTexts(value, text => (text.startsWith('$') ? `$${text}` : text));
}

/**
 * Reads a target file: JSON, valid by its schema. A text `$NAME` is replaced from the environment; `$$` at the
 * beginning of a text is one dollar sign. Throws a `UsageError` that names the file, the place (a JSON Pointer) and
 * what would be right there.
 */
export function readTargetFile(file: string, environment: Readonly<Record<string, string | undefined>>): TargetFile {
  const value = parseJson(file, readInput(file, 'config'));
  const problems = validatorFor(targetFileSchema)(value);
  const [first] = problems;
  if (first !== undefined) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    throw new UsageError(
      `${file}: ${first.pointer || 'the whole file'} ${first.message}${more}; \`console-conformance schema target-file\` prints its schema`,
    );
  }
  return mapTexts(value, (text, pointer) => {
    if (text.startsWith('$$')) return text.slice(1);
    const name = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1];
    if (name === undefined) return text;
    const found = environment[name];
    if (found === undefined || found === '')
      throw new UsageError(`${file}: ${pointer} reads the environment variable ${name}, which is not set`);
    return found;
  }) as TargetFile;
}
