import { constants, gunzipSync, gzipSync } from 'node:zlib';
import type { Schema } from '../../../contracts/dialect.ts';
import { membersOf, parsedJson } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import {
  type RecordingHead,
  recordedBreach,
  recordedExchange,
  recordingHead,
  recordingKind,
} from '../../../contracts/report/recording.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import type { RecordedBreach, RecordedExchange, Recording } from './recording.ts';

/** A file that is no readable recording: of another kind or version, or cut off. The message is one line. */
export class BrokenRecord extends Error {}

/**
 * Maximum size of a recording before compression, in bytes. Above it, writing shortens answers and reading fails. A run
 * of the thorough profile has some 40 MB.
 */
const recordBounds = { written: 160 * 1024 * 1024, read: 256 * 1024 * 1024 } as const;

/** Number of characters kept of an answer if there is no room for all of it. */
const shortText = 512;

/** Returns an exchange with only the beginning of its answer. */
function withoutValue({ value, ...rest }: RecordedExchange): RecordedExchange {
  return value === undefined
    ? rest
    : { ...rest, text: (JSON.stringify(value) ?? '').slice(0, shortText), isTooLong: true };
}

/** Returns the bytes of the file of a recording. Above the bound, in bytes, only the beginning of each answer is kept. */
export function encodeRecording(
  { exchanges, again, breaches, ...head }: Recording,
  bound: number = recordBounds.written,
): Buffer {
  const first: RecordingHead = {
    recording: recordingKind,
    ...head,
    only: [...head.only],
    skip: [...head.skip],
    exchanges: exchanges.length,
    breaches: breaches.length,
    ...present({ again: again?.length }),
  };
  let size = 0;
  const lineOf = (line: object): Buffer => {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    size += bytes.length;
    return bytes;
  };
  const lines = [
    lineOf(first),
    ...exchanges.map(exchange => lineOf({ exchange: size < bound ? exchange : withoutValue(exchange) })),
    ...breaches.map(breach => lineOf({ breach })),
    // Repeated requests come last, because they tell the least: their answers are shortened first.
    ...(again ?? []).map(one => lineOf({ again: size < bound ? one : withoutValue(one) })),
  ];
  return gzipSync(Buffer.concat(lines), { level: constants.Z_BEST_SPEED });
}

/** Why bytes cannot be unpacked, by error code. */
// biome-ignore format: a table
const reasons: Readonly<Record<string, string>> = {
  Z_BUF_ERROR:          'it was cut off; record the run again',
  ERR_BUFFER_TOO_LARGE: `it holds more than ${recordBounds.read / 1024 / 1024} MiB`,
};

function unpacked(name: string, bytes: Uint8Array, bound: number): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isPacked) throw new BrokenRecord(`${name} is no recording; \`conform run --record ${name}\` writes one`);
  try {
    return gunzipSync(bytes, { maxOutputLength: bound }).toString('utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new BrokenRecord(`${name} cannot be read: ${reasons[code] ?? `it is damaged (${code})`}`);
  }
}

/** Parses a line of a recording. */
function parsed(name: string, line: string, number: number): unknown {
  const value = parsedJson(line);
  if (value === undefined) throw new BrokenRecord(`${name} is no recording: line ${number} is no JSON`);
  return value;
}

/** Validates a value. Throws a `BrokenRecord` that names the line and the problem. */
function holding<T>(name: string, value: unknown, schema: Schema, number: number): T {
  const [problem] = validatorFor(schema)(value);
  if (!problem) return value as T;
  throw new BrokenRecord(
    `${name} is no recording: line ${number}, ${problem.pointer || 'the whole'} ${problem.message}`,
  );
}

/**
 * Returns the recording in the bytes of a file. Throws a `BrokenRecord` for any other file: cut off, too large, or of
 * another version or shape.
 */
export function decodeRecording(name: string, bytes: Uint8Array, bound: number = recordBounds.read): Recording {
  const lines = unpacked(name, bytes, bound).split('\n');
  if (lines.pop() !== '') throw new BrokenRecord(`${name} cannot be read: ${reasons.Z_BUF_ERROR}`);
  const first = parsed(name, lines[0] ?? '', 1);
  const { recording: kind, version } = membersOf(first);
  if (kind !== recordingKind) throw new BrokenRecord(`${name} is no recording; \`conform run --record\` writes one`);
  if (version !== 1)
    throw new BrokenRecord(
      `${name} is a recording of another version (${JSON.stringify(version)}); record the run again`,
    );
  const {
    exchanges: most,
    breaches: mostBreaches,
    again: mostAgain,
    recording: _,
    ...head
  } = holding<RecordingHead>(name, first, recordingHead, 1);
  const exchanges: RecordedExchange[] = [];
  const breaches: RecordedBreach[] = [];
  const again: RecordedExchange[] = [];
  for (const [index, line] of lines.slice(1).entries()) {
    const { exchange, breach, again: repeated } = membersOf(parsed(name, line, index + 2));
    if (repeated !== undefined) again.push(holding(name, repeated, recordedExchange, index + 2));
    else if (exchange === undefined) breaches.push(holding(name, breach, recordedBreach, index + 2));
    else exchanges.push(holding(name, exchange, recordedExchange, index + 2));
  }
  if (exchanges.length !== most || breaches.length !== mostBreaches || again.length !== (mostAgain ?? 0))
    throw new BrokenRecord(
      `${name} cannot be read: it holds ${exchanges.length} of ${most} exchanges; record the run again`,
    );
  return present({ ...head, exchanges, again: mostAgain === undefined ? undefined : again, breaches });
}
