import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpointIds } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import { BrokenRecord, decodeRecording, encodeRecording } from './record-file.ts';
import type { RecordedBreach, RecordedExchange, Recording } from './recording.ts';

const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const text = fc.string({ unit: 'binary', maxLength: 20 });
const exchange: fc.Arbitrary<RecordedExchange> = fc.record(
  {
    id: text,
    endpoint: fc.constantFrom(...endpointIds),
    request: fc.record(
      {
        method: fc.constantFrom('GET', 'PATCH'),
        path: text,
        param: text,
        query: fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(text, fc.integer())),
        body: value,
        raw: text,
        key: fc.constantFrom('valid', 'none', 'other'),
        asks: text,
        own: fc.boolean(),
      },
      { requiredKeys: ['method', 'path', 'key', 'own'] },
    ),
    status: fc.integer({ min: 0, max: 599 }),
    failure: text,
    mediaType: text,
    value,
    text,
    begunMs: fc.nat(),
    answeredMs: fc.nat(),
  },
  { requiredKeys: ['id', 'endpoint', 'request', 'status'] },
) as fc.Arbitrary<RecordedExchange>;
const breach: fc.Arbitrary<RecordedBreach> = fc.record({
  id: text,
  requirement: text,
  level: fc.constantFrom('MUST', 'SHOULD'),
  pointer: text,
  expected: text,
  actual: text,
});
const names = fc.dictionary(fc.string({ minLength: 1 }), text);
const recordings: fc.Arbitrary<Recording> = fc.record(
  {
    version: fc.constant(1 as const),
    tool: text,
    baseUrl: text,
    seed: fc.integer(),
    profile: fc.constantFrom('quick', 'standard', 'thorough'),
    readOnly: fc.boolean(),
    only: fc.array(text),
    skip: fc.array(text),
    token: text,
    outcome: text,
    because: text,
    requests: fc.nat(),
    titles: names,
    pointers: names,
    exchanges: fc.array(exchange, { maxLength: 6 }),
    again: fc.array(exchange, { maxLength: 3 }),
    breaches: fc.array(breach, { maxLength: 4 }),
    untested: names,
  },
  {
    requiredKeys: [
      'version',
      'tool',
      'baseUrl',
      'seed',
      'profile',
      'readOnly',
      'only',
      'skip',
      'token',
      'outcome',
      'requests',
      'titles',
      'pointers',
      'exchanges',
      'breaches',
      'untested',
    ],
  },
) as fc.Arbitrary<Recording>;

/** Returns a value after a round trip through JSON, which loses only the sign of zero. */
const asJson = (recording: Recording): unknown => JSON.parse(JSON.stringify(recording));

const [example] = fc.sample(
  recordings.filter(one => one.exchanges.length > 2 && one.breaches.length > 1),
  { seed: 7, numRuns: 1 },
) as [Recording];
const lines = gunzipSync(encodeRecording(example)).toString('utf8').trimEnd().split('\n');
const packed = (text: string): Buffer => gzipSync(Buffer.from(text));
const without = (name: string): string =>
  [JSON.stringify({ ...JSON.parse(lines[0] ?? ''), [name]: undefined }), ...lines.slice(1)]
    .map(line => `${line}\n`)
    .join('');

describe('a recording', () => {
  test('comes back as it was written', () => {
    fc.assert(
      fc.property(recordings, recording => {
        expect(decodeRecording('a.rec', encodeRecording(recording))).toEqual(asJson(recording));
      }),
      { numRuns: 60 },
    );
  });

  test('is the same file for the same run', () => {
    expect(encodeRecording(example).equals(encodeRecording(example))).toBe(true);
  });

  test('that was cut off anywhere is refused in one line', () => {
    const whole = encodeRecording(example);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), length => {
        expect(() => decodeRecording('a.rec', whole.subarray(0, length))).toThrow(BrokenRecord);
        expect(() => decodeRecording('a.rec', whole.subarray(0, length))).toThrow(/^a\.rec [^\n]*$/);
      }),
      { numRuns: 60 },
    );
  });

  test('that lacks lines, or whose last line was cut off, is refused', () => {
    const all = lines.map(line => `${line}\n`);
    for (let left = 0; left < all.length; left += 1)
      expect(() => decodeRecording('a.rec', packed(all.slice(0, left).join('')))).toThrow(BrokenRecord);
    expect(() => decodeRecording('a.rec', packed(all.join('').trimEnd()))).toThrow(/cut off/);
  });

  test('of which some byte is another one is read as it was, or refused', () => {
    const whole = encodeRecording(example);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        try {
          expect(decodeRecording('a.rec', bytes)).toEqual(asJson(example));
        } catch (error) {
          expect(error).toBeInstanceOf(BrokenRecord);
        }
      }),
      { numRuns: 60 },
    );
  });

  // biome-ignore format: a table
  test.each<[what: string, bytes: Uint8Array, says: RegExp]>([
    ['nothing',                   Buffer.from(''),                                   /^a\.rec is no recording; `conform run --record a\.rec` writes one$/],
    ['a journal',                 Buffer.from(lines.join('\n')),                     /is no recording/],
    ['another gzip file',         packed('hello\n'),                                 /line 1 is no JSON/],
    ['another gzip file of JSON', packed('{"version":1}\n'),                         /is no recording/],
    ['an empty gzip file',        packed(''),                                        /line 1 is no JSON|cut off/],
    ['another version',           packed(`${lines[0]?.replace('"version":1', '"version":2')}\n`), /of another version \(2\)/],
    ['a head without its seed',   packed(without('seed')),                           /line 1, \/seed is required/],
    ['an exchange of no shape',   packed(`${lines[0]}\n{"exchange":{"id":1}}\n`),    /line 2/],
    ['a line that is neither',    packed(`${lines[0]}\n{"more":1}\n`),               /line 2/],
    ['a line that is no object',  packed(`${lines[0]}\n[]\n`),                       /line 2/],
  ])('is not %s, and says so in one line', (_, bytes, says) => {
    expect(() => decodeRecording('a.rec', bytes)).toThrow(BrokenRecord);
    expect(() => decodeRecording('a.rec', bytes)).toThrow(says);
  });

  test('that would fill the memory is refused before it does', () => {
    const bomb = packed('a'.repeat(4_000_000));
    expect(bomb.length).toBeLessThan(10_000);
    expect(() => decodeRecording('a.rec', bomb, 1_000_000)).toThrow(/^a\.rec cannot be read: it holds more than/);
  });

  test('counts bytes, not characters, where there is no room for all of them', () => {
    const isWhole = (letter: string) => {
      const [one] = example.exchanges as [RecordedExchange];
      const wide = { ...example, exchanges: [one, one].map(each => ({ ...each, value: letter.repeat(5_000) })) };
      return decodeRecording('a.rec', encodeRecording(wide, 12_000)).exchanges.map(each => each.value !== undefined);
    };
    expect([isWhole('x'), isWhole('東')]).toEqual([
      [true, true],
      [true, false],
    ]);
  });

  test('keeps the beginning of answers where there is no room for all of them', () => {
    const large = { ...example, exchanges: example.exchanges.map(one => ({ ...one, value: 'x'.repeat(5_000) })) };
    const read = decodeRecording('a.rec', encodeRecording(large, 6_000));
    expect(read.exchanges.map(one => one.value !== undefined)).toEqual([
      true,
      ...large.exchanges.slice(1).map((_, index) => index < 0),
    ]);
    expect(read.exchanges.at(-1)?.text).toBe(`"${'x'.repeat(511)}`);
  });
});
