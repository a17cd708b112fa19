import { constants } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { faultPlace } from '../contracts/json-fault.ts';
import { deepestAnswer } from '../suites/client/body.ts';
import { passedBound } from '../suites/protocol/text-bounds.ts';
import { refuse } from './input.ts';

/** Maximum size of a file in bytes: the longest possible string. */
const most = constants.MAX_STRING_LENGTH;

/** Minimum number of bytes requested by a read. */
const chunk = 65_536;

class TooLong extends Error {}

/** Returns all bytes of an open file. The length of a pipe or a device is not known beforehand. */
function allBytes(handle: number): Buffer {
  const { size } = fstatSync(handle);
  if (size > most) throw new TooLong();
  const parts: Buffer[] = [];
  for (let total = 0; total <= most; ) {
    const part = Buffer.allocUnsafe(Math.max(size - total + 1, chunk));
    const count = readSync(handle, part);
    if (count === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, count));
    total += count;
  }
  throw new TooLong();
}

/** The handle of the standard input, which has no path on some systems. */
export const standardInput = 0;

/**
 * Reads a file that the caller named, or the standard input. Throws a `UsageError`: `cannot read the config a.json (ENOENT)`.
 */
export function readBytes(file: string | typeof standardInput, kind: string): Buffer {
  const name = file === standardInput ? 'of the standard input' : file;
  try {
    if (file === standardInput) return allBytes(file);
    const handle = openSync(file, 'r');
    try {
      return allBytes(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof TooLong)
      refuse(`cannot read the ${kind} ${name}: it has more than ${most} bytes, and no text can have more`);
    const { code, message } = error as NodeJS.ErrnoException;
    refuse(`cannot read the ${kind} ${name} (${code ?? message})`);
  }
}

/** Returns the text of a file. Editors on Windows write a byte order mark. */
export const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\uFEFF/, '');

/** Reads the text of a file that the caller named. Throws as `readBytes` does. */
export const readInput = (file: string | typeof standardInput, kind: string): string => textOf(readBytes(file, kind));

/** Refuses JSON that nests deeper than a target's answer may, because recursive functions would overflow the stack. */
export function refuseDeep(name: string, text: string): void {
  if (passedBound(text, { depth: deepestAnswer, values: Number.POSITIVE_INFINITY }))
    refuse(`${name} nests deeper than ${deepestAnswer} levels`);
}

/** Refuses values of a file that nest as deeply. */
export function refuseDeepValues(name: string, values: readonly unknown[]): void {
  let level = values;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestAnswer) refuse(`${name} nests deeper than ${deepestAnswer} levels`);
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

/** Reads the text of a file of JSON, or of JSON lines. Throws as `readInput` does, and for JSON nested too deep. */
export function readJsonText(file: string, kind: string): string {
  const text = readInput(file, kind);
  refuseDeep(file, text);
  return text;
}

/**
 * Parses the JSON text of a file. Throws a `UsageError` that names the file and the place. It quotes nothing, because
 * the file may hold a key.
 */
export function parseJson(file: string, text: string): unknown {
  refuseDeep(file, text);
  try {
    return JSON.parse(text);
  } catch {
    refuse(`${file} is not valid JSON: ${faultPlace(text)}`);
  }
}

/** Reads a file of JSON. Throws as `readInput` and `parseJson` do. */
export const readJson = (file: string, kind: string): unknown => parseJson(file, readInput(file, kind));
