import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const key = `Zq7/kN+it's "a" <key>=&`;
const secrets = createSecrets();
secrets.add(key, '«the key»');
secrets.add(key.slice(0, -1), '«the key but for its last character»');
secrets.add(`${key}x`, '«the key and one character more»');

describe('every form in which a target may echo a secret is taken out', () => {
  test.each([
    ['as it is', key],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded in small letters', encodeURIComponent(key).replace(/%../g, code => code.toLowerCase())],
    ['as form data', new URLSearchParams({ key }).toString().slice('key='.length)],
    ['in a JSON text', JSON.stringify({ key })],
    [
      'in JSON fit for HTML',
      JSON.stringify({ key }).replace(/[<>&']/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`),
    ],
    ['in JSON with escaped slashes', JSON.stringify({ key }).replaceAll('/', '\\/')],
    ['in a JSON text within a JSON text', JSON.stringify(JSON.stringify({ key }))],
    ['in HTML', 'Zq7/kN+it&#39;s &quot;a&quot; &lt;key&gt;=&amp;'],
    ['in HTML that leaves apostrophes alone', "Zq7/kN+it's &quot;a&quot; &lt;key&gt;=&amp;"],
    ['in Base64', Buffer.from(key).toString('base64')],
    ['in Base64 without padding', Buffer.from(key).toString('base64').replace(/=+$/, '')],
    ['in Base64 for URLs', Buffer.from(key).toString('base64url')],
  ])('%s', (_form, written) => {
    const redacted = secrets.redact(`before ${written} after ${written}`);
    expect(redacted).toMatch(/^before .*«the key».* after .*«the key».*$/);
    expect(redacted).not.toContain('Zq7');
    expect(redacted).not.toContain('kN');
  });
});

test('a near miss has a label of its own, and leaves nothing of the key behind', () => {
  expect(secrets.redact(`a ${key}x b`)).toBe('a «the key and one character more» b');
  expect(secrets.redact(`a ${key.slice(0, -1)} b`)).toBe('a «the key but for its last character» b');
});

test('the order in which secrets are added does not matter', () => {
  const other = createSecrets();
  other.add('abcdefgh', '«half»');
  other.add('abcdefghijklmnop', '«whole»');
  expect(other.redact('abcdefghijklmnop abcdefgh')).toBe('«whole» «half»');
});

test('texts without a secret pass untouched', () => {
  expect(secrets.redact('Zq7/kN+it')).toBe('Zq7/kN+it');
});

describe('a short secret', () => {
  const short = createSecrets();
  short.add('', '«nothing»');
  short.add('k', '«the key»');
  short.add('$a.b', '«the other»');

  test.each([
    ['a whole text', 'k', '«the key»'],
    ['a text of JSON', '{"key":"k","name":"new_checkout"}', '{"key":"«the key»","name":"new_checkout"}'],
    ['a value of a query', '/x?page=1&api_key=k&limit=k', '/x?page=1&api_key=«the key»&limit=«the key»'],
    ['credentials behind a scheme', 'Bearer k', 'Bearer «the key»'],
    ['a cookie', 'theme=dark; key=k; x=1', 'theme=dark; key=«the key»; x=1'],
    ['signs that expressions use', '"$a.b" "$aXb"', '"«the other»" "$aXb"'],
  ])('is taken out where it is %s', (_where, text, redacted) => {
    expect(short.redact(text)).toBe(redacted);
  });

  test.each(['new_checkout', 'a k b', 'status 402: Pick another', '/gates/k/disable', 'kk', ''])(
    'is nobody within %j',
    text => {
      expect(short.redact(text)).toBe(text);
    },
  );

  test('is taken out everywhere where it is said to be long', () => {
    const secrets = createSecrets();
    secrets.add('abcdefg', '«all but the last»', 'text');
    expect(secrets.redact('no key like abcdefg!')).toBe('no key like «all but the last»!');
  });
});

describe('a short value of a header', () => {
  const short = createSecrets();
  short.add('en', '«the header»', 'field');

  test.each([
    ['the whole value of a header', 'en', '«the header»'],
    ['credentials behind a scheme', 'Token en', 'Token «the header»'],
    ['a cookie', 'theme=dark; lang=en; x=1', 'theme=dark; lang=«the header»; x=1'],
    ['a value of a form', 'a=1&lang=en&b=en', 'a=1&lang=«the header»&b=«the header»'],
    ['a line of a head', 'Host: x\r\nLang: en\r\n', 'Host: x\r\nLang: «the header»\r\n'],
  ])('is taken out where it is %s', (_where, text, redacted) => {
    expect(short.redact(text)).toBe(redacted);
  });

  test.each(['{"lang":"en"}', 'an entity', 'the en of it', '/x?lang=end', 'en-GB', "it's 'en' here"])(
    'is nobody within %j',
    text => {
      expect(short.redact(text)).toBe(text);
    },
  );
});

test('a cut within an escape leaves nothing of what stands before it', () => {
  const secrets = createSecrets();
  secrets.add('Zq7/kN+it-9f', '«the key»');
  const ways = [
    byByte('Zq7/kN+it-9f', byte => `%${hex(byte)}`),
    byByte('Zq7/kN+it-9f', byte => `\\u${hex(byte, 4)}`),
    byByte('Zq7/kN+it-9f', byte => `&#${byte};`),
  ];
  for (const way of ways)
    for (let at = Math.floor(way.length / 2) + 6; at < way.length; at += 1) {
      expect(secrets.redact(`a ${way.slice(0, at)}… b`)).toMatch(/^a «the key»\\?… b$/);
      expect(secrets.redactCut(`a ${way.slice(0, at)}`)).toBe('a «the key»');
    }
});

test('hides the beginning of a secret that a cut left over', () => {
  const secrets = createSecrets();
  secrets.add('abcdefghij', '«the API key»');
  expect(secrets.redact('a text of 200 characters ("key abcdefg"…)')).toBe(
    'a text of 200 characters ("key «the API key»"…)',
  );
  expect(secrets.redact('{"a":"abcde… (900 characters of JSON)')).toBe('{"a":"«the API key»… (900 characters of JSON)');
  expect(secrets.redact('abcdefg, whole, is no key…')).toBe('abcdefg, whole, is no key…');
});

const mark = '«the API key»';
const bytesOf = (text: string): readonly number[] => [...Buffer.from(text)];
const byByte = (text: string, write: (byte: number) => string): string => bytesOf(text).map(write).join('');
const hex = (byte: number, width = 2): string => byte.toString(16).padStart(width, '0');
const turned = (text: string, at: number): string =>
  [...text].map((sign, index) => ((at >> (index % 30)) & 1 ? sign.toUpperCase() : sign.toLowerCase())).join('');

/** Spellings of a key; from the exact ones only the mark remains. */
// biome-ignore format: a table
const written: readonly { readonly name: string; readonly write: (key: string, at: number) => string; readonly isExact?: false }[] = [
  { name: 'raw',                         write: key => key },
  { name: 'upper case',                  write: key => key.toUpperCase() },
  { name: 'any letter case',             write: turned },
  { name: 'percent-encoded',             write: encodeURIComponent },
  { name: 'percent-encoded wholly',      write: key => byByte(key, byte => `%${hex(byte)}`) },
  { name: 'percent-encoded here and there', write: (key, at) => [...key].map((sign, index) => ((at >> index % 30) & 1 ? `%${hex(sign.charCodeAt(0)).toUpperCase()}` : encodeURIComponent(sign))).join('') },
  { name: 'percent-encoded twice',       write: key => encodeURIComponent(byByte(key, byte => `%${hex(byte)}`)) },
  { name: 'percent-encoded three times', write: key => encodeURIComponent(encodeURIComponent(encodeURIComponent(key))) },
  { name: 'a form',                      write: key => new URLSearchParams([['', key]]).toString().slice(1) },
  { name: 'JSON',                        write: key => JSON.stringify(key).slice(1, -1) },
  { name: 'JSON escapes',                write: key => byByte(key, byte => `\\u${hex(byte, 4)}`) },
  { name: 'JSON within JSON',            write: key => JSON.stringify(JSON.stringify(byByte(key, byte => `\\u${hex(byte, 4)}`))).slice(3, -3) },
  { name: 'JSON in a query',             write: key => encodeURIComponent(JSON.stringify(key).slice(1, -1)) },
  { name: 'a program',                   write: key => byByte(key, byte => `\\x${hex(byte)}`) },
  { name: 'HTML',                        write: key => key.replace(/[&<>"']/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&#39;') },
  { name: 'HTML by numbers',             write: key => byByte(key, byte => `&#${byte};`) },
  { name: 'HTML by hexadecimal numbers', write: key => byByte(key, byte => `&#x${hex(byte, 4)};`) },
  { name: 'hexadecimal',                 write: key => Buffer.from(key).toString('hex') },
  { name: 'hexadecimal in capitals',     write: key => Buffer.from(key).toString('hex').toUpperCase() },
  { name: 'reversed',                    write: key => [...key].reverse().join('') },
  { name: 'Base64',                      write: key => Buffer.from(key).toString('base64') },
  { name: 'Base64 for URLs',             write: key => Buffer.from(key).toString('base64url') },
  { name: 'Base64 in a query',           write: key => encodeURIComponent(Buffer.from(key).toString('base64')) },
  { name: 'Base64 behind one byte',      write: key => Buffer.from(`x${key}`).toString('base64'),                     isExact: false },
  { name: 'Base64 behind two bytes',     write: key => Buffer.from(`xy${key}!`).toString('base64'),                   isExact: false },
  { name: 'Base64 of a user and the key', write: key => Buffer.from(`somebody:${key}`).toString('base64'),            isExact: false },
  { name: 'Base64 of JSON with the key', write: key => Buffer.from(JSON.stringify({ a: key })).toString('base64url'), isExact: false },
];

const anyKey = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_'), minLength: 8, maxLength: 60 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }).filter(text => text.trim() === text),
  fc.uuid(),
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 64 })
    .map(text => `sk_live_${text}`),
);

test.each(written)('any key is found as $name', ({ write, isExact = true }) => {
  fc.assert(
    fc.property(anyKey, fc.nat(), (key, at) => {
      const secrets = createSecrets();
      secrets.add(key, mark);
      const text = write(key, at);
      const shown = secrets.redact(`{"before ${text} after"}`);
      if (isExact) expect(shown).toBe(`{"before ${mark} after"}`);
      else {
        expect(shown).toContain(mark);
        // Beside the mark only the surroundings of the key remain, and at most a character that shares bits with it.
        const rest = shown.split(mark).join('');
        expect(rest.length).toBeLessThan('{"before  after"}'.length + text.length - key.length);
      }
    }),
    { seed: 24, numRuns: 40 },
  );
});

test('a text in which no spelling of a secret stands is the same as before', () => {
  const secrets = createSecrets();
  for (let index = 0; index < 200; index += 1) secrets.add(`key-of-a-client-${index * 7919}`, mark);
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('%', '\\', '&', ';', '=', 'u', '0', '4', '1', 'a', 'k', 'é', '😀', '…', ' '),
        maxLength: 200,
      }),
      text => {
        expect(secrets.redact(text)).toBe(text);
      },
    ),
    { seed: 24, numRuns: 200 },
  );
  expect(secrets.redact('key-of-a-client, key-of-another-client 7919')).toBe(
    'key-of-a-client, key-of-another-client 7919',
  );
});

test('every beginning of a key before an ellipsis is hidden, and half of one where a text was cut', () => {
  fc.assert(
    fc.property(
      anyKey.filter(key => !/[…"]/.test(key)),
      fc.nat(),
      (key, at) => {
        const secrets = createSecrets();
        secrets.add(key, mark);
        const part = key.slice(0, 4 + (at % (key.length - 4)));
        expect(secrets.redact(`a ${part}… b`)).toBe(`a ${mark}… b`);
        expect(secrets.redact(`a "${part}"… b`)).toBe(`a "${mark}"… b`);
        if (2 * part.length >= key.length) expect(secrets.redactCut(`a ${part}`)).toBe(`a ${mark}`);
      },
    ),
    { seed: 24, numRuns: 150 },
  );
});

test('the last character of a secret is taken out whole, under an escape that is itself written by escapes', () => {
  const own = createSecrets();
  own.add('correct-horse-battery-\u00c0', '«the key»');
  expect(own.redact('a correct-horse-battery-\\u005c%c3%80%80 b')).not.toMatch(/%c3|%80|correct/);
});

test('a secret that looks like an escape is found under escapes of another kind', () => {
  const secrets = createSecrets();
  secrets.add('ab\\<c%41d&amp;e1', mark);
  for (const written of ['ab\\&lt;c%41d&amp;amp;e1', 'ab%5C%3Cc%2541d%26amp%3Be1', 'ab\\\\<c%41d&amp;e1'])
    expect(secrets.redact(`a ${written} b`)).toBe(`a ${mark} b`);
});

test('half of a secret is hidden where a text, a line or a quote ends and before three dots, whoever cut it there', () => {
  const secrets = createSecrets();
  secrets.add('tok-1234567890-abc', mark);
  expect(secrets.redact('token tok-123456789')).toBe(`token ${mark}`);
  expect(secrets.redact('{"message":"no tok-1234567890"}')).toBe(`{"message":"no ${mark}"}`);
  expect(secrets.redact('token tok-123456789... has expired')).toBe(`token ${mark}... has expired`);
  expect(secrets.redact('a tok-1234567890\r\nb')).toBe(`a ${mark}\r\nb`);
  expect(secrets.redact(`{"message":"${encodeURIComponent('tok-1234567890-').replaceAll('-', '%2d')}%6`)).toBe(
    `{"message":"${mark}`,
  );
  // Less than half of it, or followed by more text: another word that begins alike.
  for (const other of ['token tok-1234', 'tok-1234567890 and more', '"tok-1234567890x"'])
    expect(secrets.redact(other)).toBe(other);
});

test('of a secret that was cut at its beginning, or at both ends, nothing is left', () => {
  fc.assert(
    fc.property(
      anyKey.filter(key => !/[…"\\%&]/.test(key)),
      fc.nat(),
      fc.nat(),
      (key, at, length) => {
        const secrets = createSecrets();
        secrets.add(key, mark);
        const from = 1 + (at % (key.length - 4));
        expect(secrets.redact(`a "…${key.slice(from)}" b`)).toBe(`a "…${mark}" b`);
        expect(secrets.redact(`a …${key.slice(from)}, c… b`)).toBe(`a …${mark}, c… b`);
        const part = key.slice(from, from + 8 + (length % 30));
        if (part.length >= 8) expect(secrets.redact(`a "…${part}…" b`)).toBe(`a "…${mark}…" b`);
      },
    ),
    { seed: 24, numRuns: 150 },
  );
});

test('of thousands of secrets that begin alike each is found', () => {
  const secrets = createSecrets();
  const keys = Array.from({ length: 1_000 }, (_, index) => `sk_live_of_client_${index}_end`);
  for (const key of keys) secrets.add(key, mark);
  expect(secrets.redact(keys.join(' '))).toBe(keys.map(() => mark).join(' '));
});

test('of thousands of secrets that begin alike a part is hidden before each of thousands of cuts', () => {
  const secrets = createSecrets();
  const begun = 'a'.repeat(40);
  for (let index = 0; index < 2_000; index += 1) secrets.add(`${begun}${index}`, mark);
  // Comparing every secret at every cut would take minutes.
  expect(secrets.redact(`${begun}19… `.repeat(2_000))).toBe(`${mark}… `.repeat(2_000));
  expect(secrets.redact(`${begun}x… `.repeat(2_000))).toBe(`${begun}x… `.repeat(2_000));
});

test('a text may hold more parts of secrets than a function takes arguments', () => {
  const secrets = createSecrets();
  for (let index = 0; index < 20; index += 1) secrets.add(`${'a'.repeat(40)}${10 + index}`, mark);
  expect(secrets.redact(`…${'a'.repeat(36)}…`.repeat(2_000))).toBe(`…${mark}…`.repeat(2_000));
});

test('of secrets that begin with one sign again and again the ends are hidden behind each of thousands of cuts', () => {
  const secrets = createSecrets();
  for (let index = 0; index < 100; index += 1) secrets.add(`${'a'.repeat(40)}k${index}${index * 7_919}`, mark);
  // Reporting every spelling at every length would take seconds.
  const text = `…${'a'.repeat(39)} `.repeat(6_000);
  expect(secrets.redact(text)).toBe(`…${mark} `.repeat(6_000));
});

test('secrets that overlap leave nothing of one another', () => {
  const secrets = createSecrets();
  secrets.add('abcdefgh', '«one»');
  secrets.add('efghijklmnop', '«two»');
  expect(secrets.redact('x abcdefghijklmnop y')).toBe('x «two» y');
});
