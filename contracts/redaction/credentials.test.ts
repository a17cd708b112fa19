import { describe, expect, test } from 'vitest';
import { credentialsIn, keyMaterialIn, userInformationIn } from './credentials.ts';

const basic = Buffer.from('deploy:pa:ss-Zq7').toString('base64');

describe('the secrets in the value of a header', () => {
  // biome-ignore format: a table
  test.each([
    ['tok-1234567890',                        ['tok-1234567890']],
    ['Bearer tok-1234567890',                 ['Bearer tok-1234567890', 'tok-1234567890']],
    [`Basic ${basic}`,                        [`Basic ${basic}`, basic, 'deploy:pa:ss-Zq7', 'deploy', 'pa:ss-Zq7']],
    ['sid=abc%2Fdef; lang=en',                ['sid=abc%2Fdef; lang=en', 'abc%2Fdef', 'abc/def', 'en']],
    ['Digest username="me", response="6629"', ['Digest username="me", response="6629"', 'username="me", response="6629"', 'Digest username="me"', 'response="6629"', 'me', '6629']],
    [`Basic\t${basic}`,                       [`Basic\t${basic}`, basic, 'deploy:pa:ss-Zq7', 'deploy', 'pa:ss-Zq7']],
    ['Token me:6629',                         ['Token me:6629', 'me:6629', 'me', '6629']],
    ['Bearer "6629"',                         ['Bearer "6629"', '"6629"', '6629']],
    ['{"id":"me","key":"66\\"29"}',            ['{"id":"me","key":"66\\"29"}', '{"id":"me"', '"key":"66\\"29"}', 'me', '66"29']],
    ['https://me:6629@gateway.example/',      ['https://me:6629@gateway.example/', 'me:6629', 'me', '6629']],
    ['key-one, key-two',                      ['key-one, key-two', 'key-two', 'key-one']],
  ])('%s', (value, expected) => {
    expect([...credentialsIn(value)].sort()).toEqual([...expected].sort());
  });
});

test.each([
  ['https://deploy:p%40ss@proxy.example:3128', ['deploy:p%40ss', 'deploy:p@ss', 'deploy', 'p%40ss', 'p@ss']],
  ['postgres://token@db.example/x?a=b@c', ['token']],
  ['https://proxy.example/a@b', []],
  ['https://deploy:p/ss@proxy.example', ['deploy:p/ss', 'deploy', 'p/ss']],
  ['https//deploy:p@ss@proxy.example', ['deploy:p@ss', 'deploy', 'p@ss']],
])('user information of %s', (url, expected) => {
  expect(userInformationIn(url)).toEqual(expected);
});

test('the lines of a private key are secret, those of a certificate beside it are not', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ';
  const pem = `-----BEGIN CERTIFICATE-----\nMIIBIDCB\n-----END CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----\r\n${line}\r\nAb+/cdefgh==\r\n-----END EC PRIVATE KEY-----\n`;
  expect(keyMaterialIn(pem)).toEqual([line, 'Ab+/cdefgh==']);
});
