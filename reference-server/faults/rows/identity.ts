import { set } from '../../decorators/members.ts';
import { hidden, hiddenWhere, onEntity, shown, shownAs, shownWith, showsLater } from '../../decorators/responses.ts';
import { is, items } from '../../decorators/validation.ts';
import { cut, text, upper } from '../../decorators/values.ts';
import type { FaultTable } from '../fault.ts';

/** Ids and names that a response shows, and its required members (sections 2 and 4). */
// biome-ignore format: a table
export const identityFaults: FaultTable = [
  ['gate-id-of-database',             'patch-gate',              'identity.gate-id', shownAs('id', '0190c3')],
  ['gate-id-upper-case',              'disable-gate',            'identity.gate-id', shown('id', upper)],
  ['config-id-with-version',          'disable-config',          'identity.config-id',             'The id of a disabled config carries its version.',                  shown('id', text(id => `${id}@2`))],
  ['config-id-archived-prefix',       'archive-config',          'identity.config-id',             'The id of an archived config gets a prefix.',                       shown('id', text(id => `archived_${id}`))],
  ['config-version-id-numbered',      'list-config-versions',    'identity.config-version-id',     'Each version of a config has an id of its own.',                    shownWith(({ id }, _sent, index) => ({ id: `${id}-${index}` }))],
  ['config-version-id-first-only',    'list-config-versions',    'identity.config-version-id',     'Versions from the third on have the id of another config.',         showsLater(set('id', 'another_config'))],
  ['experiment-id-is-layer',          'update-experiment',       'identity.experiment-id',         'The id of an experiment is that of its layer.',                     shownWith(({ layerID }) => ({ id: layerID ?? 'layer' }))],
  ['experiment-id-trimmed',           'enable-groups',           'identity.experiment-id', shown('id', cut(-1))],
  ['source-name-prefixed',            'update-qualifying-event', 'identity.qualifying-event-name', 'The name of an updated source gets a prefix.',                      shown('name', text(name => `source:${name}`))],
  ['metric-id-one-colon',             'create-metric',           'identity.metric-id',             'The id of a created metric has one colon.',                         shownWith(({ name, type }) => ({ id: `${name}:${type}` }))],
  ['metric-id-type-first',            'list-event-metrics',      'identity.metric-id',             'The id of a listed metric begins with its type.',                   shownWith(({ name, type }) => ({ id: `${type}::${name}` }))],
  ['metric-id-name-only',             'create-metric',           'identity.metric-id',             'The id of a created metric is its name.',                           shownWith(({ name }) => ({ id: name }))],
  ['metric-id-of-wrong-type',         'create-metric',           'identity.metric-id',             'A metric of type event_user is created as event_dau, and says so.', shownWith(({ name, type }) => type === 'event_user' && { type: 'event_dau', id: `${name}::event_dau` }), 'echo.sent-field'],
  ['event-name-of-source',            'list-events',             'identity.event-name',            'The name of a logged event is that of its source.',                 shownWith(({ source }) => ({ name: source }))],
  ['event-name-prefix-matches',       'list-events',             'identity.event-name',            'Events whose names begin with the one asked for are listed too.',   shownWith(({ name, value }) => value === '' && { name: `${name}_v2` })],

  ['gate-without-id',                 'patch-gate',              'presence.must', hidden('id')],
  ['gate-enabled-only-if-true',       'disable-gate',            'presence.must', hiddenWhere(is(false), 'isEnabled')],
  ['environment-without-id',          'update-environments',     'presence.must', hidden('environments.*.id'), 'state.environments-listed'],
  ['environment-false-left-out',      'update-environments',     'presence.must', hiddenWhere(is(false), 'environments.*.requiresReview'), 'state.environments-listed'],
  ['config-version-without-id',       'list-config-versions',    'presence.must', hidden('id')],
  ['experiment-without-layer',        'update-experiment',       'presence.must', hidden('layerID')],
  ['experiment-without-null-gate',    'enable-groups',           'presence.must', hiddenWhere(is(null), 'targetingGateID')],
  ['experiment-empty-lists-left-out', 'update-experiment',       'presence.must', hiddenWhere(items(0), 'primaryMetrics', 'secondaryMetrics', 'primaryMetricTags', 'secondaryMetricTags')],
  ['source-without-name',             'list-qualifying-events',  'presence.must', hidden('name')],
  ['segment-without-id',              'list-segments',           'presence.must',                  'A segment has a `key` instead of an id.',                           onEntity(segment => { segment.key = segment.id; delete segment.id; })],
  ['metric-without-id',               'create-metric',           'presence.must', hidden('id')],
  ['event-empty-value-left-out',      'list-events',             'presence.must', hiddenWhere(is(''), 'value')],
  ['event-metadata-left-out',         'list-events',             'presence.must', hidden('metadata')],
  ['source-update-without-sql',       'update-qualifying-event', 'presence.named', hidden('sql'), 'echo.sent-field'],
  ['source-list-without-custom',      'list-qualifying-events',  'presence.named', hidden('customFieldMapping')],
  ['source-list-tags-when-any',       'list-qualifying-events',  'presence.named',                 'Listed sources show their tags only if there are any.',             onEntity((source, _request, index) => { if (index % 2 === 0) delete source.tags; })],
  ['event-metrics-without-lineage',   'list-event-metrics',      'presence.named', hidden('lineage')],
];
