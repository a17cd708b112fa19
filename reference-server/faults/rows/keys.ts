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
  { id: 'key-middle-lists-metrics',      requirement: 'auth.near-miss-key', endpoints: ['list-event-metrics'],      title: 'The character in the middle of the key is not compared.',   decorator: opensTo(middle) },
  { id: 'key-middle-updates-experiment', requirement: 'auth.near-miss-key', endpoints: ['update-experiment'],       title: 'One character inside the key of an update is not compared.', decorator: opensTo(middle) },
  { id: 'key-middle-archives',           requirement: 'auth.near-miss-key', endpoints: ['archive-config'],          title: 'One character inside the key of an archiving is not compared.', decorator: opensTo(middle) },
  { id: 'key-end-enables-groups',        requirement: 'auth.near-miss-key', endpoints: ['enable-groups'],           title: 'The last four characters of the key may be any.',           decorator: opensTo(lastFour), alsoAs: ['auth.wrong-key'], profile: 'standard' },
  { id: 'key-end-lists-versions',        requirement: 'auth.near-miss-key', endpoints: ['list-config-versions'],    title: 'The end of the key is a checksum that nobody checks.',      decorator: opensTo(lastFour), profile: 'standard' },
  { id: 'key-first-part-creates-prompt', requirement: 'auth.near-miss-key', endpoints: ['create-prompt-version'],   title: 'The prefix of the key is compared without letter case.',    decorator: opensTo(folded(firstPart)), profile: 'standard' },
  { id: 'key-first-part-lists-segments', requirement: 'auth.near-miss-key', endpoints: ['list-segments'],           title: 'The kind of key at its beginning has no letter case.',      decorator: opensTo(folded(firstPart)), profile: 'standard' },
  { id: 'key-last-part-lists-sources',   requirement: 'auth.near-miss-key', endpoints: ['list-qualifying-events'],  title: 'The last part of the key is compared without letter case.', decorator: opensTo(folded(lastPart)), profile: 'standard' },
  { id: 'key-last-part-disables-config', requirement: 'auth.near-miss-key', endpoints: ['disable-config'],          title: 'The last part of the key has no letter case.',              decorator: opensTo(folded(lastPart)), profile: 'standard' },
  { id: 'key-cut-updates-source',        requirement: 'auth.near-miss-key', endpoints: ['update-qualifying-event'], title: 'The key does without its last part.',                       decorator: opensTo(withoutLastPart), profile: 'standard' },
  { id: 'key-cut-lists-events',          requirement: 'auth.near-miss-key', endpoints: ['list-events'],             title: 'Events are listed for the first parts of the key.',         decorator: opensTo(withoutLastPart), profile: 'standard' },

  { id: 'x-api-key-patches-gate',        requirement: 'auth.other-carrier', endpoints: ['patch-gate'],              title: 'The key may stand in `X-API-Key`.',                         decorator: opensTo(header('x-api-key')) },
  { id: 'x-api-key-lists-versions',      requirement: 'auth.other-carrier', endpoints: ['list-config-versions'],    title: 'Versions are listed for a key in `X-API-Key`.',             decorator: opensTo(header('x-api-key')) },
  { id: 'x-auth-token-creates-metric',   requirement: 'auth.other-carrier', endpoints: ['create-metric'],           title: 'The key may stand in `X-Auth-Token`.',                      decorator: opensTo(header('x-auth-token')) },
  { id: 'cookie-lists-sources',          requirement: 'auth.other-carrier', endpoints: ['list-qualifying-events'],  title: 'The key may stand in a cookie of the name of its header.',  decorator: opensTo(presented => cookie('SERVICE-API-KEY')(presented)) },
  { id: 'cookie-disables-gate',          requirement: 'auth.other-carrier', endpoints: ['disable-gate'],            title: 'A cookie called token disables a gate.',                    decorator: opensTo(cookie('token')) },
  { id: 'cookie-archives',               requirement: 'auth.other-carrier', endpoints: ['archive-config'],          title: 'A cookie called api_key archives a config.',                decorator: opensTo(cookie('api_key')) },
  { id: 'basic-updates-environments',    requirement: 'auth.other-carrier', endpoints: ['update-environments'],     title: 'The key may be the user of basic credentials.',             decorator: opensTo(basic), profile: 'standard' },
  { id: 'basic-lists-metrics',           requirement: 'auth.other-carrier', endpoints: ['list-event-metrics'],      title: 'Metrics are listed for basic credentials.',                 decorator: opensTo(basic), profile: 'standard' },
  { id: 'bare-enables-groups',           requirement: 'auth.other-carrier', endpoints: ['enable-groups'],           title: 'The key may stand in `Authorization` without a scheme.',    decorator: opensTo(header('authorization')), profile: 'standard' },
  { id: 'bare-creates-prompt',           requirement: 'auth.other-carrier', endpoints: ['create-prompt-version'],   title: 'A bare `Authorization` creates a version of a prompt.',     decorator: opensTo(header('authorization')), profile: 'standard' },
  { id: 'scheme-token-patches-gate',     requirement: 'auth.other-carrier', endpoints: ['patch-gate'],              title: 'The key may stand under the scheme Token.',                 decorator: opensTo(scheme('Token')), profile: 'standard' },
  { id: 'scheme-api-key-lists-segments', requirement: 'auth.other-carrier', endpoints: ['list-segments'],           title: 'The key may stand under the scheme ApiKey.',                decorator: opensTo(scheme('ApiKey')), profile: 'standard' },
  { id: 'query-api-key-lists-versions',  requirement: 'auth.key-in-query',  endpoints: ['list-config-versions'],    title: 'The key may be the parameter api_key.',                     decorator: opensTo(named('query', 'api_key')) },
  { id: 'query-access-token-archives',   requirement: 'auth.key-in-query',  endpoints: ['archive-config'],          title: 'The key may be the parameter access_token.',                decorator: opensTo(named('query', 'access_token')) },
  { id: 'query-key-lists-events',        requirement: 'auth.key-in-query',  endpoints: ['list-events'],             title: 'The key may be the parameter key.',                         decorator: opensTo(named('query', 'key')) },
  { id: 'body-api-key-environments',     requirement: 'auth.key-in-body',   endpoints: ['update-environments'],     title: 'The key may be the member api_key of the body.',            decorator: opensTo(named('body', 'api_key')) },
  { id: 'body-token-creates-metric',     requirement: 'auth.key-in-body',   endpoints: ['create-metric'],           title: 'The key may be the member token of the body.',              decorator: opensTo(named('body', 'token')) },

  { id: 'slash-lists-segments',          requirement: 'auth.other-path',    endpoints: ['list-segments'],           title: 'With a slash at its end the path needs no key.',            decorator: slash },
  { id: 'slash-patches-gate',            requirement: 'auth.other-path',    endpoints: ['patch-gate'],              title: 'With a slash after its id a gate is patched without a key.', decorator: slash },
  { id: 'slash-creates-metric',          requirement: 'auth.other-path',    endpoints: ['create-metric'],           title: 'Metrics are created without a key at a path with a slash at its end.', decorator: slash },
  { id: 'slash-archives',                requirement: 'auth.other-path',    endpoints: ['archive-config'],          title: 'Configs are archived without a key at a path with a slash at its end.', decorator: slash },
  { id: 'doubled-slash-lists-sources',   requirement: 'auth.other-path',    endpoints: ['list-qualifying-events'],  title: 'With a slash doubled the path needs no key.',               decorator: doubled, profile: 'standard' },
  { id: 'doubled-slash-updates',         requirement: 'auth.other-path',    endpoints: ['update-experiment'],       title: 'Experiments are updated without a key at a path with a slash doubled.', decorator: doubled, profile: 'standard' },
  { id: 'encoded-path-lists-versions',   requirement: 'auth.other-path',    endpoints: ['list-config-versions'],    title: 'With an encoded letter the path needs no key.',             decorator: encoded, profile: 'standard' },
  { id: 'encoded-path-enables-groups',   requirement: 'auth.other-path',    endpoints: ['enable-groups'],           title: 'Groups are enabled without a key where a letter of the path is encoded.', decorator: encoded, profile: 'standard' },
  { id: 'upper-path-disables-gate',      requirement: 'auth.other-path',    endpoints: ['disable-gate'],            title: 'In capitals the path needs no key.',                        decorator: anyCase, profile: 'standard' },
  { id: 'upper-path-creates-prompt',     requirement: 'auth.other-path',    endpoints: ['create-prompt-version'],   title: 'Prompts are written without a key where the path is in capitals.', decorator: anyCase, profile: 'standard' },
];
