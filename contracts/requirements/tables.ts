import type { ObjectSchema, Schema } from '../dialect.ts';
import * as r from '../resources/index.ts';
import type { Section } from './requirement.ts';

/** A table of fields: its section, the name of one entity, and the schema nodes with its rows. */
type TableRow = readonly [section: Section, noun: string, ...nodes: ObjectSchema[]];

const schemas = { ...r };

/** The rows as written: one without a schema has the schema of its own name. */
type Written<Name extends string> = {
  readonly [Table in Name]: Table extends keyof typeof schemas ? TableRow | readonly [Section, noun: string] : TableRow;
};

const withNames = <Name extends string>(rows: Written<Name>): Readonly<Record<Name, TableRow>> =>
  Object.fromEntries(
    Object.entries<TableRow>(rows).map(([name, row]) => [
      name,
      row.length > 2 ? row : [...row, schemas[name as keyof typeof schemas]],
    ]),
  ) as Readonly<Record<Name, TableRow>>;

/**
 * The tables of fields of the specification, by stable name. Schema nodes are found by identity, so that a pointer into
 * a request or an answer becomes an id such as `gate.description`. Request and answer of a resource share a table.
 */
// biome-ignore format: a table
export const tables = withNames({
  pagination:             ['2.1',  'a pagination object'],
  owner:                  ['2.1',  'an owner'],
  rule:                   ['2.1',  'a rule',                                       r.rule, r.inlineTargetingRule],
  condition:              ['2.1',  'a condition',                                  r.condition, r.segmentCondition],
  variant:                ['2.1',  'a variant'],
  rollout:                ['2.1',  'a step of an automated rollout'],
  environment:            ['2.2',  'an environment',                               r.environmentRequest, r.environment],
  environments:           ['4.1',  'a set of environments',                        r.environmentsBody, r.environmentsData],
  gate:                   ['2.3',  'a gate',                                       r.gatePatch, r.gate],
  gateReviewSettings:     ['2.3',  'a set of gate review settings'],
  dynamicConfig:          ['2.4',  'a dynamic config'],
  archive:                ['4.10', 'a request to archive',                         r.archiveBody],
  experiment:             ['2.5',  'an experiment',                                r.experimentRequest, r.experiment],
  enableGroups:           ['4.8',  'a request to enable groups',                   r.enableGroupsBody],
  group:                  ['2.5',  'a group'],
  metricReference:        ['2.5',  'a metric reference'],
  link:                   ['2.5',  'a link of an experiment'],
  externalEvent:          ['2.5',  'an external event'],
  bayesianPrior:          ['2.5',  'a Bayesian prior'],
  priorMetric:            ['2.5',  'a metric of a Bayesian prior'],
  manualQualityScore:     ['2.5',  'a manual quality score'],
  assignmentSourceFilter: ['2.5',  'a filter of an assignment source'],
  sprtMetricSetting:      ['2.5',  'a metric setting of a sequential test'],
  sprtGroupSetting:       ['2.5',  'a group setting of a sequential test'],
  userDimension:          ['2.5',  'a precomputed user dimension'],
  cureCovariate:          ['2.5',  'a CURE covariate'],
  stratifiedSampling:     ['2.5',  'a stratified sampling',                        r.stratifiedSamplingRequest, r.stratifiedSampling],
  stratifiedMetric:       ['2.5',  'a metric of stratified sampling'],
  entityPropertySource:   ['2.5',  'an entity property source'],
  stratifiedCsv:          ['2.5',  'a file of stratified sampling'],
  reviewSettings:         ['2.5',  'a set of experiment review settings',          r.experimentReviewSettings],
  reviewer:               ['2.5',  'a reviewer'],
  activeReview:           ['2.5',  'an active review'],
  qualityScore:           ['2.5',  'a quality score'],
  qualityCriterion:       ['2.5',  'a criterion of a quality score'],
  summarySection:         ['2.5',  'a section of a summary'],
  shipWithHoldout:        ['2.5',  'a shipment with holdout'],
  healthCheck:            ['2.5',  'a health check'],
  healthCheckMetadata:    ['2.5',  'a metadata object of a health check'],
  deduplicationRate:      ['2.5',  'a deduplication rate'],
  metricDates:            ['2.5',  'a span of dates in a health check'],
  healthGroup:            ['2.5',  'a group in a health check'],
  healthGroupMetric:      ['2.5',  'a metric of a group in a health check'],
  groupBucketInfo:        ['2.5',  'a bucket size of a group'],
  qualifyingEvent:        ['2.6',  'a qualifying event',                           r.qualifyingEventRequest, r.qualifyingEvent],
  idTypeMapping:          ['2.6',  'a unit id mapping'],
  customFieldMapping:     ['2.6',  'a custom field mapping'],
  metric:                 ['2.7',  'a metric',                                     r.metricRequest, r.metric],
  metricEvent:            ['2.7',  'a metric event',                               r.metricEventRequest, r.ratioEventRequest, r.metricEvent],
  funnelEvent:            ['2.7',  'a funnel event'],
  lineage:                ['2.7',  'a lineage'],
  warehouseNative:        ['2.7',  'a warehouse-native part of a metric'],
  criterion:              ['2.7',  'a criterion of a metric'],
  warehouseMetricSource:  ['2.7',  'a metric source of a warehouse-native metric'],
  warehouseFunnelEvent:   ['2.7',  'a funnel event of a warehouse-native metric'],
  dimensionLimit:         ['2.7',  'a limit of a metric dimension'],
  warehouseComponent:     ['2.7',  'a component of a warehouse-native metric'],
  segment:                ['2.8',  'a segment'],
  segmentRules:           ['2.8',  'a set of segment rules'],
  promptVersion:          ['2.9',  'a prompt version',                             r.promptVersionRequest, r.promptVersion],
  promptMessage:          ['2.9',  'a prompt'],
  workflowHeader:         ['2.9',  'a workflow header'],
  loggedEvent:            ['2.10', 'a logged event'],
});

/** The name of a table of fields. */
export type FieldTable = keyof typeof tables;

/** The names of the tables of fields, in order. */
export const fieldTables = Object.keys(tables) as readonly FieldTable[];

/** The id of a field row. Those of `pagination` are listed, because hand-written rows share that prefix. */
export type FieldRequirementId =
  | `${Exclude<FieldTable, 'pagination'>}.${string}`
  | `pagination.${keyof typeof r.pagination.properties}`;

const byNode: ReadonlyMap<Schema, FieldTable> = new Map(
  fieldTables.flatMap(table => {
    const [, , ...nodes] = tables[table];
    return nodes.map(node => [node, table] as const);
  }),
);

/** Returns the table of a schema node, by identity; undefined if there is none. */
export function tableOf(node: Schema): FieldTable | undefined {
  return byNode.get(node);
}
