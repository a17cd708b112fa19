import {
  any,
  demands,
  fillsIn,
  forgives,
  is,
  refuses,
  refusesBody,
  takesAs,
  type When,
} from '../../decorators/validation.ts';
import type { FaultTable } from '../fault.ts';

const textOf =
  (what: RegExp): When =>
  value =>
    typeof value === 'string' && what.test(value);
const isNumber: When = value => typeof value === 'number';

/**
 * Fields that are required and fields that are not, values of another type, and values that are to be accepted
 * (sections 2 and 4).
 */
// biome-ignore format: a table
export const requiredFaults: FaultTable = [
  { id: 'experiment-description-optional',  requirement: 'experiment.description',          endpoints: ['update-experiment'],       title: 'An experiment may be updated without a description.',         decorator: fillsIn('description', '') },
  { id: 'experiment-id-type-optional',      requirement: 'experiment.idType',               endpoints: ['update-experiment'],       title: 'An experiment may be updated without an id type.',            decorator: fillsIn('idType', 'userID'), profile: 'standard' },
  { id: 'experiment-hypothesis-optional',   requirement: 'experiment.hypothesis',           endpoints: ['update-experiment'],       title: 'An experiment may be updated without a hypothesis.',          decorator: fillsIn('hypothesis', '') },
  { id: 'experiment-groups-optional',       requirement: 'experiment.groups',               endpoints: ['update-experiment'],       title: 'An experiment may be updated without groups.',                decorator: fillsIn('groups', [{ name: 'Control', size: 100 }]), profile: 'standard' },
  { id: 'experiment-allocation-optional',   requirement: 'experiment.allocation',           endpoints: ['update-experiment'],       title: 'An experiment may be updated without an allocation.',         decorator: fillsIn('allocation', 100) },
  { id: 'experiment-gate-optional',         requirement: 'experiment.targetingGateID',      endpoints: ['update-experiment'],       title: 'An experiment may be updated without a targeting gate.',      decorator: fillsIn('targetingGateID', null), profile: 'standard' },
  { id: 'experiment-bonferroni-optional',   requirement: 'experiment.bonferroniCorrection', endpoints: ['update-experiment'],       title: 'An experiment may be updated without a correction.',          decorator: fillsIn('bonferroniCorrection', false) },
  { id: 'source-sql-optional',              requirement: 'qualifyingEvent.sql',             endpoints: ['update-qualifying-event'], title: 'A source may be updated without a query.',                    decorator: fillsIn('sql', 'SELECT 1') },
  { id: 'source-timestamp-optional',        requirement: 'qualifyingEvent.timestampColumn', endpoints: ['update-qualifying-event'], title: 'A source may be updated without a timestamp column.',         decorator: fillsIn('timestampColumn', 'ts') },
  { id: 'source-mapping-optional',          requirement: 'qualifyingEvent.idTypeMapping',   endpoints: ['update-qualifying-event'], title: 'A source may be updated without a mapping of unit ids.',      decorator: fillsIn('idTypeMapping', []) },
  { id: 'group-names-optional',             requirement: 'enableGroups.group_names',        endpoints: ['enable-groups'],           title: 'Without group names all groups are enabled.',                 decorator: fillsIn('group_names', []) },
  { id: 'metric-name-optional',             requirement: 'metric.name',                     endpoints: ['create-metric'],           title: 'A metric may be created without a name.',                     decorator: fillsIn('name', 'Untitled') },
  { id: 'metric-type-optional',             requirement: 'metric.type',                     endpoints: ['create-metric'],           title: 'A metric may be created without a type.',                     decorator: fillsIn('type', 'event_count_custom') },
  { id: 'metric-event-name-optional',       requirement: 'reject.metric-event-members',     endpoints: ['create-metric'],           title: 'A metric event may lack its name.',                           decorator: fillsIn('metricEvents.*.name', 'page_view'), profile: 'standard' },
  { id: 'ratio-any-aggregation',            requirement: 'reject.ratio-aggregation',        endpoints: ['create-metric'],           title: 'A ratio may use any aggregation.',                            decorator: forgives('metricEvents.*.type', textOf(/./)) },
  { id: 'ratio-sum-too',                    requirement: 'reject.ratio-aggregation',        endpoints: ['create-metric'],           title: 'A ratio may use sum.',                                        decorator: forgives('metricEvents.*.type', is('sum')) },
  { id: 'skip-validation-without-columns',  requirement: 'reject.skip-validation-columns',  endpoints: ['update-qualifying-event'], title: 'The validation is skipped without the names of all columns.', decorator: fillsIn('all_columns', ['ts']) },
  { id: 'skip-validation-without-types',    requirement: 'reject.skip-validation-columns',  endpoints: ['update-qualifying-event'], title: 'The validation is skipped without the types of all columns.', decorator: fillsIn('column_types', ['string']) },

  { id: 'gate-flag-from-text',              requirement: 'reject.wrong-type',               endpoints: ['patch-gate'],              title: '`isEnabled` may be any text: it is true then.',               decorator: takesAs('isEnabled', textOf(/^/), Boolean) },
  { id: 'experiment-number-from-text',      requirement: 'reject.wrong-type',               endpoints: ['update-experiment'],       title: '`allocation` may be a text of digits.',                       decorator: takesAs('allocation', textOf(/^\d+$/), Number), profile: 'standard' },
  { id: 'metric-description-from-number',   requirement: 'reject.wrong-type',               endpoints: ['create-metric'],           title: 'The description of a metric may be a number.',                decorator: takesAs('description', isNumber, String), profile: 'standard' },
  { id: 'group-names-from-text',            requirement: 'reject.wrong-type',               endpoints: ['enable-groups'],           title: 'One group name may be sent instead of a list.',               decorator: takesAs('group_names', textOf(/^/), () => []) },
  { id: 'environment-flag-from-number',     requirement: 'reject.wrong-type',               endpoints: ['update-environments'],     title: '`isProduction` may be 0 or 1.',                               decorator: takesAs('environments.*.isProduction', isNumber, Boolean) },
  { id: 'archive-reason-from-number',       requirement: 'reject.wrong-type',               endpoints: ['archive-config'],          title: 'The reason of archiving may be a number.',                    decorator: takesAs('archiveReason', isNumber, String) },
  { id: 'source-null-description',          requirement: 'reject.wrong-type',               endpoints: ['update-qualifying-event'], title: 'Null is taken for an empty description.',                     decorator: takesAs('description', is(null), () => ''), profile: 'standard' },
  { id: 'gate-keeps-null-description',      requirement: 'reject.well-typed-if-accepted',   endpoints: ['patch-gate'],              title: 'Null as a description is accepted, stored and answered.',     decorator: forgives('description', is(null)), profile: 'standard', alsoAs: ['gate.description'] },
  { id: 'prompt-keeps-number-as-text',      requirement: 'reject.well-typed-if-accepted',   endpoints: ['create-prompt-version'],   title: 'A temperature that is a text is accepted and answered so.',   decorator: forgives('temperature', textOf(/^/)), profile: 'standard' },
  { id: 'metric-keeps-tags-as-text',        requirement: 'reject.well-typed-if-accepted',   endpoints: ['create-metric'],           title: 'Tags that are one text are accepted and answered so.',        decorator: forgives('tags', textOf(/^/)), profile: 'standard' },

  { id: 'gate-empty-tags-refused',          requirement: 'accept.combination',              endpoints: ['patch-gate'],              title: 'An empty list of tags is refused.',                           decorator: refuses('tags', value => Array.isArray(value) && value.length === 0) },
  { id: 'gate-lifts-refused',               requirement: 'accept.stated-boundary',              endpoints: ['patch-gate'],              title: '`measureMetricLifts` is an unknown field.',                   decorator: refuses('measureMetricLifts', any) },
  { id: 'gate-empty-description-refused',   requirement: 'accept.combination',              endpoints: ['patch-gate'],              title: 'An empty description is refused.',                            decorator: refuses('description', is('')) },
  { id: 'prompt-penalty-refused',           requirement: 'accept.plain-value',              endpoints: ['create-prompt-version'],   title: '`frequency_penalty` is refused.',                             decorator: refuses('frequency_penalty', any) },
  { id: 'prompt-fractions-refused',         requirement: 'accept.plain-value',              endpoints: ['create-prompt-version'],   title: '`temperature` must be a whole number.',                       decorator: refuses('temperature', value => !Number.isInteger(value)) },
  { id: 'experiment-fractions-refused',     requirement: 'accept.plain-value',              endpoints: ['update-experiment'],       title: '`allocation` must be a whole number.',                        decorator: refuses('allocation', value => !Number.isInteger(value)), profile: 'standard' },
  { id: 'source-custom-fields-refused',     requirement: 'accept.plain-value',              endpoints: ['update-qualifying-event'], title: '`customFieldMapping` is refused.',                            decorator: refuses('customFieldMapping', any) },
  { id: 'metric-permanent-refused',         requirement: 'accept.stated-boundary',              endpoints: ['create-metric'],           title: '`isPermanent` is refused.',                                   decorator: refuses('isPermanent', any) },
  { id: 'environment-pipeline-refused',     requirement: 'accept.smallest',                 endpoints: ['update-environments'],     title: 'An environment with a release pipeline is refused.',          decorator: refuses('environments.*.requiresReleasePipeline', is(true)) },
  { id: 'gate-null-team-refused',           requirement: 'accept.documented-null',          endpoints: ['patch-gate'],              title: 'A gate cannot be taken out of its team: null is refused.',    decorator: refuses('team', is(null)) },
  { id: 'gate-null-creator-refused',        requirement: 'accept.documented-null',          endpoints: ['patch-gate'],              title: 'A null `creatorEmail` is refused.',                           decorator: refuses('creatorEmail', is(null)) },
  { id: 'experiment-null-secondary-refused', requirement: 'accept.documented-null',         endpoints: ['update-experiment'],       title: 'A null `secondaryIDType` is refused.',                        decorator: refuses('secondaryIDType', is(null)), profile: 'standard' },
  { id: 'experiment-null-days-refused',     requirement: 'accept.documented-null',          endpoints: ['update-experiment'],       title: 'Null for all days is refused.',                               decorator: refuses('scheduledReloadDays', is(null)) },
  { id: 'metric-null-team-refused',         requirement: 'accept.documented-null',          endpoints: ['create-metric'],           title: 'A null team of a metric is refused.',                         decorator: refuses('team', is(null)) },
  { id: 'source-null-team-refused',         requirement: 'accept.documented-null',          endpoints: ['update-qualifying-event'], title: 'A null `teamID` of a source is refused.',                     decorator: refuses('teamID', is(null)) },
  { id: 'metric-description-required',      requirement: 'accept.smallest',                 endpoints: ['create-metric'],           title: 'A metric cannot be created without a description.',           decorator: demands('description'), alsoAs: ['accept.metric-count-types'] },
  { id: 'prompt-temperature-required',            requirement: 'accept.smallest',                 endpoints: ['create-prompt-version'],   title: 'A prompt version cannot be created without a temperature.',   decorator: demands('temperature') },
  { id: 'gate-empty-patch-refused',         requirement: 'state.patch-empty-reads',         endpoints: ['patch-gate'],              title: 'A patch that carries no field is refused.',                   decorator: refusesBody(body => Object.keys(body).length === 0) },
  { id: 'gate-two-fields-refused',          requirement: 'accept.combination',              endpoints: ['patch-gate'],              title: 'Tags and lifts cannot be patched together.',            decorator: refusesBody(body => 'tags' in body && 'measureMetricLifts' in body), profile: 'thorough' },
  { id: 'prompt-many-fields-refused',       requirement: 'accept.combination',              endpoints: ['create-prompt-version'],   title: 'More than eight fields of a prompt version are too many.',     decorator: refusesBody(body => Object.keys(body).length > 8), profile: 'standard' },
  { id: 'source-placeholders-refused',      requirement: 'accept.sql-placeholders',         endpoints: ['update-qualifying-event'], title: 'A query with placeholders is refused.',                       decorator: refuses('sql', textOf(/\{service_(start|end)_date\}/)), alsoAs: ['accept.smallest'] },
  { id: 'metric-event-user-refused',        requirement: 'accept.metric-count-types',       endpoints: ['create-metric'],           title: 'Metrics of type event_user cannot be created.',               decorator: refuses('type', is('event_user')), alsoAs: ['accept.stated-boundary'] },
  { id: 'metric-funnel-refused',            requirement: 'accept.metric-types',             endpoints: ['create-metric'],           title: 'Metrics of type funnel cannot be created.',                   decorator: refuses('type', is('funnel')) },
];
