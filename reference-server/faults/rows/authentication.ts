import { headerCaseMatters, keyForgotten, keyIn, opensTo, worksBeforeRefusing } from '../../decorators/keys.ts';
import type { FaultTable } from '../fault.ts';

/** Section 5: requests that are let in and should not be, and effects of requests that are refused. */
// biome-ignore format: a table
export const authenticationFaults: FaultTable = [
  ['guard-forgotten',               ['list-segments', 'disable-gate'],          'auth.missing-key',   'No request needs a key.',                               keyForgotten, 'auth.empty-key', 'auth.wrong-key', 'auth.near-miss-key', 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['missing-key-lists-sources',     'list-qualifying-events',                   'auth.missing-key',   'Sources are listed without a key.',                     opensTo(({ absent }) => absent), 'auth.key-in-query', 'auth.bearer'],
  ['missing-key-archives',          'archive-config',                           'auth.missing-key',   'Configs are archived without a key.',                   opensTo(({ absent }) => absent), 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['missing-key-enables-groups',    'enable-groups',                            'auth.missing-key',   'Groups are enabled without a key.',                     opensTo(({ absent }) => absent), 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['missing-key-disables-config',   'disable-config',                           'auth.missing-key',   'Configs are disabled without a key.',                   opensTo(({ absent }) => absent), 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['empty-key-lists-events',        'list-events',                              'auth.empty-key',     'An empty key is taken for no guard.',                   opensTo(({ sent, absent }) => !absent && sent === '')],
  ['empty-key-updates-source',      'update-qualifying-event',                  'auth.empty-key',     'Every key begins with the empty one, which is enough.', opensTo(({ sent, absent }) => !absent && sent === '')],
  ['any-key-lists-metrics',         'list-event-metrics',                       'auth.wrong-key',     'Any key lists metrics.',                                opensTo(({ sent }) => sent !== ''), 'auth.near-miss-key'],
  ['any-key-patches-gate',          'patch-gate',                               'auth.wrong-key',     'Any key patches a gate.',                               opensTo(({ sent }) => sent !== ''), 'auth.near-miss-key'],
  ['key-of-same-length',            'list-config-versions',                     'auth.wrong-key',     'Any key of the right length will do.',                  opensTo(({ sent, key }) => sent.length === key.length), 'auth.near-miss-key'],
  ['key-prefix-is-enough',          'create-metric',                            'auth.near-miss-key', 'The beginning of the key is enough.',                   opensTo(({ sent, key }) => sent.length > 2 && key.startsWith(sent))],
  ['key-may-go-on',                 'list-segments',                            'auth.near-miss-key', 'What follows the key is not compared.',                 opensTo(({ sent, key }) => sent.startsWith(key))],
  ['key-in-any-case',               'update-environments',                      'auth.near-miss-key', 'Keys are compared without letter case.',                opensTo(({ sent, key }) => sent.toLowerCase() === key.toLowerCase())],
  ['key-last-character',            'disable-gate',                             'auth.near-miss-key', 'The last character of the key is not compared.',        opensTo(({ sent, key }) => sent.slice(0, key.length - 1) === key.slice(0, -1))],
  ['key-in-query-lists-segments',   'list-segments',                            'auth.key-in-query',  'The key may stand in the query.',                       opensTo(presented => keyIn('query', presented) === presented.key)],
  ['key-in-query-disables-gate',    'disable-gate',                             'auth.key-in-query',  'The key may stand in the query of a write.',            opensTo(presented => keyIn('query', presented) === presented.key)],
  ['key-in-body-creates-prompt',    'create-prompt-version',                    'auth.key-in-body',   'The key may stand in the body.',                        opensTo(presented => keyIn('body', presented) === presented.key)],
  ['key-in-body-updates',           'update-experiment',                        'auth.key-in-body',   'The key of an update may stand in the body.',           opensTo(presented => keyIn('body', presented) === presented.key)],
  ['bearer-lists-events',           'list-events',                              'auth.bearer',        'The key may be a bearer token.',                        opensTo(({ request, key }) => request.headers.authorization === `Bearer ${key}`)],
  ['bearer-patches-gate',           'patch-gate',                               'auth.bearer',        'A bearer token patches a gate.',                        opensTo(({ request, key }) => request.headers.authorization === `Bearer ${key}`)],
  ['any-bearer-creates-metric',     'create-metric',                            'auth.bearer',        'Any authorization header is enough.',                   opensTo(({ request }) => request.headers.authorization !== undefined), 'auth.other-carrier'],
  ['header-name-in-upper-case',     ['list-segments', 'create-prompt-version'], 'auth.header-case',   'The header of the key must be in upper case.',          headerCaseMatters, 'robust.same-headers'],
  ['gate-patched-before-refusal',   'patch-gate',                               'auth.no-effect', worksBeforeRefusing(401, 'description')],
  ['gate-disabled-before-refusal',  'disable-gate',                             'auth.no-effect', worksBeforeRefusing(401, 'description')],
  ['source-updated-before-refusal', 'update-qualifying-event',                  'auth.no-effect', worksBeforeRefusing(401, 'sql', 'timestampColumn', 'idTypeMapping', 'description')],
  ['metric-created-before-refusal', 'create-metric',                            'auth.no-effect', worksBeforeRefusing(401, 'name', 'type', 'metricEvents')],
];
