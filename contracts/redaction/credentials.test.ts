import { describe, expect, test } from 'vitest';
import { credentialsIn, keyMaterialIn, userInformationIn } from './credentials.ts';

const basic = Buffer.from('deploy:pa:ss-Zq7').toString('base64');
const bare = basic.replaceAll('=', '');

describe('the secrets in the value of a header', () => {
  // biome-ignore format: a table
  test.each([
    ['tok-123456',                            ['tok-123456']],
    ['Bearer tok-123456',                     ['Bearer tok-123456', 'tok-123456']],
    [`Basic ${basic}`,                        [`Basic ${basic}`, basic, bare, 'deploy:pa:ss-Zq7', 'deploy', 'pa:ss-Zq7']],
    ['sid=abc%2Fdef; lang=en',                ['sid=abc%2Fdef; lang=en', 'abc%2Fdef', 'abc/def', 'en']],
    ['Digest username="me", response="6629"', ['Digest username="me", response="6629"', 'username="me", response="6629"', 'Digest username="me"', 'response="6629"', 'me', '6629']],
    [`Basic\t${basic}`,                       [`Basic\t${basic}`, basic, bare, 'deploy:pa:ss-Zq7', 'deploy', 'pa:ss-Zq7']],
    ['Token me:6629',                         ['Token me:6629', 'me:6629', 'me', '6629']],
    ['Bearer "6629"',                         ['Bearer "6629"', '"6629"', '6629']],
    ['{"id":"me","key":"66\\"29"}',            ['{"id":"me","key":"66\\"29"}', '{"id":"me"', '"key":"66\\"29"}', 'me', '66"29']],
    ['https://me:6629@gateway.example/',      ['https://me:6629@gateway.example/', 'me:6629', 'me', '6629']],
    ['key-one, key-two',                      ['key-one, key-two', 'key-two', 'key-one']],
  ])('%s', (value, expected) => {
    expect([...credentialsIn(value)].sort()).toEqual([...expected].sort());
  });
});

const hidden = 'Zq7vWk2hTm9x';
const base64 = Buffer.from(`me:${hidden}`).toString('base64');

test.each([
  // biome-ignore format: a table
  ...[
    `ApiKey client/${hidden}`, `bearer:${hidden}`, `Bearer 12|${hidden}`, `Basic me:${hidden}`, `Bearer ab, Basic ${base64}`,
    `Basic ${Buffer.from(`me:${hidden}/more`).toString('base64')}`, `PVEAPIToken=root@pam!monitor=${hidden}`,
    `SharedAccessSignature sr=https%3A%2F%2Fx&sig=${hidden}%2F%3D&skn=Root`, `Signature keyId="a",signature="${hidden}=="`,
    `a/b:${hidden}`, `a:b:${hidden}`, `tenant.${hidden}`, `sk_live_${hidden}`, `v4.public.${hidden}.footer`, base64,
    `key1: ${hidden}, key2: b`, `key1='${hidden}' key2='b'`, `tenant->${hidden}`, `tenant\t${hidden}`, `${hidden}; lang=en`,
    `https://host.test/path/${hidden}/x`, `user:${hidden}@db.test:5432`, `sess=user:${hidden}`, `=${hidden}`,
    `sess=${base64.replaceAll('=', '')}`, `sess=s%3A${hidden}.ab|cd`, encodeURIComponent(`me:${hidden}`),
    encodeURIComponent(JSON.stringify({ k: hidden })), Buffer.from(JSON.stringify({ k: hidden })).toString('base64url'),
    ...['[]', '()', '{}', '<>', "''", '``'].map(([open, close]) => `me${open}${hidden}${close}`),
    ...[...'/|;@#!~*$?^'].map(sign => `tenant${sign}${hidden}`),
  ],
])('in %s is the secret, whatever stands around it', value => {
  expect(credentialsIn(value)).toContain(hidden);
});

test.each(['acme/production', 'my-tool/1.0 (staging-cluster; Linux)', 'application/json;q=0.9'])(
  'words in %s are no secrets by themselves',
  value => {
    const words = ['production', 'staging-cluster', 'application/json', 'application'];
    expect(credentialsIn(value).filter(one => words.includes(one) && !value.startsWith(one))).toEqual([]);
  },
);

test.each([
  ['https://deploy:p%40ss@proxy.example:3128', ['deploy:p%40ss', 'deploy:p@ss', 'deploy', 'p%40ss', 'p@ss']],
  ['postgres://token@db.example/x?a=b@c', ['token']],
  ['https://proxy.example/a@b', []],
  ['https://deploy:p/ss@proxy.example', ['deploy:p/ss', 'deploy', 'p/ss']],
  ['https//deploy:p@ss@proxy.example', ['deploy:p@ss', 'deploy', 'p@ss']],
  ['//deploy:p/ss@proxy.example', ['deploy:p/ss', 'deploy', 'p/ss']],
  ['deploy:pass@proxy.example:8080', ['deploy:pass', 'deploy', 'pass']],
  ['C:/folder/a@b', []],
])('user information of %s', (url, expected) => {
  expect(userInformationIn(url)).toEqual(expected);
});

test('the lines of a private key are secret, those of a certificate beside it are not', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ';
  const pem = `-----BEGIN CERTIFICATE-----\nMIIBIDCB\n-----END CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----\r\n${line}\r\nAb+/cdefgh==\r\n-----END EC PRIVATE KEY-----\n`;
  expect(keyMaterialIn(pem)).toEqual([line, 'Ab+/cdefgh==']);
});
