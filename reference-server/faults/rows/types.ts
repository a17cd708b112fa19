import { alter } from '../../decorators/members.ts';
import { shown, shownAs, shownWith, showsLater } from '../../decorators/responses.ts';
import { byPosition, list, lower, number, to, upper } from '../../decorators/values.ts';
import type { FaultTable } from '../fault.ts';

const joined = list(items => items.join(','));
const isoTime = (time: never) => new Date(Number(time)).toISOString();
const nullIfEmpty = (value: { readonly length: number }) => (value.length === 0 ? null : value);
const members = (items: readonly object[], name: string, value: string) =>
  Object.fromEntries((items as readonly Readonly<Record<string, string>>[]).map(item => [item[name], item[value]]));

/** Types of documented fields, at the top and at depth (section 2). */
// biome-ignore format: a table
export const typeFaults: FaultTable = [
  ['environment-production-as-text',    'update-environments',    'environment.isProduction',             '`isProduction` is the text "true" or "false".',              shown('environments.*.isProduction', String)],
  ['environment-review-null',           'update-environments',    'environment.requiresReview',           '`requiresReview` is null instead of false.',                 shown('environments.*.requiresReview', (flag: boolean) => flag || null), 'echo.sent-field'],
  ['gate-enabled-as-number',            'patch-gate',             'gate.isEnabled',                       '`isEnabled` of a gate is 0 or 1.',                           shown('isEnabled', Number)],
  ['gate-created-as-iso',               'disable-gate',           'gate.createdTime',                     '`createdTime` of a gate is an ISO date.',                    shown('createdTime', isoTime)],
  ['gate-modified-with-fraction',       'patch-gate',             'gate.lastModifiedTime',                '`lastModifiedTime` of a gate has a fraction.',               shown('lastModifiedTime', number(count => count + 0.5))],
  ['gate-tags-joined',                  'disable-gate',           'gate.tags',                            'The tags of a gate come as one text with commas.',           shown('tags', joined)],
  ['gate-tags-null-when-empty',         'patch-gate',             'gate.tags',                            'An empty list of tags comes back as null.',                  shown('tags', nullIfEmpty), 'echo.sent-field', 'state.patch-every-sent'],
  ['gate-version-as-text',              'patch-gate',             'gate.version',                         'The version of a gate is a text.',                           shown('version', String)],
  ['gate-type-lower-case',              'disable-gate',           'gate.type',                            'The type of a gate is answered in lower case.',              shown('type', lower)],
  ['gate-type-unknown-value',           'disable-gate',           'gate.type',                            'The type of a gate is one that is not documented.',          shownAs('type', 'STALE')],
  ['gate-description-null',             'disable-gate',           'gate.description',                     'The description of a gate is null.',                         shown('description', to(null))],
  ['gate-owner-as-name',                'disable-gate',           'gate.owner',                           'The owner of a gate is a name instead of an object.',        shownAs('owner', 'Ada')],
  ['gate-owner-id-as-number',           'patch-gate',             'owner.ownerID',                        'The id of the owner of a gate is a number.',                 shownAs('owner', { ownerID: 7, ownerType: 'USER' })],
  ['gate-monitoring-metric-as-name',    'disable-gate',           'gate.monitoringMetrics',               'Monitoring metrics of a gate are names.',                    shownAs('monitoringMetrics', ['page_view'])],
  ['gate-review-as-text',               'disable-gate',           'gateReviewSettings.requiredReview',    '`requiredReview` of a gate is a text.',                      shownAs('reviewSettings', { requiredReview: 'yes', allowedReviewers: [] })],
  ['config-default-in-json-text',       'disable-config',         'dynamicConfig.defaultValue',           'The default value of a config is JSON in a text.',           shown('defaultValue', JSON.stringify)],
  ['config-app-as-list',                'archive-config',         'dynamicConfig.targetApps',             '`targetApps` of a config is a list.',                        shownAs('targetApps', ['web'])],
  ['config-version-as-text',            'list-config-versions',   'dynamicConfig.version',                'The version of a config is v1 and so on.',                   shown('version', number(version => `v${version}`))],
  ['config-team-null',                  'disable-config',         'dynamicConfig.team',                   'The team of a config is null, which is not documented.',     shownAs('team', null)],
  ['config-rule-percentage-as-text',    'list-config-versions',   'rule.passPercentage',                  'The percentage of a rule is a text with a percent sign.',    shown('rules.*.passPercentage', number(share => `${share}%`))],
  ['config-rule-condition-scalar',      'disable-config',         'rule.conditions',                      'A rule has one condition instead of a list.',                shown('rules.*.conditions', list(([first = {}]) => first))],
  ['config-condition-operator-null',    'list-config-versions',   'condition.operator',                   'The operator of a condition is null.',                       shown('rules.*.conditions.*.operator', to(null))],
  ['config-rollout-time-as-iso',        'list-config-versions',   'rollout.time',                         'The time of a rollout is an ISO date.',                      shownAs('rules.*.pendingAutomatedRollouts', [{ passPercent: 10, time: '2026-01-01T00:00:00Z' }])],
  ['config-variant-value-as-text',      'disable-config',         'variant.returnValue',                  'The value of a variant is JSON in a text.',                  shownAs('rules.*.variants', [{ name: 'a', returnValue: '{}' }])],
  ['config-later-version-enabled-text', 'list-config-versions',   'dynamicConfig.isEnabled',              'From the third version on `isEnabled` is a text.',           showsLater(alter('isEnabled', String))],
  ['experiment-group-size-as-text',     'update-experiment',      'group.size',                           'The size of a group is a text.',                             shown('groups.*.size', String)],
  ['experiment-groups-as-object',       'enable-groups',          'experiment.groups',                    'The groups of an experiment are an object by position.',     shown('groups', byPosition), 'state.enable-groups-frame'],
  ['experiment-status-unknown-value',   'enable-groups',          'experiment.status',                    'The status of an experiment is one that is not documented.', shownAs('status', 'running'), 'state.enable-groups-frame'],
  ['experiment-confidence-as-number',   'enable-groups',          'experiment.defaultConfidenceInterval', 'The confidence interval is a number.',                       shown('defaultConfidenceInterval', Number), 'state.enable-groups-frame'],
  ['experiment-start-as-iso',           'enable-groups',          'experiment.startTime',                 'The start of an experiment is an ISO date.',                 shownAs('startTime', '2026-01-01T00:00:00Z')],
  ['experiment-stale-as-text',          'update-experiment',      'experiment.isStale',                   '`isStale` of an experiment is a text.',                      shownAs('isStale', 'no')],
  ['experiment-hypothesis-null',        'enable-groups',          'experiment.hypothesis',                'The hypothesis of an experiment is null.',                   shown('hypothesis', to(null)), 'state.enable-groups-frame', 'state.concurrent-fields'],
  ['experiment-health-check-as-text',   'update-experiment',      'experiment.healthChecks',              'A health check is a text.',                                  shownAs('healthChecks', ['ok'])],
  ['experiment-health-metrics-joined',  'enable-groups',          'healthCheckMetadata.missingMetrics',   'The missing metrics of a health check are one text.',        shownAs('healthChecks', [{ name: 'a', description: 'b', metadata: { missingMetrics: 'a, b' } }])],
  ['experiment-quality-as-text',        'enable-groups',          'qualityScore.score',                   'The quality score of an experiment is a text.',              shownAs('qualityScore', { score: 'good', breakdown: [] })],
  ['experiment-reviewer-as-id',         'enable-groups',          'reviewSettings.allowedReviewers',      'The reviewers of an experiment are ids.',                    shownAs('reviewSettings', { requiredReview: true, allowedReviewers: ['u1'] })],
  ['source-day-as-text',                'list-qualifying-events', 'qualifyingEvent.timestampAsDay',       '`timestampAsDay` of a source is a text.',                    shown('timestampAsDay', String)],
  ['source-mapping-as-object',          'list-qualifying-events', 'qualifyingEvent.idTypeMapping',        'The mapping of unit ids is an object by unit.',              shown('idTypeMapping', (mapping: readonly object[]) => members(mapping, 'serviceUnitID', 'column'))],
  ['source-mapping-column-null',        'list-qualifying-events', 'idTypeMapping.column',                 'The column of a unit id is null.',                           shown('idTypeMapping.*.column', to(null))],
  ['source-later-tags-null',            'list-qualifying-events', 'qualifyingEvent.tags',                 'From the third source on the tags are null.',                showsLater(alter('tags', to(null)))],
  ['source-type-upper-case',            'list-qualifying-events', 'qualifyingEvent.sourceType',           'The type of a source is answered in upper case.',            shown('sourceType', upper)],
  ['source-formula-as-list',            'list-qualifying-events', 'customFieldMapping.formula',           'The formula of a custom field is a list.',                   shownAs('customFieldMapping', [{ key: 'a', formula: ['b'] }])],
  ['metric-lineage-as-list',            'list-event-metrics',     'metric.lineage',                       'The lineage of a metric is a list of events.',               shown('lineage', (lineage: { events: unknown }) => lineage.events), 'state.lineage-truth'],
  ['metric-lineage-events-as-objects',  'list-event-metrics',     'lineage.events',                       'The events of a lineage are objects.',                       shown('lineage.events', list(events => events.map(name => ({ name })))), 'state.lineage-truth'],
  ['metric-hidden-as-number',           'create-metric',          'metric.isHidden',                      '`isHidden` of a metric is 0 or 1.',                          shown('isHidden', Number)],
  ['metric-event-criteria-null',        'list-event-metrics',     'metricEvent.criteria',                 'The criteria of a metric event are null.',                   shownAs('metricEvents.*.criteria', null)],
  ['metric-tags-as-object',             'list-event-metrics',     'metric.tags',                          'The tags of a metric are an object by position.',            shown('tags', byPosition)],
  ['metric-created-as-text',            'create-metric',          'metric.createdTime',                   '`createdTime` of a metric is a text of digits.',             shown('createdTime', String)],
  ['metric-directionality-upper-case',  'list-event-metrics',     'metric.directionality',                'The directionality of a metric is in upper case.',           shown('directionality', upper)],
  ['segment-count-as-text',             'list-segments',          'segment.count',                        'The count of a segment is a text.',                          shown('count', String)],
  ['segment-type-unknown-value',        'list-segments',          'segment.type',                         'The type of a segment is one that is not documented.',       shownAs('type', 'dynamic')],
  ['segment-rules-as-list',             'list-segments',          'segment.rules',                        'The rules of a segment are a list of one.',                  shown('rules', (rules: unknown) => [rules])],
  ['segment-rules-share-as-text',       'list-segments',          'segmentRules.passPercentage',          'The percentage of the rules of a segment is a text.',        shown('rules.passPercentage', String)],
  ['segment-id-list-enabled-null',      'list-segments',          'segment.isEnabled',                    '`isEnabled` of id lists is null.',                           shownWith(({ type }) => type === 'id_list' && { isEnabled: null })],
  ['prompt-temperature-as-text',        'create-prompt-version',  'promptVersion.temperature',            'The temperature of a prompt version is a text.',             shown('temperature', String)],
  ['prompt-role-null',                  'create-prompt-version',  'promptMessage.role',                   'The role of a prompt is null.',                              shownAs('prompts.*.role', null), 'echo.sent-field'],
  ['prompt-headers-as-object',          'create-prompt-version',  'promptVersion.workflow_headers',       'Workflow headers are an object by name.',                    shown('workflow_headers', (headers: readonly object[]) => members(headers, 'name', 'value')), 'standard'],
  ['event-timestamp-as-number',         'list-events',            'loggedEvent.timestamp',                'The timestamp of a logged event is a number.',               shown('timestamp', Number)],
  ['event-timestamp-as-iso',            'list-events',            'loggedEvent.timestamp',                'The timestamp of a logged event is an ISO date.',            shown('timestamp', isoTime)],
  ['event-value-null-when-empty',       'list-events',            'loggedEvent.value',                    'An empty value of a logged event is null.',                  shown('value', nullIfEmpty)],
  ['event-metadata-in-json-text',       'list-events',            'loggedEvent.metadata',                 'The metadata of a logged event are JSON in a text.',         shown('metadata', JSON.stringify)],
  ['event-user-as-number',              'list-events',            'loggedEvent.userID',                   'The user of a logged event is a number.',                    shownAs('userID', 42)],
];
