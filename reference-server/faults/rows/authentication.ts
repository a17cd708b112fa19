import {
  around,
  headerCaseMatters,
  keyForgotten,
  keyIn,
  opensTo,
  worksBeforeRefusing,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const noKey = opensTo('No key is needed.', ({ absent }) => absent);
const noKeyElsewhere = (name: string) =>
  opensTo(
    'The first entity alone is guarded: at others no key is needed.',
    ({ absent, request }) => absent && request.param !== name,
  );
const emptyKey = opensTo('An empty key is enough.', ({ sent, absent }) => !absent && sent === '');
const anyKey = opensTo('Any key is enough.', ({ sent }) => sent !== '');
const inQuery = opensTo('The key may stand in the query.', presented => keyIn('query', presented) === presented.key);
const inBody = opensTo('The key may stand in the body.', presented => keyIn('body', presented) === presented.key);
const bearer = opensTo(
  'The key may be a bearer token.',
  ({ request, key }) => request.headers.authorization === `Bearer ${key}`,
);

/** Adds a disabled version to the config of a request that is refused for its key, also to one that is disabled. */
const versionBeforeRefusing = around(async (work, { param }, store) => {
  const answer = await work();
  if (answer.status !== 401) return answer;
  await store.transaction(async transaction => {
    const config = await transaction.get('configs', param);
    const [newest] = config?.versions ?? [];
    if (config === undefined || newest === undefined) return;
    const versions = [{ ...newest, version: newest.version + 1, isEnabled: false }, ...config.versions];
    await transaction.put('configs', param, { ...config, versions });
  });
  return answer;
});

/** Section 5: requests that are wrongly let in, and refused requests that have an effect. */
// biome-ignore format: a table
export const authenticationFaults: FaultTable = [
  ['guard-forgotten',               ['list-segments', 'disable-gate'],          'auth.missing-key',   'No request needs a key.',                               keyForgotten, 'auth.empty-key', 'auth.wrong-key', 'auth.near-miss-key', 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['missing-key-lists-sources',     'list-qualifying-events',                   'auth.missing-key', noKey, 'auth.key-in-query', 'auth.bearer'],
  ['missing-key-lists-later-pages', 'list-segments',                            'auth.missing-key', opensTo('No key is needed for a page after the first.', ({ absent, request }) => absent && Number(request.query.page) > 1), 'standard'],
  ['missing-key-patches-others',    'patch-gate',                               'auth.missing-key', noKeyElsewhere('new_checkout'), 'standard'],
  ['missing-key-shows-others',      'list-config-versions',                     'auth.missing-key', noKeyElsewhere('pricing_table'), 'standard'],
  ['missing-key-archives',          'archive-config',                           'auth.missing-key', noKey, 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['missing-key-enables-groups',    'enable-groups',                            'auth.missing-key', noKey, 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['missing-key-disables-config',   'disable-config',                           'auth.missing-key', noKey, 'auth.key-in-query', 'auth.key-in-body', 'auth.bearer'],
  ['empty-key-lists-events',        'list-events',                              'auth.empty-key', emptyKey],
  ['empty-key-updates-source',      'update-qualifying-event',                  'auth.empty-key', emptyKey],
  ['any-key-lists-metrics',         'list-event-metrics',                       'auth.wrong-key', anyKey, 'auth.near-miss-key'],
  ['any-key-patches-gate',          'patch-gate',                               'auth.wrong-key', anyKey, 'auth.near-miss-key'],
  ['key-of-same-length',            'list-config-versions',                     'auth.wrong-key', opensTo('Any key of the right length will do.', ({ sent, key }) => sent.length === key.length), 'auth.near-miss-key'],
  ['key-prefix-is-enough',          'create-metric',                            'auth.near-miss-key', opensTo('The beginning of the key is enough.', ({ sent, key }) => sent.length > 2 && key.startsWith(sent))],
  ['key-may-go-on',                 'list-segments',                            'auth.near-miss-key', opensTo('What follows the key is not compared.', ({ sent, key }) => sent.startsWith(key))],
  ['key-in-any-case',               'update-environments',                      'auth.near-miss-key', opensTo('Keys are compared without letter case.', ({ sent, key }) => sent.toLowerCase() === key.toLowerCase())],
  ['key-last-character',            'disable-gate',                             'auth.near-miss-key', opensTo('The last character of the key is not compared.', ({ sent, key }) => sent.slice(0, key.length - 1) === key.slice(0, -1))],
  ['key-in-query-lists-segments',   'list-segments',                            'auth.key-in-query', inQuery],
  ['key-in-query-beside-another',   'list-event-metrics',                       'auth.key-in-query', opensTo('With another key in the header, the one in the query counts.', presented => presented.sent !== '' && keyIn('query', presented) === presented.key), 'standard'],
  ['key-in-query-disables-gate',    'disable-gate',                             'auth.key-in-query', inQuery],
  ['key-in-body-creates-prompt',    'create-prompt-version',                    'auth.key-in-body', inBody],
  ['key-in-body-updates',           'update-experiment',                        'auth.key-in-body', inBody],
  ['bearer-lists-events',           'list-events',                              'auth.bearer', bearer],
  ['bearer-patches-gate',           'patch-gate',                               'auth.bearer', bearer],
  ['any-bearer-creates-metric',     'create-metric',                            'auth.bearer', opensTo('Any authorization header is enough.', ({ request }) => request.headers.authorization !== undefined), 'auth.other-carrier'],
  ['header-name-in-upper-case',     ['list-segments', 'create-prompt-version'], 'auth.header-case',   'The header of the key must be in upper case.',          headerCaseMatters, 'robust.same-headers'],
  ['gate-patched-before-refusal',   'patch-gate',                               'auth.no-effect', worksBeforeRefusing(401, 'description')],
  ['config-disabled-before-refusal', 'disable-config',                         'auth.no-effect', 'A request without the key disables the config all the same, in a version of its own each time.', versionBeforeRefusing],
  ['source-updated-before-refusal', 'update-qualifying-event',                  'auth.no-effect', worksBeforeRefusing(401, 'sql', 'timestampColumn', 'idTypeMapping', 'description')],
  ['metric-created-before-refusal', 'create-metric',                            'auth.no-effect', worksBeforeRefusing(401, 'name', 'type', 'metricEvents')],
];
