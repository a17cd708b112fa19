import { alter } from '../../decorators/members.ts';
import { shown, shownAs, shownWith, showsLater } from '../../decorators/responses.ts';
import { asNumber, asText, byPosition, list, lower, named, number, to, upper } from '../../decorators/values.ts';
import type { FaultTable } from '../fault.ts';

const asJson = named('as JSON in a text', (value: unknown) => JSON.stringify(value));
const isoTime = named('as an ISO date', (time: never) => new Date(Number(time)).toISOString());
const nullIfEmpty = named('as null when it is empty', (value: { readonly length: number }) =>
  value.length === 0 ? null : value,
);
const members = (items: readonly object[], name: string, value: string) =>
  Object.fromEntries((items as readonly Readonly<Record<string, string>>[]).map(item => [item[name], item[value]]));

/** Types of documented fields, at the top level and below (section 2). */
// biome-ignore format: a table
export const typeFaults: FaultTable = [
  ['environment-production-as-text',    'update-environments',    'environment.isProduction', shown('environments.*.isProduction', asText)],
  ['environment-review-null',           'update-environments',    'environment.requiresReview',           '`requiresReview` is null instead of false.',                 shown('environments.*.requiresReview', (flag: boolean) => flag || null), 'echo.sent-field'],
  ['gate-enabled-as-number',            'patch-gate',             'gate.isEnabled', shown('isEnabled', asNumber)],
  ['gate-created-as-iso',               'disable-gate',           'gate.createdTime', shown('createdTime', isoTime)],
  ['gate-modified-with-fraction',       'patch-gate',             'gate.lastModifiedTime',                '`lastModifiedTime` of a gate has a fraction.',               shown('lastModifiedTime', number(count => count + 0.5))],
  ['gate-tags-joined',                  'disable-gate',           'gate.tags',                            'The tags of a gate come as one text with commas.',           shown('tags', list(items => items.join(',')))],
  ['gate-tags-null-when-empty',         'patch-gate',             'gate.tags', shown('tags', nullIfEmpty), 'echo.sent-field', 'state.patch-every-sent'],
  ['gate-version-as-text',              'patch-gate',             'gate.version', shown('version', asText)],
  ['gate-type-lower-case',              'disable-gate',           'gate.type', shown('type', lower)],
  ['gate-type-unknown-value',           'disable-gate',           'gate.type', shownAs('type', 'STALE')],
  ['gate-description-null',             'disable-gate',           'gate.description', shown('description', to(null))],
  ['gate-owner-as-name',                'disable-gate',           'gate.owner', shownAs('owner', 'Ada')],
  ['gate-owner-id-as-number',           'patch-gate',             'owner.ownerID',                        'The id of the owner of a gate is a number.',                 shownAs('owner', { ownerID: 7, ownerType: 'USER' })],
  ['gate-monitoring-metric-as-name',    'disable-gate',           'gate.monitoringMetrics', shownAs('monitoringMetrics', ['page_view'])],
  ['gate-review-as-text',               'disable-gate',           'gateReviewSettings.requiredReview',    '`requiredReview` of a gate is a text.',                      shownAs('reviewSettings', { requiredReview: 'yes', allowedReviewers: [] })],
  ['config-default-in-json-text',       'disable-config',         'dynamicConfig.defaultValue', shown('defaultValue', asJson)],
  ['config-app-as-list',                'archive-config',         'dynamicConfig.targetApps', shownAs('targetApps', ['web'])],
  ['config-version-as-text',            'list-config-versions',   'dynamicConfig.version',                'The version of a config is v1 and so on.',                   shown('version', number(version => `v${version}`))],
  ['config-team-null',                  'disable-config',         'dynamicConfig.team', shownAs('team', null)],
  ['config-rule-percentage-as-text',    'list-config-versions',   'rule.passPercentage',                  'The percentage of a rule is a text with a percent sign.',    shown('rules.*.passPercentage', number(share => `${share}%`))],
  ['config-rule-condition-scalar',      'disable-config',         'rule.conditions',                      'A rule has one condition instead of a list.',                shown('rules.*.conditions', list(([first = {}]) => first))],
  ['config-condition-operator-null',    'list-config-versions',   'condition.operator', shown('rules.*.conditions.*.operator', to(null))],
  ['config-rollout-time-as-iso',        'list-config-versions',   'rollout.time',                         'The time of a rollout is an ISO date.',                      shownAs('rules.*.pendingAutomatedRollouts', [{ passPercent: 10, time: '2026-01-01T00:00:00Z' }])],
  ['config-variant-value-as-text',      'disable-config',         'variant.returnValue', shownAs('rules.*.variants', [{ name: 'a', returnValue: '{}' }])],
  ['config-later-version-enabled-text', 'list-config-versions',   'dynamicConfig.isEnabled',              'From the third version on `isEnabled` is a text.',           showsLater(alter('isEnabled', asText))],
  ['experiment-group-size-as-text',     'update-experiment',      'group.size', shown('groups.*.size', asText)],
  ['experiment-groups-as-object',       'enable-groups',          'experiment.groups', shown('groups', byPosition)],
  ['experiment-status-unknown-value',   'enable-groups',          'experiment.status', shownAs('status', 'running')],
  ['experiment-confidence-as-number',   'enable-groups',          'experiment.defaultConfidenceInterval', shown('defaultConfidenceInterval', asNumber)],
  ['experiment-start-as-iso',           'enable-groups',          'experiment.startTime', shownAs('startTime', '2026-01-01T00:00:00Z')],
  ['experiment-stale-as-text',          'update-experiment',      'experiment.isStale', shownAs('isStale', 'no')],
  ['experiment-hypothesis-null',        'enable-groups',          'experiment.hypothesis', shown('hypothesis', to(null))],
  ['experiment-health-check-as-text',   'update-experiment',      'experiment.healthChecks', shownAs('healthChecks', ['ok'])],
  ['experiment-health-metrics-joined',  'enable-groups',          'healthCheckMetadata.missingMetrics',   'The missing metrics of a health check are one text.',        shownAs('healthChecks', [{ name: 'a', description: 'b', metadata: { missingMetrics: 'a, b' } }])],
  ['experiment-quality-as-text',        'enable-groups',          'qualityScore.score',                   'The quality score of an experiment is a text.',              shownAs('qualityScore', { score: 'good', breakdown: [] })],
  ['experiment-scores-weightless',      'update-experiment',      'manualQualityScore.weight',            'A score of no weight comes back with a null.',                shown('manualQualityScores.*.weight', weight => weight || null), 'standard'],
  ['experiment-quality-unscaled',       'enable-groups',          'meaning.quality-weights',              'The weights of a quality score do not add up to 100.',       shownAs('qualityScore', { score: 1, breakdown: [{ criterion: 'HYPOTHESIS_LENGTH', passingDescription: 'Long enough.', score: 1, weight: 60 }] })],
  ['experiment-reviewer-as-id',         'enable-groups',          'reviewSettings.allowedReviewers',      'The reviewers of an experiment are ids.',                    shownAs('reviewSettings', { requiredReview: true, allowedReviewers: ['u1'] })],
  ['source-day-as-text',                'list-qualifying-events', 'qualifyingEvent.timestampAsDay', shown('timestampAsDay', asText)],
  ['source-mapping-as-object',          'list-qualifying-events', 'qualifyingEvent.idTypeMapping',        'The mapping of unit ids is an object by unit.',              shown('idTypeMapping', (mapping: readonly object[]) => members(mapping, 'serviceUnitID', 'column'))],
  ['source-mapping-column-null',        'list-qualifying-events', 'idTypeMapping.column', shown('idTypeMapping.*.column', to(null))],
  ['source-later-tags-null',            'list-qualifying-events', 'qualifyingEvent.tags',                 'From the third source on the tags are null.',                showsLater(alter('tags', to(null)))],
  ['source-type-upper-case',            'list-qualifying-events', 'qualifyingEvent.sourceType', shown('sourceType', upper)],
  ['source-formula-as-list',            'list-qualifying-events', 'customFieldMapping.formula',           'The formula of a custom field is a list.',                   shownAs('customFieldMapping', [{ key: 'a', formula: ['b'] }])],
  ['metric-lineage-as-list',            'list-event-metrics',     'metric.lineage',                       'The lineage of a metric is a list of events.',               shown('lineage', (lineage: { events: unknown }) => lineage.events)],
  ['metric-lineage-events-as-objects',  'list-event-metrics',     'lineage.events',                       'The events of a lineage are objects.',                       shown('lineage.events', list(events => events.map(name => ({ name }))))],
  ['metric-hidden-as-number',           'create-metric',          'metric.isHidden', shown('isHidden', asNumber)],
  ['metric-event-criteria-null',        'list-event-metrics',     'metricEvent.criteria', shownAs('metricEvents.*.criteria', null)],
  ['metric-tags-as-object',             'list-event-metrics',     'metric.tags', shown('tags', byPosition)],
  ['metric-created-as-text',            'create-metric',          'metric.createdTime', shown('createdTime', asText)],
  ['metric-directionality-upper-case',  'list-event-metrics',     'metric.directionality', shown('directionality', upper)],
  ['segment-count-as-text',             'list-segments',          'segment.count', shown('count', asText)],
  ['segment-type-null',                 'list-segments',          'segment.type', shownAs('type', null)],
  ['segment-rules-as-list',             'list-segments',          'segment.rules',                        'The rules of a segment are a list of one.',                  shown('rules', (rules: unknown) => [rules])],
  ['segment-rules-share-as-text',       'list-segments',          'segmentRules.passPercentage', shown('rules.passPercentage', asText)],
  ['segment-id-list-enabled-null',      'list-segments',          'segment.isEnabled',                    '`isEnabled` of id lists is null.',                           shownWith(({ type }) => type === 'id_list' && { isEnabled: null })],
  ['segment-rules-of-all',              'list-segments',          'meaning.segment-rules',                'Id lists are shown with the rules of another segment.',      shownWith(({ type }) => type === 'id_list' && { rules: { name: 'All', passPercentage: 100, conditions: [{ type: 'public', operator: 'any', field: '', targetValue: [] }], returnValue: {} } })],
  ['prompt-temperature-as-text',        'create-prompt-version',  'promptVersion.temperature', shown('temperature', asText)],
  ['prompt-role-null',                  'create-prompt-version',  'promptMessage.role', shownAs('prompts.*.role', null), 'echo.sent-field'],
  ['prompt-headers-as-object',          'create-prompt-version',  'promptVersion.workflow_headers',       'Workflow headers are an object by name.',                    shown('workflow_headers', (headers: readonly object[]) => members(headers, 'name', 'value')), 'standard'],
  ['event-timestamp-as-number',         'list-events',            'loggedEvent.timestamp', shown('timestamp', asNumber)],
  ['event-timestamp-as-iso',            'list-events',            'loggedEvent.timestamp', shown('timestamp', isoTime)],
  ['event-value-null-when-empty',       'list-events',            'loggedEvent.value', shown('value', nullIfEmpty)],
  ['event-metadata-in-json-text',       'list-events',            'loggedEvent.metadata', shown('metadata', asJson)],
  ['event-user-as-number',              'list-events',            'loggedEvent.userID', shownAs('userID', 42)],
];
