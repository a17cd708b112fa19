import { alter, asNull, asObject, asText, set } from '../../decorators/members.ts';
import { shows, showsLater } from '../../decorators/responses.ts';
import type { FaultTable } from '../fault.ts';

const flagAsNumber = (path: string) => shows(alter(path, Number));
const joined = (path: string) => shows(alter(path, (list: readonly unknown[]) => list.join(',')));
const isoTime = (path: string) => shows(alter(path, (time: number) => new Date(time).toISOString()));
const isoTimeText = (path: string) => shows(alter(path, (time: string) => new Date(Number(time)).toISOString()));
const inJson = (path: string) => shows(alter(path, JSON.stringify));
const half = (path: string) => shows(alter(path, (count: number) => count + 0.5));

/** Types of documented fields, at the top and at depth (section 2). */
// biome-ignore format: a table
export const typeFaults: FaultTable = [
  ['environment-production-as-text',    'update-environments',    'environment.isProduction',             '`isProduction` is the text "true" or "false".',              shows(asText('environments.*.isProduction'))],
  ['environment-review-null',           'update-environments',    'environment.requiresReview',           '`requiresReview` is null instead of false.',                 shows(alter('environments.*.requiresReview', (flag: boolean) => flag || null)), 'echo.sent-field'],
  ['gate-enabled-as-number',            'patch-gate',             'gate.isEnabled',                       '`isEnabled` of a gate is 0 or 1.',                           flagAsNumber('isEnabled')],
  ['gate-created-as-iso',               'disable-gate',           'gate.createdTime',                     '`createdTime` of a gate is an ISO date.',                    isoTime('createdTime')],
  ['gate-modified-with-fraction',       'patch-gate',             'gate.lastModifiedTime',                '`lastModifiedTime` of a gate has a fraction.',               half('lastModifiedTime')],
  ['gate-tags-joined',                  'disable-gate',           'gate.tags',                            'The tags of a gate come as one text with commas.',           joined('tags')],
  ['gate-tags-null-when-empty',         'patch-gate',             'gate.tags',                            'An empty list of tags comes back as null.',                  shows(alter('tags', (tags: readonly unknown[]) => (tags.length === 0 ? null : tags))), 'echo.sent-field', 'state.patch-every-sent'],
  ['gate-version-as-text',              'patch-gate',             'gate.version',                         'The version of a gate is a text.',                           shows(asText('version'))],
  ['gate-type-lower-case',              'disable-gate',           'gate.type',                            'The type of a gate is answered in lower case.',              shows(alter('type', (type: string) => type.toLowerCase()))],
  ['gate-type-unknown-value',           'disable-gate',           'gate.type',                            'The type of a gate is one that is not documented.',          shows(set('type', 'STALE'))],
  ['gate-description-null',             'disable-gate',           'gate.description',                     'The description of a gate is null.',                         shows(asNull('description'))],
  ['gate-owner-as-name',                'disable-gate',           'gate.owner',                           'The owner of a gate is a name instead of an object.',        shows(set('owner', 'Ada'))],
  ['gate-owner-id-as-number',           'patch-gate',             'owner.ownerID',                        'The id of the owner of a gate is a number.',                 shows(set('owner', { ownerID: 7, ownerType: 'USER' }))],
  ['gate-monitoring-metric-as-name',    'disable-gate',           'gate.monitoringMetrics',               'Monitoring metrics of a gate are names.',                    shows(set('monitoringMetrics', ['page_view']))],
  ['gate-review-as-text',               'disable-gate',           'gateReviewSettings.requiredReview',    '`requiredReview` of a gate is a text.',                      shows(set('reviewSettings', { requiredReview: 'yes', allowedReviewers: [] }))],
  ['config-default-in-json-text',       'disable-config',         'dynamicConfig.defaultValue',           'The default value of a config is JSON in a text.',           inJson('defaultValue')],
  ['config-app-as-list',                'archive-config',         'dynamicConfig.targetApps',             '`targetApps` of a config is a list.',                        shows(set('targetApps', ['web']))],
  ['config-version-as-text',            'list-config-versions',   'dynamicConfig.version',                'The version of a config is v1 and so on.',                   shows(alter('version', (version: number) => `v${version}`))],
  ['config-team-null',                  'disable-config',         'dynamicConfig.team',                   'The team of a config is null, which is not documented.',     shows(set('team', null))],
  ['config-rule-percentage-as-text',    'list-config-versions',   'rule.passPercentage',                  'The percentage of a rule is a text with a percent sign.',    shows(alter('rules.*.passPercentage', (share: number) => `${share}%`))],
  ['config-rule-condition-scalar',      'disable-config',         'rule.conditions',                      'A rule has one condition instead of a list.',                shows(alter('rules.*.conditions', (list: readonly unknown[]) => list[0] ?? {}))],
  ['config-condition-operator-null',    'list-config-versions',   'condition.operator',                   'The operator of a condition is null.',                       shows(asNull('rules.*.conditions.*.operator'))],
  ['config-rollout-time-as-iso',        'list-config-versions',   'rollout.time',                         'The time of a rollout is an ISO date.',                      shows(set('rules.*.pendingAutomatedRollouts', [{ passPercent: 10, time: '2026-01-01T00:00:00Z' }]))],
  ['config-variant-value-as-text',      'disable-config',         'variant.returnValue',                  'The value of a variant is JSON in a text.',                  shows(set('rules.*.variants', [{ name: 'a', returnValue: '{}' }]))],
  ['config-later-version-enabled-text', 'list-config-versions',   'dynamicConfig.isEnabled',              'From the third version on `isEnabled` is a text.',           showsLater(asText('isEnabled'))],
  ['experiment-group-size-as-text',     'update-experiment',      'group.size',                           'The size of a group is a text.',                             shows(asText('groups.*.size'))],
  ['experiment-groups-as-object',       'enable-groups',          'experiment.groups',                    'The groups of an experiment are an object by position.',     shows(asObject('groups')), 'state.enable-groups-frame'],
  ['experiment-status-unknown-value',   'enable-groups',          'experiment.status',                    'The status of an experiment is one that is not documented.', shows(set('status', 'running')), 'state.enable-groups-frame'],
  ['experiment-confidence-as-number',   'enable-groups',          'experiment.defaultConfidenceInterval', 'The confidence interval is a number.',                       shows(alter('defaultConfidenceInterval', Number)), 'state.enable-groups-frame'],
  ['experiment-start-as-iso',           'enable-groups',          'experiment.startTime',                 'The start of an experiment is an ISO date.',                 shows(set('startTime', '2026-01-01T00:00:00Z'))],
  ['experiment-stale-as-text',          'update-experiment',      'experiment.isStale',                   '`isStale` of an experiment is a text.',                      shows(set('isStale', 'no'))],
  ['experiment-hypothesis-null',        'enable-groups',          'experiment.hypothesis',                'The hypothesis of an experiment is null.',                   shows(asNull('hypothesis')), 'state.enable-groups-frame', 'state.concurrent-fields'],
  ['experiment-health-check-as-text',   'update-experiment',      'experiment.healthChecks',              'A health check is a text.',                                  shows(set('healthChecks', ['ok']))],
  ['experiment-health-metrics-joined',  'enable-groups',          'healthCheckMetadata.missingMetrics',   'The missing metrics of a health check are one text.',        shows(set('healthChecks', [{ name: 'a', description: 'b', metadata: { missingMetrics: 'a, b' } }]))],
  ['experiment-quality-as-text',        'enable-groups',          'qualityScore.score',                   'The quality score of an experiment is a text.',              shows(set('qualityScore', { score: 'good', breakdown: [] }))],
  ['experiment-reviewer-as-id',         'enable-groups',          'reviewSettings.allowedReviewers',      'The reviewers of an experiment are ids.',                    shows(set('reviewSettings', { requiredReview: true, allowedReviewers: ['u1'] }))],
  ['source-day-as-text',                'list-qualifying-events', 'qualifyingEvent.timestampAsDay',       '`timestampAsDay` of a source is a text.',                    shows(asText('timestampAsDay'))],
  ['source-mapping-as-object',          'list-qualifying-events', 'qualifyingEvent.idTypeMapping',        'The mapping of unit ids is an object by unit.',              shows(alter('idTypeMapping', (list: readonly { serviceUnitID: string; column: string }[]) => Object.fromEntries(list.map(item => [item.serviceUnitID, item.column]))))],
  ['source-mapping-column-null',        'list-qualifying-events', 'idTypeMapping.column',                 'The column of a unit id is null.',                           shows(asNull('idTypeMapping.*.column'))],
  ['source-later-tags-null',            'list-qualifying-events', 'qualifyingEvent.tags',                 'From the third source on the tags are null.',                showsLater(asNull('tags'))],
  ['source-type-upper-case',            'list-qualifying-events', 'qualifyingEvent.sourceType',           'The type of a source is answered in upper case.',            shows(alter('sourceType', (type: string) => type.toUpperCase()))],
  ['source-formula-as-list',            'list-qualifying-events', 'customFieldMapping.formula',           'The formula of a custom field is a list.',                   shows(set('customFieldMapping', [{ key: 'a', formula: ['b'] }]))],
  ['metric-lineage-as-list',            'list-event-metrics',     'metric.lineage',                       'The lineage of a metric is a list of events.',               shows(alter('lineage', (lineage: { events: unknown }) => lineage.events)), 'state.lineage-truth'],
  ['metric-lineage-events-as-objects',  'list-event-metrics',     'lineage.events',                       'The events of a lineage are objects.',                       shows(alter('lineage.events', (events: readonly string[]) => events.map(name => ({ name })))), 'state.lineage-truth'],
  ['metric-hidden-as-number',           'create-metric',          'metric.isHidden',                      '`isHidden` of a metric is 0 or 1.',                          flagAsNumber('isHidden')],
  ['metric-event-criteria-null',        'list-event-metrics',     'metricEvent.criteria',                 'The criteria of a metric event are null.',                   shows(set('metricEvents.*.criteria', null))],
  ['metric-tags-as-object',             'list-event-metrics',     'metric.tags',                          'The tags of a metric are an object by position.',            shows(asObject('tags'))],
  ['metric-created-as-text',            'create-metric',          'metric.createdTime',                   '`createdTime` of a metric is a text of digits.',             shows(asText('createdTime'))],
  ['metric-directionality-upper-case',  'list-event-metrics',     'metric.directionality',                'The directionality of a metric is in upper case.',           shows(alter('directionality', (direction: string) => direction.toUpperCase()))],
  ['segment-count-as-text',             'list-segments',          'segment.count',                        'The count of a segment is a text.',                          shows(asText('count'))],
  ['segment-type-unknown-value',        'list-segments',          'segment.type',                         'The type of a segment is one that is not documented.',       shows(set('type', 'dynamic'))],
  ['segment-rules-as-list',             'list-segments',          'segment.rules',                        'The rules of a segment are a list of one.',                  shows(alter('rules', (rules: unknown) => [rules]))],
  ['segment-rules-share-as-text',       'list-segments',          'segmentRules.passPercentage',          'The percentage of the rules of a segment is a text.',        shows(asText('rules.passPercentage'))],
  ['segment-id-list-enabled-null',      'list-segments',          'segment.isEnabled',                    '`isEnabled` of id lists is null.',                           shows(segment => { if (segment.type === 'id_list') segment.isEnabled = null; })],
  ['prompt-temperature-as-text',        'create-prompt-version',  'promptVersion.temperature',            'The temperature of a prompt version is a text.',             shows(asText('temperature'))],
  ['prompt-role-null',                  'create-prompt-version',  'promptMessage.role',                   'The role of a prompt is null.',                              shows(set('prompts.*.role', null)), 'echo.sent-field'],
  ['prompt-headers-as-object',          'create-prompt-version',  'promptVersion.workflow_headers',       'Workflow headers are an object by name.',                    shows(alter('workflow_headers', (list: readonly { name: string; value: string }[]) => Object.fromEntries(list.map(({ name, value }) => [name, value])))), 'standard'],
  ['event-timestamp-as-number',         'list-events',            'loggedEvent.timestamp',                'The timestamp of a logged event is a number.',               shows(alter('timestamp', Number))],
  ['event-timestamp-as-iso',            'list-events',            'loggedEvent.timestamp',                'The timestamp of a logged event is an ISO date.',            isoTimeText('timestamp')],
  ['event-value-null-when-empty',       'list-events',            'loggedEvent.value',                    'An empty value of a logged event is null.',                  shows(alter('value', (value: string) => value || null))],
  ['event-metadata-in-json-text',       'list-events',            'loggedEvent.metadata',                 'The metadata of a logged event are JSON in a text.',         inJson('metadata')],
  ['event-user-as-number',              'list-events',            'loggedEvent.userID',                   'The user of a logged event is a number.',                    shows(set('userID', 42))],
];
