import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideInBody, hideInText, hideInUrl } from './secret-values.ts';

const secret = 'hunter2-Zq7w';
const hide = (): string => '«redacted»';

/** Common names of secrets. */
const names = fc.constantFrom(
  ...[
    'password',
    'Password',
    'passwd',
    'user_password',
    'passwordConfirmation',
    'pwd',
    'pass-phrase',
    'secret',
    'clientSecret',
  ],
  ...[
    'token',
    'access_token',
    'refreshToken',
    'X-CSRF-Token',
    'tokens',
    'signature',
    'X-Amz-Signature',
    'sig',
    'jwt',
    'hmac',
  ],
  ...[
    'Authorization',
    'api_key',
    'apiKey',
    'private-key',
    'sessionId',
    'JSESSIONID',
    'PHPSESSID',
    'credentials',
    'cookie',
    'otp',
  ],
);
const words = fc.constantFrom('a', 'gates', 'x-y', 'café', 'of many words', '1', 'a=b');

/** Wraps a named secret in up to four other texts. */
type Wrap = (text: string, word: string) => string;
// biome-ignore format: a table
const wraps = fc.constantFrom<Wrap>(
  (text, word) => JSON.stringify({ [word]: text }),
  (text, word) => JSON.stringify([1, { a: { [word]: [text, null] } }], null, 2),
  (text, word) => `${encodeURIComponent(word)}=1&payload=${encodeURIComponent(text)}`,
  (text, word) => `https://x.test/${encodeURIComponent(word)}?next=${encodeURIComponent(text)}`,
  (text, word) => `https://x.test/?${encodeURIComponent(word)}=2#state=${encodeURIComponent(text)}`,
);
// biome-ignore format: a table
const cores = fc.constantFrom<(name: string) => string>(
  name => JSON.stringify({ a: 1, [name]: secret }),
  name => JSON.stringify({ [name]: { deep: [secret] } }),
  name => JSON.stringify([{ name, value: secret }]),
  name => JSON.stringify({ [name]: secret }).replace(/(?<=^\{")./, sign => `\\u00${sign.charCodeAt(0).toString(16)}`),
  name => `a=b&${encodeURIComponent(name)}=${secret}&c=d`,
  name => `https://x.test/?a=b&${encodeURIComponent(name)}=${secret}`,
  name => `/a/b#${encodeURIComponent(name)}=${secret}`,
  name => `<p ${name}="${secret}">`,
  name => `${name}: ${secret}`,
);

test('whatever a secret is named and however deep it stands, a body does not show it, or is left out', () => {
  let kept = 0;
  fc.assert(
    fc.property(
      names,
      cores,
      fc.array(fc.tuple(wraps, words), { maxLength: 4 }),
      fc.constantFrom('application/json', 'text/plain', ''),
      (name, core, around, type) => {
        const text = around.reduce((inner, [wrap, word]) => wrap(inner, word), core(name));
        const shown = hideInBody(text, type, hide);
        kept += Number(shown !== undefined);
        expect(shown ?? '').not.toContain('hunter2');
      },
    ),
    { seed: 24, numRuns: 600 },
  );
  // A redactor that removes everything would prove nothing.
  expect(kept).toBeGreaterThan(600 / 2);
});

test('a URL with a secret stays as it is but for that', () => {
  expect(hideInUrl('/a%20b?c=%2F&token=x+y&d=1#e', hide)).toBe(
    `/a%20b?c=%2F&token=${encodeURIComponent(hide())}&d=1#e`,
  );
});

// biome-ignore format: a table
test.each([
  ['JSON',                    '{ "name" : "new_checkout", "targetValue": 1.50 }'],
  ['numbers of tokens',       '{"max_tokens":512,"tokens":12}'],
  ['words about secrets',     '{"message":"The token is wrong, or the password is."}'],
  ['names and values',        '{"key":"color","value":"red"}'],
  ['what is empty or no text', '{"password":"","token":null,"secret":false}'],
  ['a form',                  'a=b&limit=1&key_metrics=x'],
  ['a text',                  'Just words: not more.'],
  ['HTML',                    '<p class="a">x</p>'],
])('what holds no secret stays as it is: %s', (_what, text) => {
  expect(hideInBody(text, '', hide)).toBe(text);
});

/** Texts that take quadratic time if each position is searched to the end again, with a secret at their end. */
// biome-ignore format: a table
test.each([
  ['the beginnings of tokens',   () => hideInText(`${'eyJ-'.repeat(400_000)} token=${secret}`, hide)],
  ['a field without a value',    () => hideInUrl(`/a?b=c&${'d'.repeat(1_000_000)}&token=${secret}`, hide)],
  ['queries within queries',     () => hideInUrl(`/a${'?key=b'.repeat(50_000)}?token=${secret}`, hide)],
  ['the beginnings of markup',   () => hideInBody(JSON.stringify({ a: `${'<'.repeat(1_000_000)} token=${secret}` }), 'application/json', hide) ?? ''],
  ['members that are secrets',   () => hideInBody(JSON.stringify(Array.from({ length: 150_000 }, () => ({ token: secret }))), 'application/json', hide) ?? ''],
])('a long text is looked through once: %s', (_what, look) => {
  const shown = look();
  expect(shown.length).toBeGreaterThan(100_000);
  expect(shown.includes(secret)).toBe(false);
});

test('a body is looked through again for another one who hides', () => {
  const body = JSON.stringify({ password: secret, note: 'asked for twice' });
  const seen: string[] = [];
  const look = (value: string): string => {
    seen.push(value);
    return value;
  };
  for (let time = 0; time < 2; time += 1) expect(hideInBody(body, 'application/json', look)).toBe(body);
  expect(seen).toEqual([secret, secret]);
  expect(hideInBody(body, 'application/json', hide)).toBe(body.replace(secret, '«redacted»'));
});
