import { describe, expect, test } from 'vitest';
import type { createReferenceServer } from '../../reference-server/index.ts';
import { checksThat, recordedRun } from '../proof/testing/reference-run.ts';
import {
  asBasic,
  changedAtEnd,
  changedInside,
  credentialsOf,
  firstPartTurned,
  joinedParts,
  lastPartTurned,
  longerBefore,
  nearMisses,
  otherCase,
  sameShape,
  withoutLastPart,
} from './near-miss-keys.ts';

// biome-ignore format: a table
test.each([
  ['secret-Key-1',      '',         'secret-Key-1'],
  ['Bearer 7301',       'Bearer ',  '7301'],
  ['token   a=b c',     'token   ', 'a=b c'],
  ['Bearer ',           '',         'Bearer '],
  ['two words: a key',  'two ',     'words: a key'],
])('the key %j has the scheme %j and the secret %j', (key, scheme, secret) => {
  expect(credentialsOf(key)).toEqual({ scheme, secret });
});

// biome-ignore format: a table
test.each([
  ['abC-1',        'ABC-1',        'noP-6'],
  ['ABC',          'abc',          'NOP'],
  ['Bearer abC-1', 'Bearer ABC-1', 'Bearer noP-6'],
  ['Bearer 7301',  'Bearer 7301',  'Bearer 2856'],
  ['7301',         '7301',         '2856'],
])('%j in another letter case is %j, and another key of its shape %j', (key, turned, shaped) => {
  expect(otherCase(key)).toBe(turned);
  expect(sameShape(key)).toBe(shaped);
});

// biome-ignore format: a table
test.each([
  ['Key-a1B2c9',       'Key-a`B2c9',       'Key-a1qa4h',       'kEY-a1B2c9',       'Key-A1b2C9',       'Key'],
  ['Key7',             'KeJ7',             'Key7',             'Key7',             'Key7',             'Key7'],
  ['Bearer Abcdef-9h', 'Bearer A3cdef-9h', 'Bearer Abcde7\\h9', 'Bearer Abcdef-9h', 'Bearer Abcdef-9H', 'Bearer Abcdef'],
])('%j changed inside is %j, at its end %j, in its first part %j, in its last %j, and without that %j', (key, inside, atEnd, first, last, cut) => {
  expect([changedInside(key), changedAtEnd(key), firstPartTurned(key), lastPartTurned(key), withoutLastPart(key)]).toEqual(
    [inside, atEnd, first, last, cut],
  );
});

// biome-ignore format: a table
test.each([
  ['Key-a1_B2',        'xKey-a1_B2',        'Keya1B2'],
  ['Key7',             'xKey7',             'Key7'],
  ['Bearer Abcdef-9h', 'Bearer xAbcdef-9h', 'Bearer Abcdef9h'],
])('%j with a character before it is %j, and without separators %j', (key, longer, joined) => {
  expect([longerBefore(key), joinedParts(key)]).toEqual([longer, joined]);
});

test('a key is the user of basic credentials, without its scheme', () => {
  expect(Buffer.from(asBasic('Bearer abc-1'), 'base64').toString()).toBe('abc-1:');
});

test('every near miss differs from its key', () => {
  for (const key of ['Key-a1B2c9', 'key', 'Bearer 7301-5580', 'KEY', 'a']) {
    const misses = nearMisses(key).map(([miss]) => miss);
    expect(misses).not.toContain(key);
  }
});

test.each([
  ['key-reference', 'key', false],
  ['reference-key', 'reference', true],
  ['abcd1-efgh', 'abcd1', true],
])('of the key %s the part %s is a secret: %s', (key, part, isSecret) => {
  expect(nearMisses(key).some(([miss]) => miss === part)).toBe(isSecret);
});

test('no near miss differs from its key in the letter case of the scheme alone', () => {
  const key = 'Bearer 7301';
  for (const [near] of nearMisses(key)) expect(near === key || near.toLowerCase() !== key.toLowerCase()).toBe(true);
});

describe('a server whose key is a bearer token, and which takes the scheme in any letter case', () => {
  /** Normalises the scheme for the reference server, and changes the secret by `presented`. */
  const server = (apiKey: string, presented: (secret: string) => string = secret => secret) => ({
    apiKey,
    naming: { apiKeyHeader: 'Authorization' },
    decorateListener: (inner => (request, response) => {
      const { scheme, secret } = credentialsOf(request.headers.authorization ?? '');
      if (/^bearer $/i.test(scheme)) request.headers.authorization = `Bearer ${presented(secret)}`;
      inner(request, response);
    }) satisfies NonNullable<Parameters<typeof createReferenceServer>[0]>['decorateListener'],
  });
  const only = ['list-segments/authentication', 'patch-gate/authentication'];

  test.each(['Bearer 7301-4402-9985', 'Bearer Abcd-efgh-1234'])('is not accused for %s', async apiKey => {
    const record = await recordedRun({ server: server(apiKey), only });
    expect(checksThat(record, 'fail')).toEqual([]);
    expect(checksThat(record, 'pass')).toEqual(only);
  });

  test('is found where it ignores the letter case of the secret too', async () => {
    const apiKey = 'Bearer ABCD-EFGH-1234';
    const record = await recordedRun({
      server: server(apiKey, secret => secret.toUpperCase()),
      only,
      run: { profile: 'standard' },
    });
    expect(checksThat(record, 'fail')).toEqual(only);
    const text = JSON.stringify(record.events);
    expect(text).not.toContain('ABCD-EFGH');
    expect(text).not.toContain('abcd-efgh');
  });
});
