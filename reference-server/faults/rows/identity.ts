import { alter, drop, set } from '../../decorators/members.ts';
import { onEntity, shows, showsLater } from '../../decorators/responses.ts';
import type { FaultTable } from '../fault.ts';

/** Ids and names that a response shows, and members that it must have (sections 2 and 4). */
// biome-ignore format: a table
export const identityFaults: FaultTable = [
  ['gate-id-of-database',             'patch-gate',              'identity.gate-id',               'A patched gate has an id of the database instead of its own.',      shows(set('id', '0190c3'))],
  ['gate-id-upper-case',              'disable-gate',            'identity.gate-id',               'A disabled gate shows its id in upper case.',                       shows(alter('id', (id: string) => id.toUpperCase()))],
  ['config-id-with-version',          'disable-config',          'identity.config-id',             'The id of a disabled config carries its version.',                  shows(alter('id', (id: string) => `${id}@2`))],
  ['config-id-archived-prefix',       'archive-config',          'identity.config-id',             'The id of an archived config gets a prefix.',                       shows(alter('id', (id: string) => `archived_${id}`))],
  ['config-version-id-numbered',      'list-config-versions',    'identity.config-version-id',     'Each version of a config has an id of its own.',                    onEntity((version, _request, index) => { version.id = `${version.id}-${index}`; })],
  ['config-version-id-first-only',    'list-config-versions',    'identity.config-version-id',     'Versions from the third on have the id of another config.',         showsLater(set('id', 'another_config'))],
  ['experiment-id-is-layer',          'update-experiment',       'identity.experiment-id',         'The id of an experiment is that of its layer.',                     onEntity(experiment => { experiment.id = experiment.layerID ?? 'layer'; })],
  ['experiment-id-trimmed',           'enable-groups',           'identity.experiment-id',         'The id of an experiment loses its last character.',                 shows(alter('id', (id: string) => id.slice(0, -1)))],
  ['source-name-prefixed',            'update-qualifying-event', 'identity.qualifying-event-name', 'The name of an updated source gets a prefix.',                      shows(alter('name', (name: string) => `source:${name}`)), 'state.qualifying-event-name-fixed'],
  ['metric-id-one-colon',             'create-metric',           'identity.metric-id',             'The id of a created metric has one colon.',                         onEntity(metric => { metric.id = `${metric.name}:${metric.type}`; }), 'state.metric-listed'],
  ['metric-id-type-first',            'list-event-metrics',      'identity.metric-id',             'The id of a listed metric begins with its type.',                   onEntity(metric => { metric.id = `${metric.type}::${metric.name}`; })],
  ['metric-id-name-only',             'create-metric',           'identity.metric-id',             'The id of a created metric is its name.',                           onEntity(metric => { metric.id = metric.name; }), 'state.metric-listed'],
  ['metric-id-of-wrong-type',         'create-metric',           'identity.metric-id',             'A metric of type event_user is created as event_dau, and says so.', onEntity(metric => { if (metric.type === 'event_user') { metric.type = 'event_dau'; metric.id = `${metric.name}::event_dau`; } }), 'echo.sent-field'],
  ['event-name-of-source',            'list-events',             'identity.event-name',            'The name of a logged event is that of its source.',                 onEntity(event => { event.name = event.source; })],
  ['event-name-prefix-matches',       'list-events',             'identity.event-name',            'Events whose names begin with the one asked for are listed too.',   onEntity(event => { if (event.value === '') event.name = `${event.name}_v2`; })],

  ['gate-without-id',                 'patch-gate',              'presence.must',                  'A patched gate has no id.',                                         shows(drop('id'))],
  ['gate-enabled-only-if-true',       'disable-gate',            'presence.must',                  '`isEnabled` is left out when it is false.',                         onEntity(gate => { if (gate.isEnabled === false) delete gate.isEnabled; })],
  ['environment-without-id',          'update-environments',     'presence.must',                  'Environments have no ids.',                                         shows(drop('environments.*.id')), 'state.environments-listed'],
  ['environment-false-left-out',      'update-environments',     'presence.must',                  'Flags of an environment that are false are left out.',              onEntity(data => { for (const one of data.environments as Record<string, unknown>[]) if (one.requiresReview === false) delete one.requiresReview; }), 'state.environments-listed'],
  ['config-version-without-id',       'list-config-versions',    'presence.must',                  'Versions of a config have no id.',                                  shows(drop('id'))],
  ['experiment-without-layer',        'update-experiment',       'presence.must',                  'An experiment has no `layerID`.',                                   shows(drop('layerID'))],
  ['experiment-without-null-gate',    'enable-groups',           'presence.must',                  'A `targetingGateID` of null is left out.',                          onEntity(experiment => { if (experiment.targetingGateID === null) delete experiment.targetingGateID; })],
  ['experiment-empty-lists-left-out', 'update-experiment',       'presence.must',                  'Empty lists of metrics are left out.',                              onEntity(experiment => { for (const name of ['primaryMetrics', 'secondaryMetrics', 'primaryMetricTags', 'secondaryMetricTags']) if ((experiment[name] as unknown[] | undefined)?.length === 0) delete experiment[name]; })],
  ['source-without-name',             'list-qualifying-events',  'presence.must',                  'A listed source has no name.',                                      shows(drop('name'))],
  ['segment-without-id',              'list-segments',           'presence.must',                  'A segment has a `key` instead of an id.',                           onEntity(segment => { segment.key = segment.id; delete segment.id; })],
  ['metric-without-id',               'create-metric',           'presence.must',                  'A created metric has no id.',                                       shows(drop('id')), 'state.metric-listed'],
  ['event-empty-value-left-out',      'list-events',             'presence.must',                  'An empty value of a logged event is left out.',                     onEntity(event => { if (event.value === '') delete event.value; })],
  ['event-metadata-left-out',         'list-events',             'presence.must',                  'Logged events have no metadata.',                                   shows(drop('metadata'))],
  ['source-update-without-sql',       'update-qualifying-event', 'presence.named',                 'An updated source does not show its query.',                        shows(drop('sql')), 'echo.sent-field'],
  ['source-list-without-custom',      'list-qualifying-events',  'presence.named',                 'Listed sources do not show their custom fields.',                   shows(drop('customFieldMapping'))],
  ['source-list-tags-when-any',       'list-qualifying-events',  'presence.named',                 'Listed sources show their tags only if there are any.',             onEntity((source, _request, index) => { if (index % 2 === 0) delete source.tags; })],
  ['event-metrics-without-lineage',   'list-event-metrics',      'presence.named',                 'The metrics of an event do not show their lineage.',                shows(drop('lineage'))],
];
