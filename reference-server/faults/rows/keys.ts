import { urlText } from '../../../contracts/url-text.ts';
import { keyIn, opensTo, type Presented } from '../../decorators/keys.ts';
import { alsoAt } from '../../decorators/sent-text.ts';
import type { FaultTable } from '../fault.ts';

type Accepts = (presented: Presented) => boolean;

/** Compares the characters of a key but for those at some places. */
const butFor =
  (ignored: (at: number, length: number) => boolean): Accepts =>
  ({ sent, key }) =>
    sent.length === key.length && [...key].every((sign, at) => ignored(at, key.length) || sent[at] === sign);
const middle = butFor((at, length) => at === Math.floor(length / 2));
const lastFour = butFor((at, length) => at >= length - 4);
const firstPart = /^[A-Za-z0-9]+/;
const lastPart = /[A-Za-z0-9]+$/;
const folded =
  (part: RegExp): Accepts =>
  ({ sent, key }) =>
    sent.replace(part, text => text.toLowerCase()) === key.replace(part, text => text.toLowerCase());
const withoutLastPart: Accepts = ({ sent, key }) => sent === key.replace(/[^A-Za-z0-9][A-Za-z0-9]*$/, '');

const header =
  (name: string, value: (key: string) => string = key => key): Accepts =>
  ({ request, key }) =>
    request.headers[name] === value(key);
const cookie =
  (name: string): Accepts =>
  ({ request, key }) =>
    (request.headers.cookie ?? '').split(/; */).includes(`${name}=${urlText(key)}`);
const scheme = (name: string): Accepts => header('authorization', key => `${name} ${key}`);
const basic: Accepts = ({ request, key }) => {
  const [, credentials = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? [];
  return Buffer.from(credentials, 'base64').toString().split(':').includes(key);
};
const named =
  (where: 'query' | 'body', name: string): Accepts =>
  presented =>
    keyIn(where, { ...presented, header: name.toLowerCase() }) === presented.key;

const slash = alsoAt(path => path.replace(/\/$/, ''), false);
const doubled = alsoAt(path => path.replace(/\/{2,}/g, '/'), false);
const encoded = alsoAt(
  path => path.replace(/%([4-7][0-9A-F])/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  false,
);
const anyCase = alsoAt(path => path.replace(/(?<=\/v1\/)[A-Z_]+/, text => text.toLowerCase()), false);

/** Section 5: what is nearly the key, the key where it does not belong, and paths that nobody guards. */
// biome-ignore format: a table
export const keyFaults: FaultTable = [
  ['key-middle-lists-metrics',      'list-event-metrics',      'auth.near-miss-key', 'The character in the middle of the key is not compared.',                 opensTo(middle)],
  ['key-middle-updates-experiment', 'update-experiment',       'auth.near-miss-key', 'One character inside the key of an update is not compared.',              opensTo(middle)],
  ['key-middle-archives',           'archive-config',          'auth.near-miss-key', 'One character inside the key of an archiving is not compared.',           opensTo(middle)],
  ['key-end-enables-groups',        'enable-groups',           'auth.near-miss-key', 'The last four characters of the key may be any.',                         opensTo(lastFour), 'standard', 'auth.wrong-key'],
  ['key-end-lists-versions',        'list-config-versions',    'auth.near-miss-key', 'The end of the key is a checksum that nobody checks.',                    opensTo(lastFour), 'standard'],
  ['key-first-part-creates-prompt', 'create-prompt-version',   'auth.near-miss-key', 'The prefix of the key is compared without letter case.',                  opensTo(folded(firstPart)), 'standard'],
  ['key-first-part-lists-segments', 'list-segments',           'auth.near-miss-key', 'The kind of key at its beginning has no letter case.',                    opensTo(folded(firstPart)), 'standard'],
  ['key-last-part-lists-sources',   'list-qualifying-events',  'auth.near-miss-key', 'The last part of the key is compared without letter case.',               opensTo(folded(lastPart)), 'standard'],
  ['key-last-part-disables-config', 'disable-config',          'auth.near-miss-key', 'The last part of the key has no letter case.',                            opensTo(folded(lastPart)), 'standard'],
  ['key-cut-updates-source',        'update-qualifying-event', 'auth.near-miss-key', 'The key does without its last part.',                                     opensTo(withoutLastPart), 'standard'],
  ['key-cut-lists-events',          'list-events',             'auth.near-miss-key', 'Events are listed for the first parts of the key.',                       opensTo(withoutLastPart), 'standard'],

  ['x-api-key-patches-gate',        'patch-gate',              'auth.other-carrier', 'The key may stand in `X-API-Key`.',                                       opensTo(header('x-api-key'))],
  ['x-api-key-lists-versions',      'list-config-versions',    'auth.other-carrier', 'Versions are listed for a key in `X-API-Key`.',                           opensTo(header('x-api-key'))],
  ['x-auth-token-creates-metric',   'create-metric',           'auth.other-carrier', 'The key may stand in `X-Auth-Token`.',                                    opensTo(header('x-auth-token'))],
  ['cookie-lists-sources',          'list-qualifying-events',  'auth.other-carrier', 'The key may stand in a cookie of the name of its header.',                opensTo(presented => cookie('SERVICE-API-KEY')(presented))],
  ['cookie-disables-gate',          'disable-gate',            'auth.other-carrier', 'A cookie called token disables a gate.',                                  opensTo(cookie('token'))],
  ['cookie-archives',               'archive-config',          'auth.other-carrier', 'A cookie called api_key archives a config.',                              opensTo(cookie('api_key'))],
  ['basic-updates-environments',    'update-environments',     'auth.other-carrier', 'The key may be the user of basic credentials.',                           opensTo(basic), 'standard'],
  ['basic-lists-metrics',           'list-event-metrics',      'auth.other-carrier', 'Metrics are listed for basic credentials.',                               opensTo(basic), 'standard'],
  ['bare-enables-groups',           'enable-groups',           'auth.other-carrier', 'The key may stand in `Authorization` without a scheme.',                  opensTo(header('authorization')), 'standard'],
  ['bare-creates-prompt',           'create-prompt-version',   'auth.other-carrier', 'A bare `Authorization` creates a version of a prompt.',                   opensTo(header('authorization')), 'standard'],
  ['scheme-token-patches-gate',     'patch-gate',              'auth.other-carrier', 'The key may stand under the scheme Token.',                               opensTo(scheme('Token')), 'standard'],
  ['scheme-api-key-lists-segments', 'list-segments',           'auth.other-carrier', 'The key may stand under the scheme ApiKey.',                              opensTo(scheme('ApiKey')), 'standard'],
  ['query-api-key-lists-versions',  'list-config-versions',    'auth.key-in-query',  'The key may be the parameter api_key.',                                   opensTo(named('query', 'api_key'))],
  ['query-access-token-archives',   'archive-config',          'auth.key-in-query',  'The key may be the parameter access_token.',                              opensTo(named('query', 'access_token'))],
  ['query-key-lists-events',        'list-events',             'auth.key-in-query',  'The key may be the parameter key.',                                       opensTo(named('query', 'key'))],
  ['body-api-key-environments',     'update-environments',     'auth.key-in-body',   'The key may be the member api_key of the body.',                          opensTo(named('body', 'api_key'))],
  ['body-token-creates-metric',     'create-metric',           'auth.key-in-body',   'The key may be the member token of the body.',                            opensTo(named('body', 'token'))],

  ['slash-lists-segments',          'list-segments',           'auth.other-path',    'With a slash at its end the path needs no key.',                          slash],
  ['slash-patches-gate',            'patch-gate',              'auth.other-path',    'With a slash after its id a gate is patched without a key.',              slash],
  ['slash-creates-metric',          'create-metric',           'auth.other-path',    'Metrics are created without a key at a path with a slash at its end.',    slash],
  ['slash-archives',                'archive-config',          'auth.other-path',    'Configs are archived without a key at a path with a slash at its end.',   slash],
  ['doubled-slash-lists-sources',   'list-qualifying-events',  'auth.other-path',    'With a slash doubled the path needs no key.',                             doubled, 'standard'],
  ['doubled-slash-updates',         'update-experiment',       'auth.other-path',    'Experiments are updated without a key at a path with a slash doubled.',   doubled, 'standard'],
  ['encoded-path-lists-versions',   'list-config-versions',    'auth.other-path',    'With an encoded letter the path needs no key.',                           encoded, 'standard'],
  ['encoded-path-enables-groups',   'enable-groups',           'auth.other-path',    'Groups are enabled without a key where a letter of the path is encoded.', encoded, 'standard'],
  ['upper-path-disables-gate',      'disable-gate',            'auth.other-path',    'In capitals the path needs no key.',                                      anyCase, 'standard'],
  ['upper-path-creates-prompt',     'create-prompt-version',   'auth.other-path',    'Prompts are written without a key where the path is in capitals.',        anyCase, 'standard'],
];
