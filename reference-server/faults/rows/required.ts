import type { BodyOf } from '../../../contracts/endpoints.ts';
import {
  any,
  type Decorator,
  demands,
  fillsIn,
  forgives,
  is,
  isEmpty,
  items,
  matches,
  onRequest,
  onValidBody,
  refuses,
  refusesBody,
  sentBy,
  takesAs,
  type When,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const isNumber: When = value => typeof value === 'number';

/** Adds a mean of 0 to each group of a manual baseline that has none, from the metric with index `from` on. */
const withMeans = (from: number): Decorator =>
  onValidBody((body, { endpoint }) => {
    const { sprtMDESettings = [] } = body as BodyOf<'update-experiment'>;
    if (endpoint !== 'update-experiment' || sprtMDESettings.length === 0) return body;
    const filled = sprtMDESettings.map((one, index) => ({
      ...one,
      groupSettings: (one.groupSettings ?? []).map(group => (index < from ? group : { mean: 0, ...group })),
    }));
    return { ...body, sprtMDESettings: filled };
  });

/** True of a baseline that is measured in the experiment and states no mean. */
const isMeasuredAlone = (body: BodyOf<'update-experiment'>): boolean =>
  body.sprtBaselineMode === 'in_experiment_control' &&
  (body.sprtMDESettings ?? []).some(({ groupSettings = [] }) => groupSettings.some(({ mean }) => mean === undefined));

/** Required and optional fields, values of another type, and values that must be accepted (sections 2 and 4). */
/** Takes no notice of `skip_validation` where no columns are named. */
const skipsAlone = onRequest(request => {
  const { skip_validation: _, ...body } = sentBy(request);
  return 'all_columns' in body || 'column_types' in body ? request : { ...request, body };
});

// biome-ignore format: a table
export const requiredFaults: FaultTable = [
  ['experiment-description-optional',   'update-experiment',       'experiment.description', fillsIn('description', '')],
  ['experiment-id-type-optional',       'update-experiment',       'experiment.idType', fillsIn('idType', 'userID'), 'standard'],
  ['experiment-hypothesis-optional',    'update-experiment',       'experiment.hypothesis', fillsIn('hypothesis', '')],
  ['experiment-groups-optional',        'update-experiment',       'experiment.groups', fillsIn('groups', [{ name: 'Control', size: 100 }]), 'standard'],
  ['experiment-allocation-optional',    'update-experiment',       'experiment.allocation', fillsIn('allocation', 100)],
  ['experiment-gate-optional',          'update-experiment',       'experiment.targetingGateID', fillsIn('targetingGateID', null), 'standard'],
  ['experiment-bonferroni-optional',    'update-experiment',       'experiment.bonferroniCorrection', fillsIn('bonferroniCorrection', false)],
  ['source-sql-optional',               'update-qualifying-event', 'qualifyingEvent.sql', fillsIn('sql', 'SELECT 1')],
  ['source-timestamp-optional',         'update-qualifying-event', 'qualifyingEvent.timestampColumn', fillsIn('timestampColumn', 'ts')],
  ['source-mapping-optional',           'update-qualifying-event', 'qualifyingEvent.idTypeMapping', fillsIn('idTypeMapping', [])],
  ['group-names-optional',              'enable-groups',           'enableGroups.group_names', fillsIn('group_names', [])],
  ['metric-name-optional',              'create-metric',           'metric.name', fillsIn('name', 'Untitled')],
  ['metric-type-optional',              'create-metric',           'metric.type', fillsIn('type', 'event_count_custom')],
  ['metric-event-name-optional',        'create-metric',           'reject.metric-event-members', fillsIn('metricEvents.*.name', 'page_view'), 'standard'],
  ['ratio-any-aggregation',             'create-metric',           'reject.ratio-aggregation', forgives('metricEvents.*.type', matches(/./))],
  ['ratio-sum-too',                     'create-metric',           'reject.ratio-aggregation', forgives('metricEvents.*.type', is('sum'))],
  ['skip-validation-without-columns',   'update-qualifying-event', 'reject.skip-validation-columns', fillsIn('all_columns', ['ts'])],
  ['skip-validation-without-types',     'update-qualifying-event', 'reject.skip-validation-columns', fillsIn('column_types', ['string'])],
  ['skip-validation-without-both',      'update-qualifying-event', 'reject.skip-validation-columns', 'Where no columns are named, validation may be skipped.',      skipsAlone, 'standard'],
  ['skip-validation-false-means-true',  'update-qualifying-event', 'accept.plain-value', 'An update that says not to skip validation has to name columns.', refusesBody(body => body.skip_validation === false && !('all_columns' in body)), 'standard'],
  ['skip-validation-refused',           'update-qualifying-event', 'accept.skip-validation', refuses('skip_validation', is(true)), 'accept.plain-value'],
  ['manual-baseline-without-mean',      'update-experiment',       'reject.sprt-baseline',            'A manual baseline needs no mean.',                            withMeans(0)],
  ['later-baseline-without-mean',       'update-experiment',       'reject.sprt-baseline',            'Only the first metric of a manual baseline needs a mean.',    withMeans(1)],

  ['gate-flag-from-text',               'patch-gate',              'reject.wrong-type',               '`isEnabled` may be any text: it is true then.',               takesAs('isEnabled', matches(/^/), Boolean)],
  ['experiment-number-from-text',       'update-experiment',       'reject.wrong-type',               '`allocation` may be a text of digits.',                       takesAs('allocation', matches(/^\d+$/), Number), 'standard'],
  ['metric-description-from-number',    'create-metric',           'reject.wrong-type',               'The description of a metric may be a number.',                takesAs('description', isNumber, String), 'standard'],
  ['group-names-from-text',             'enable-groups',           'reject.wrong-type',               'One group name may be sent instead of a list.',               takesAs('group_names', matches(/^/), () => [])],
  ['environment-flag-from-number',      'update-environments',     'reject.wrong-type',               '`isProduction` may be 0 or 1.',                               takesAs('environments.*.isProduction', isNumber, Boolean)],
  ['archive-reason-from-number',        'archive-config',          'reject.wrong-type',               'The reason of archiving may be a number.',                    takesAs('archiveReason', isNumber, String)],
  ['source-null-description',           'update-qualifying-event', 'reject.wrong-type',               'Null is taken for an empty description.',                     takesAs('description', is(null), () => ''), 'standard'],
  ['gate-keeps-null-description',       'patch-gate',              'reject.well-typed-if-accepted', forgives('description', is(null)), 'standard', 'gate.description'],
  ['prompt-keeps-number-as-text',       'create-prompt-version',   'reject.well-typed-if-accepted', forgives('temperature', matches(/^/)), 'standard'],
  ['metric-keeps-tags-as-text',         'create-metric',           'reject.well-typed-if-accepted', forgives('tags', matches(/^/)), 'standard'],

  ['gate-empty-tags-refused',           'patch-gate',              'accept.combination',              'An empty list of tags is refused.',                           refuses('tags', value => Array.isArray(value) && value.length === 0)],
  ['gate-lifts-refused',                'patch-gate',              'accept.stated-boundary', refuses('measureMetricLifts', any)],
  ['gate-empty-description-refused',    'patch-gate',              'accept.combination', refuses('description', is(''))],
  ['prompt-penalty-refused',            'create-prompt-version',   'accept.plain-value', refuses('frequency_penalty', any)],
  ['prompt-fractions-refused',          'create-prompt-version',   'accept.plain-value',              '`temperature` must be a whole number.',                       refuses('temperature', value => !Number.isInteger(value))],
  ['experiment-fractions-refused',      'update-experiment',       'accept.plain-value',              '`allocation` must be a whole number.',                        refuses('allocation', value => !Number.isInteger(value)), 'standard'],
  ['source-custom-fields-refused',      'update-qualifying-event', 'accept.plain-value', refuses('customFieldMapping', any)],
  ['metric-permanent-refused',          'create-metric',           'accept.stated-boundary', refuses('isPermanent', any)],
  ['environment-pipeline-refused',      'update-environments',     'accept.smallest', refuses('environments.*.requiresReleasePipeline', is(true))],
  ['patch-gate', 'accept.documented-null', [
    ['gate-null-team-refused',    refuses('team', is(null))],
    ['gate-null-team-id-refused', refuses('teamID', is(null)), 'standard'],
    ['gate-null-creator-refused', refuses('creatorEmail', is(null))],
  ]],
  ['experiment-null-secondary-refused', 'update-experiment',       'accept.documented-null', refuses('secondaryIDType', is(null)), 'standard'],
  ['experiment-null-days-refused',      'update-experiment',       'accept.documented-null', refuses('scheduledReloadDays', is(null))],
  ['metric-null-team-refused',          'create-metric',           'accept.documented-null', refuses('team', is(null))],
  ['source-null-team-refused',          'update-qualifying-event', 'accept.documented-null', refuses('teamID', is(null))],
  ['metric-description-required',       'create-metric',           'accept.optional-absent', demands('description')],
  ['experiment-links-required',         'update-experiment',       'accept.optional-absent', demands('links')],
  ['gate-empty-patch-refused',          'patch-gate',              'state.patch-empty-reads',         'A patch that carries no field is refused.',                   refusesBody(isEmpty)],
  ['gate-two-fields-refused',           'patch-gate',              'accept.combination',              'Tags and lifts cannot be patched together.',                  refusesBody(body => 'tags' in body && 'measureMetricLifts' in body), 'thorough'],
  ['prompt-many-fields-refused',        'create-prompt-version',   'accept.combination',              'More than eight fields of a prompt version are too many.',    refusesBody(body => Object.keys(body).length > 8), 'standard'],
  ['source-placeholders-refused',       'update-qualifying-event', 'accept.sql-placeholders',         'A query with placeholders is refused.',                       refuses('sql', matches(/\{service_(start|end)_date\}/)), 'accept.smallest'],
  ['metric-event-user-refused',         'create-metric',           'accept.metric-count-types', refuses('type', is('event_user')), 'accept.stated-boundary'],
  ['sprt-measured-needs-mean',          'update-experiment',       'accept.stated-boundary',          'A baseline that is measured in the experiment needs a mean as well.', refusesBody(body => isMeasuredAlone(body as BodyOf<'update-experiment'>)), 'standard'],
  ['groups-every-refused',              'enable-groups',           'accept.combination', refuses('group_names', items(2)), 'standard'],
  ['metric-funnel-refused',             'create-metric',           'accept.metric-types', refuses('type', is('funnel'))],
];
