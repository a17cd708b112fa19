import { constants, gunzipSync, gzipSync } from 'node:zlib';
import type { Schema } from '../../../contracts/dialect.ts';
import { membersOf } from '../../../contracts/json.ts';
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

/** A recording that cannot be read: no recording, cut off, or of another version. The message is one line. */
export class BrokenRecord extends Error {}

/**
 * The most that a recording holds, in bytes before it is compressed: what is kept of answers by whoever writes, and what
 * is taken in by whoever reads. A run of the thorough profile has some 40 MB.
 */
const recordBounds = { written: 160 * 1024 * 1024, read: 256 * 1024 * 1024 } as const;

/** So many characters of an answer are kept where the whole of it has no room. */
const shortText = 512;

/** An exchange without the value of its answer, of which the beginning is kept. */
function withoutValue({ value, ...rest }: RecordedExchange): RecordedExchange {
  return value === undefined
    ? rest
    : { ...rest, text: (JSON.stringify(value) ?? '').slice(0, shortText), isTooLong: true };
}

/** Returns a recording as the bytes of its file. Answers for which there is no room any more keep their beginning. */
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
  const lineOf = (line: object): string => {
    const text = `${JSON.stringify(line)}\n`;
    size += text.length;
    return text;
  };
  const lines = [
    lineOf(first),
    ...exchanges.map(exchange => lineOf({ exchange: size < bound ? exchange : withoutValue(exchange) })),
    ...breaches.map(breach => lineOf({ breach })),
    // What is sent again tells least: where there is no room any more, its answers are left out first.
    ...(again ?? []).map(one => lineOf({ again: size < bound ? one : withoutValue(one) })),
  ];
  return gzipSync(Buffer.concat(lines.map(line => Buffer.from(line))), { level: constants.Z_BEST_SPEED });
}

/** Why bytes cannot be unpacked, by the code of the error. */
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

/** Parses a line of a recording, of which there is one at this place. */
function parsed(name: string, line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new BrokenRecord(`${name} is no recording: line ${number} is no JSON`);
  }
}

/** Holds a value against its schema. Throws a `BrokenRecord` that names the line and what is wrong with it. */
function holding<T>(name: string, value: unknown, schema: Schema, number: number): T {
  const [problem] = validatorFor(schema)(value);
  if (problem === undefined) return value as T;
  throw new BrokenRecord(
    `${name} is no recording: line ${number}, ${problem.pointer || 'the whole'} ${problem.message}`,
  );
}

/**
 * Returns the recording that the bytes of a file hold. Throws a `BrokenRecord` of one line for anything else: no
 * recording, cut off, of another version, of another shape, too large.
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
