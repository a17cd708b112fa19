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
    secrets.add('abcdefg', '«all but the last»', true);
    expect(secrets.redact('no key like abcdefg!')).toBe('no key like «all but the last»!');
  });
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
