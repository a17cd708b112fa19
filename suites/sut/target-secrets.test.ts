import { describe, expect, test } from 'vitest';
import type { Access } from '../protocol/sut.ts';
import { renewableKey, targetOf } from './target.ts';
import { secretsOf, tooShortText } from './target-secrets.ts';

const base = new URL('http://127.0.0.1:9');
const none: Access = { headers: {}, tls: {}, proxy: null };
const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ';

const access: Access = {
  headers: {
    authorization: `Basic ${Buffer.from('deploy-user:pa:ss-Zq7').toString('base64')}`,
    'x-auth': 'Token tok-1234567890',
    cookie: 'sid=abcdefgh%2Fijkl; lang=en',
  },
  tls: { cert: 'public', key: `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n` },
  proxy: new URL('http://proxy-user:proxy%40pass@proxy.example:3128'),
};

describe('of what a target is told nothing is shown', () => {
  const { redact } = secretsOf(targetOf({}, base, 'key-of-tests-1', access));

  test.each([
    ['the key', 'key-of-tests-1'],
    ['the token behind a scheme', 'tok-1234567890'],
    ['a part of it where it is cut', 'tok-12345'],
    ['a pair of Basic, decoded', 'deploy-user:pa:ss-Zq7'],
    ['its user', 'deploy-user'],
    ['its password', 'pa:ss-Zq7'],
    ['a cookie', 'abcdefgh%2Fijkl'],
    ['a cookie, decoded', 'abcdefgh/ijkl'],
    ['the user of a proxy', 'proxy-user'],
    ['its password as it is written', 'proxy%40pass'],
    ['its password as it is meant', 'proxy@pass'],
    ['a line of the key of a certificate', line],
  ])('%s', (_what, secret) => {
    expect(redact(`it was ${secret}`)).toMatch(/^it was «[^»]+»$/);
    expect(redact(`it was "${secret}" and more`)).toMatch(/^it was "«[^»]+»" and more$/);
  });

  test('and what is short is no part of a text', () => {
    expect(redact('{"lang":"en"} an end')).toBe('{"lang":"en"} an end');
    expect(redact('lang=en')).toBe('lang=«the value of an added header»');
  });
});

test('a key that is the credentials of Basic is known decoded', () => {
  const { redact } = secretsOf(targetOf({}, base, access.headers.authorization ?? '', none));
  expect(redact('no user deploy-user with pa:ss-Zq7')).toBe('no user «the API key» with «the API key»');
});

test('every key that is ever in use is known, the old ones too', async () => {
  const keys = renewableKey('first-key-of-tests', async () => 'second-key-of-tests');
  const { redact } = secretsOf(targetOf({}, base, keys, none));
  expect(redact('second-key-of-tests')).toBe('second-key-of-tests');
  await keys.renew('first-key-of-tests');
  expect(redact('first-key-of-tests, second-key-of-tests')).toBe('«the API key», «the API key»');
});

test('targets that are told the same have their secrets together, and no others', () => {
  const told = () => secretsOf(targetOf({}, base, 'a-key-of-two-targets', access));
  const [one, again] = [told(), told()];
  expect(again).toBe(one);
  const others = [
    targetOf({}, base, 'Qx81-vNm4-Lr27', access),
    targetOf({}, base, 'a-key-of-two-targets', none),
    targetOf({ headers: [{ name: 'x-auth', value: 'Token tok-0987654321' }] }, base, 'a-key-of-two-targets', none),
  ].map(secretsOf);
  expect(new Set([one, ...others]).size).toBe(4);
  expect(others[0]?.redact('a-key-of-two-targets')).toBe('a-key-of-two-targets');
  expect(others[1]?.redact('tok-1234567890')).toBe('tok-1234567890');
});

test('a key that a target is told later is known beside those of the run before', async () => {
  const second = () => Promise.resolve('another-key-of-two-runs');
  const [one, again] = [second, second].map(ask => renewableKey('a-key-of-two-runs', ask));
  const secrets = [one, again].map(keys => secretsOf(targetOf({}, base, keys ?? '', none)));
  await again?.renew('a-key-of-two-runs');
  expect(secrets[1]?.redact('a-key-of-two-runs, another-key-of-two-runs')).toBe('«the API key», «the API key»');
});

test.each([
  ['key-of-tests-1', {}, undefined],
  ['k', {}, /^The API key is shorter than 8 .* where it is a whole value, not within texts\.$/],
  [
    'key-of-tests-1',
    { cookie: 'sid=abcdefghijkl; lang=en', 'x-tenant': 'acme' },
    /^Values in the headers cookie, x-tenant are shorter than 8 /,
  ],
  ['k', { 'x-tenant': 'acme' }, /^The API key and values in the header x-tenant are shorter than 8 /],
] as const)('what is too short to be looked for within texts is told: %s, %j', (key, headers, says) => {
  const text = tooShortText(targetOf({}, base, key, { ...none, headers }));
  if (says === undefined) expect(text).toBeUndefined();
  else expect(text).toMatch(says);
});
