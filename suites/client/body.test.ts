import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { deepestAnswer, mostValues, parseBody, replyOf } from './body.ts';

const limit = 1_000_000;
const parse = (text: string | Buffer, coding?: string) => parseBody(Buffer.from(text as string), coding, limit);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each([
  ['{"a":[1,null]}', { a: [1, null] }],
  ['null', null],
  [' "é🎉" ', 'é🎉'],
])('%s is JSON', (text, value) => {
  expect(parse(text)).toEqual({ kind: 'json', value, text });
});

test('no bytes are no body', () => {
  expect(parse('')).toEqual({ kind: 'empty' });
});

test.each([
  ['blanks alone', ' ', 'Unexpected end of JSON input'],
  ['a page of HTML', '<html>', "Unexpected token '<'"],
  ['something after the end', '{}{}', 'Unexpected non-whitespace character after JSON at position 2'],
  ['a byte order mark', '\ufeff{}', "Unexpected token '\ufeff'"],
])('%s is broken, and the message quotes nothing of it', (_what, text, message) => {
  const body = parse(text);
  expect(body).toMatchObject({ kind: 'broken', text });
  expect(body).toMatchObject({ why: expect.stringContaining(`is not valid JSON: ${message}`) });
  expect((body as { why: string }).why).not.toContain(`"${text}`);
});

test.each([
  ['an echoed key', 'the-secret-key'],
  ['an echoed key in the middle', `{"a": ${'x'.repeat(5)}the-secret-key}`],
  ['an echoed key over several lines', 'a\nthe-secret-key\nb'],
])('%s does not get into the message', (_what, text) => {
  const { why } = parse(text) as { why: string };
  for (const piece of ['the-s', 'secret', 'key']) expect(why).not.toContain(piece);
});

test('what is not UTF-8 is broken, and shown as far as it can be', () => {
  expect(parse(Buffer.from([0x22, 0xff, 0x22]))).toEqual({
    kind: 'broken',
    why: 'is not valid UTF-8',
    text: '"\ufffd"',
  });
});

test('nesting is bounded, and the bound itself is fine', () => {
  expect(parse(nested(deepestAnswer)).kind).toBe('json');
  expect(parse(nested(deepestAnswer + 1))).toMatchObject({ kind: 'broken', why: expect.stringContaining('nested') });
});

test('the number of values is bounded, and the bound itself is fine', () => {
  const list = (values: number) => `[${'1,'.repeat(values - 2)}1]`;
  expect(parse(list(mostValues)).kind).toBe('json');
  expect(parse(list(mostValues + 1))).toMatchObject({ kind: 'broken', tooLarge: true, text: '' });
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  [' GZIP ', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ['identity', (text: string) => Buffer.from(text)],
  ['gzip, identity', gzipSync],
])('content coding %s is undone', (coding, pack) => {
  expect(parseBody(pack('{"a":1}'), coding, limit)).toMatchObject({ kind: 'json', value: { a: 1 } });
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a bomb in %s stops at the bound', (coding, pack) => {
  expect(parseBody(pack(' '.repeat(limit + 1)), coding, limit)).toMatchObject({ kind: 'broken', text: '' });
  expect(parseBody(pack(`${' '.repeat(limit - 2)}{}`), coding, limit).kind).toBe('json');
});

test.each([
  ['deflate', deflateSync('{}')],
  ['br', brotliCompressSync('{}')],
  ['gzip', gzipSync('{}')],
])('bytes behind what was packed as %s break it, and padding does not', (coding, packed) => {
  expect(parse(Buffer.concat([packed, Buffer.from('more')]), coding)).toMatchObject({ kind: 'broken' });
  expect(parse(Buffer.concat([packed, Buffer.alloc(7)]), coding)).toEqual({ kind: 'json', value: {}, text: '{}' });
});

test('bytes that are not in the coding they claim are broken', () => {
  expect(parse('{}', 'gzip')).toMatchObject({ kind: 'broken', why: expect.stringContaining('content-encoding gzip') });
});

test.each([['zstd'], ['gzip, zstd'], ['gzip, gzip, gzip'], [['gzip', 'zstd']]])(
  'an answer in the content coding %j cannot be judged, and is told as that',
  coding => {
    const request = { method: 'GET', path: '/', headers: {} };
    const came = { status: 200, headers: { 'content-encoding': coding }, bytes: Buffer.from('x') };
    expect(() => replyOf(request, came, limit, 0)).toThrow(/^the answer has the content coding .*, which is not read$/);
    expect(replyOf(request, { ...came, bytes: Buffer.of() }, limit, 0).body.kind).toBe('empty');
  },
);
