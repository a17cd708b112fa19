import type { Schema } from '../dialect.ts';
import { fieldTables, type pagination } from '../resources/index.ts';
import type { Section } from './requirement.ts';

/** Where the specification has the rows of each table of fields, and what one entity of the table is called in a sentence. */
// biome-ignore format: a table
export const tables = {
  pagination:             ['2.1',  'a pagination object'],
  owner:                  ['2.1',  'an owner'],
  rule:                   ['2.1',  'a rule'],
  condition:              ['2.1',  'a condition'],
  variant:                ['2.1',  'a variant'],
  rollout:                ['2.1',  'a step of an automated rollout'],
  environment:            ['2.2',  'an environment'],
  environments:           ['4.1',  'a set of environments'],
  gate:                   ['2.3',  'a gate'],
  gateReviewSettings:     ['2.3',  'a set of gate review settings'],
  dynamicConfig:          ['2.4',  'a dynamic config'],
  archive:                ['4.10', 'a request to archive'],
  experiment:             ['2.5',  'an experiment'],
  enableGroups:           ['4.8',  'a request to enable groups'],
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
  stratifiedSampling:     ['2.5',  'a stratified sampling'],
  stratifiedMetric:       ['2.5',  'a metric of stratified sampling'],
  entityPropertySource:   ['2.5',  'an entity property source'],
  stratifiedCsv:          ['2.5',  'a file of stratified sampling'],
  reviewSettings:         ['2.5',  'a set of experiment review settings'],
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
  qualifyingEvent:        ['2.6',  'a qualifying event'],
  idTypeMapping:          ['2.6',  'a unit id mapping'],
  customFieldMapping:     ['2.6',  'a custom field mapping'],
  metric:                 ['2.7',  'a metric'],
  metricEvent:            ['2.7',  'a metric event'],
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
  promptVersion:          ['2.9',  'a prompt version'],
  promptMessage:          ['2.9',  'a prompt'],
  workflowHeader:         ['2.9',  'a workflow header'],
  loggedEvent:            ['2.10', 'a logged event'],
} as const satisfies Record<string, readonly [Section, string]>;

/** The name of a table of fields. */
export type FieldTable = keyof typeof tables;

/** The id of a field row. Those of `pagination` are spelt out, as hand-written rows share that word. */
export type FieldRequirementId =
  | `${Exclude<FieldTable, 'pagination'>}.${string}`
  | `pagination.${keyof typeof pagination.properties}`;

/** True of a name that a table of fields has. */
export function isFieldTable(name: string): name is FieldTable {
  return Object.hasOwn(tables, name);
}

const byNode: ReadonlyMap<Schema, FieldTable> = new Map(
  fieldTables.flatMap(([table, ...nodes]) => (isFieldTable(table) ? nodes.map(node => [node, table] as const) : [])),
);

/** The table that holds the members of a schema node, found by identity; undefined for a node that no table describes. */
export function tableOf(node: Schema): FieldTable | undefined {
  return byNode.get(node);
}
