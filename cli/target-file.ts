import { readFileSync } from 'node:fs';
import { type TargetFile, targetFileSchema } from '../contracts/target.ts';
import { validatorFor } from '../contracts/validation.ts';
import { UsageError } from './usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `$NAME` as a whole text reads the environment; a text that only begins with a dollar sign stands for itself when doubled: `$$`. */
function resolve(value: unknown, pointer: string, file: string, environment: Environment): unknown {
  if (typeof value === 'string') {
    if (value.startsWith('$$')) return value.slice(1);
    const name = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
    if (name === undefined) return value;
    const found = environment[name];
    if (found === undefined || found === '') {
      throw new UsageError(`${file}: ${pointer} reads the environment variable ${name}, which is not set`);
    }
    return found;
  }
  if (Array.isArray(value)) return value.map((item, index) => resolve(item, `${pointer}/${index}`, file, environment));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, resolve(member, `${pointer}/${key}`, file, environment)]),
  );
}

/** A value as it must be written for `readTargetFile` to read it back: a text that begins with a dollar sign has it doubled. */
export function written(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value;
  if (Array.isArray(value)) return value.map(written);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, written(member)]));
}

/**
 * Reads a target file: JSON, valid by its schema, `$NAME` replaced from the environment. Throws a `UsageError` that names the file, the place (a JSON Pointer)
 * and what would be right there.
 */
export function readTargetFile(file: string, environment: Environment): TargetFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `cannot read the config ${file} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  const problems = validatorFor(targetFileSchema)(value);
  const first = problems[0];
  if (first !== undefined) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    throw new UsageError(
      `${file}: ${first.pointer || 'the whole file'} ${first.message}${more}; \`console-conformance schema target-file\` prints its schema`,
    );
  }
  return resolve(value, '', file, environment) as TargetFile;
}
