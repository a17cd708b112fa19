import { urlText } from '../../../contracts/url-text.ts';
import { alsoAt, does, keyIn, opensTo, type Presented, sentBy } from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

type Accepts = (presented: Presented) => boolean;

/** Compares the characters of a key except at some places. */
const butFor =
  (ignored: (at: number, length: number) => boolean): Accepts =>
  ({ sent, key }) =>
    sent.length === key.length && [...key].every((sign, at) => ignored(at, key.length) || sent[at] === sign);
const folded =
  (part: RegExp): Accepts =>
  ({ sent, key }) =>
    sent.replace(part, text => text.toLowerCase()) === key.replace(part, text => text.toLowerCase());

const middle = opensTo(
  'The character in the middle of the key is not compared.',
  butFor((at, length) => at === Math.floor(length / 2)),
);
const lastFour = opensTo(
  'The last four characters of the key may be any.',
  butFor((at, length) => at >= length - 4),
);
const firstPart = opensTo('The first part of the key is compared without letter case.', folded(/^[A-Za-z0-9]+/));
const lastPart = opensTo('The last part of the key is compared without letter case.', folded(/[A-Za-z0-9]+$/));
const withoutLastPart = opensTo(
  'The key does without its last part.',
  ({ sent, key }) => sent === key.replace(/[^A-Za-z0-9][A-Za-z0-9]*$/, ''),
);
const contained = opensTo('The key may stand within what is sent.', ({ sent, key }) => sent.includes(key));
const joined = opensTo(
  'The separators of the key are not compared.',
  ({ sent, key }) => sent.replace(/[^A-Za-z0-9]/g, '') === key.replace(/[^A-Za-z0-9]/g, ''),
);
const dryRuns = opensTo('A dry run needs no key.', ({ request, absent }) => absent && sentBy(request).dryRun === true);

const header = (name: string) =>
  opensTo(`The key may stand in the header \`${name}\`.`, ({ request, key }) => request.headers[name] === key);
const cookie = (name: string) =>
  opensTo(`The key may stand in the cookie \`${name}\`.`, ({ request, key }) =>
    (request.headers.cookie ?? '').split(/; */).includes(`${name}=${urlText(key)}`),
  );
const scheme = (name: string) =>
  opensTo(
    `The key may stand under the scheme \`${name}\`.`,
    ({ request, key }) => request.headers.authorization === `${name} ${key}`,
  );
const basic = opensTo('The key may be part of basic credentials.', ({ request, key }) => {
  const [, credentials = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? [];
  return Buffer.from(credentials, 'base64').toString().split(':').includes(key);
});
const named = (where: 'query' | 'body', name: string) =>
  opensTo(
    `The key may be \`${name}\` in the ${where}.`,
    presented => keyIn(where, { ...presented, header: name.toLowerCase() }) === presented.key,
  );

/** Serves another spelling of the path without a key. */
const openAt = (spelling: string, plain: (path: string) => string) =>
  does(`${spelling} the path needs no key.`, alsoAt(plain, false));
const slash = openAt('With a slash at its end', path => path.replace(/\/$/, ''));
const doubled = openAt('With a slash doubled', path => path.replace(/\/{2,}/g, '/'));
const encoded = openAt('With an encoded letter', path =>
  path.replace(/%([4-7][0-9A-F])/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
);
const anyCase = openAt('In capitals', path => path.replace(/(?<=\/v1\/)[A-Z_]+/, text => text.toLowerCase()));

/** Section 5: near misses of the key, the key in the wrong place, and unguarded paths. */
// biome-ignore format: a table
export const keyFaults: FaultTable = [
  ['key-middle-lists-metrics',      'list-event-metrics',      'auth.near-miss-key', middle],
  ['key-middle-updates-experiment', 'update-experiment',       'auth.near-miss-key', middle],
  ['key-middle-archives',           'archive-config',          'auth.near-miss-key', middle],
  ['key-end-enables-groups',        'enable-groups',           'auth.near-miss-key', lastFour, 'standard', 'auth.wrong-key'],
  ['key-end-lists-versions',        'list-config-versions',    'auth.near-miss-key', lastFour, 'standard'],
  ['key-first-part-creates-prompt', 'create-prompt-version',   'auth.near-miss-key', firstPart, 'standard'],
  ['key-first-part-lists-segments', 'list-segments',           'auth.near-miss-key', firstPart, 'standard'],
  ['key-last-part-lists-sources',   'list-qualifying-events',  'auth.near-miss-key', lastPart, 'standard'],
  ['key-last-part-disables-config', 'disable-config',          'auth.near-miss-key', lastPart, 'standard'],
  ['key-cut-updates-source',        'update-qualifying-event', 'auth.near-miss-key', withoutLastPart, 'standard'],
  ['key-cut-lists-events',          'list-events',             'auth.near-miss-key', withoutLastPart, 'standard'],
  ['key-within-lists-metrics',      'list-event-metrics',      'auth.near-miss-key', contained, 'standard'],
  ['key-joined-disables-gate',      'disable-gate',            'auth.near-miss-key', joined, 'standard'],
  ['keyless-dry-run-of-metric',     'create-metric',           'auth.missing-key', dryRuns, 'standard'],

  ['x-api-key-patches-gate',        'patch-gate',              'auth.other-carrier', header('x-api-key')],
  ['x-api-key-lists-versions',      'list-config-versions',    'auth.other-carrier', header('x-api-key')],
  ['x-auth-token-creates-metric',   'create-metric',           'auth.other-carrier', header('x-auth-token')],
  ['cookie-lists-sources',          'list-qualifying-events',  'auth.other-carrier', cookie('SERVICE-API-KEY')],
  ['cookie-disables-gate',          'disable-gate',            'auth.other-carrier', cookie('token')],
  ['cookie-archives',               'archive-config',          'auth.other-carrier', cookie('api_key')],
  ['basic-updates-environments',    'update-environments',     'auth.other-carrier', basic, 'standard'],
  ['basic-lists-metrics',           'list-event-metrics',      'auth.other-carrier', basic, 'standard'],
  ['bare-enables-groups',           'enable-groups',           'auth.other-carrier', header('authorization'), 'standard'],
  ['bare-creates-prompt',           'create-prompt-version',   'auth.other-carrier', header('authorization'), 'standard'],
  ['scheme-token-patches-gate',     'patch-gate',              'auth.other-carrier', scheme('Token'), 'standard'],
  ['scheme-api-key-lists-segments', 'list-segments',           'auth.other-carrier', scheme('ApiKey'), 'standard'],
  ['query-api-key-lists-versions',  'list-config-versions',    'auth.key-in-query', named('query', 'api_key')],
  ['query-access-token-archives',   'archive-config',          'auth.key-in-query', named('query', 'access_token')],
  ['query-key-lists-events',        'list-events',             'auth.key-in-query', named('query', 'key')],
  ['body-api-key-environments',     'update-environments',     'auth.key-in-body', named('body', 'api_key')],
  ['body-token-creates-metric',     'create-metric',           'auth.key-in-body', named('body', 'token')],

  ['slash-lists-segments',          'list-segments',           'auth.other-path', slash],
  ['slash-patches-gate',            'patch-gate',              'auth.other-path', slash],
  ['slash-creates-metric',          'create-metric',           'auth.other-path', slash],
  ['slash-archives',                'archive-config',          'auth.other-path', slash],
  ['doubled-slash-lists-sources',   'list-qualifying-events',  'auth.other-path', doubled, 'standard'],
  ['doubled-slash-updates',         'update-experiment',       'auth.other-path', doubled, 'standard'],
  ['encoded-path-lists-versions',   'list-config-versions',    'auth.other-path', encoded, 'standard'],
  ['encoded-path-enables-groups',   'enable-groups',           'auth.other-path', encoded, 'standard'],
  ['upper-path-disables-gate',      'disable-gate',            'auth.other-path', anyCase, 'standard'],
  ['upper-path-creates-prompt',     'create-prompt-version',   'auth.other-path', anyCase, 'standard'],
];
