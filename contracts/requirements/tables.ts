import type { ObjectSchema, Schema } from '../dialect.ts';
import * as r from '../resources/index.ts';
import type { Section } from './requirement.ts';

/** A table of fields: its section, what one entity of it is called, and the schema nodes that hold its rows. */
type TableRow = readonly [section: Section, noun: string, ...nodes: ObjectSchema[]];

const withNames = <Name extends string>(rows: Readonly<Record<Name, TableRow>>): typeof rows => rows;

/**
 * The tables of fields of the specification, by a stable name. A schema node is found here by identity, so that a
 * pointer into a request or an answer becomes an id such as `gate.description`. Request and answer of one resource
 * share a table.
 */
// biome-ignore format: a table
export const tables = withNames({
  pagination:             ['2.1',  'a pagination object',                          r.pagination],
  owner:                  ['2.1',  'an owner',                                     r.owner],
  rule:                   ['2.1',  'a rule',                                       r.rule],
  condition:              ['2.1',  'a condition',                                  r.condition, r.segmentCondition],
  variant:                ['2.1',  'a variant',                                    r.variant],
  rollout:                ['2.1',  'a step of an automated rollout',               r.rollout],
  environment:            ['2.2',  'an environment',                               r.environmentRequest, r.environment],
  environments:           ['4.1',  'a set of environments',                        r.environmentsBody, r.environmentsData],
  gate:                   ['2.3',  'a gate',                                       r.gatePatch, r.gate],
  gateReviewSettings:     ['2.3',  'a set of gate review settings',                r.gateReviewSettings],
  dynamicConfig:          ['2.4',  'a dynamic config',                             r.dynamicConfig],
  archive:                ['4.10', 'a request to archive',                         r.archiveBody],
  experiment:             ['2.5',  'an experiment',                                r.experimentRequest, r.experiment],
  enableGroups:           ['4.8',  'a request to enable groups',                   r.enableGroupsBody],
  group:                  ['2.5',  'a group',                                      r.group],
  metricReference:        ['2.5',  'a metric reference',                           r.metricReference],
  link:                   ['2.5',  'a link of an experiment',                      r.link],
  externalEvent:          ['2.5',  'an external event',                            r.externalEvent],
  bayesianPrior:          ['2.5',  'a Bayesian prior',                             r.bayesianPrior],
  priorMetric:            ['2.5',  'a metric of a Bayesian prior',                 r.priorMetric],
  manualQualityScore:     ['2.5',  'a manual quality score',                       r.manualQualityScore],
  assignmentSourceFilter: ['2.5',  'a filter of an assignment source',             r.assignmentSourceFilter],
  sprtMetricSetting:      ['2.5',  'a metric setting of a sequential test',        r.sprtMetricSetting],
  sprtGroupSetting:       ['2.5',  'a group setting of a sequential test',         r.sprtGroupSetting],
  userDimension:          ['2.5',  'a precomputed user dimension',                 r.userDimension],
  cureCovariate:          ['2.5',  'a CURE covariate',                             r.cureCovariate],
  stratifiedSampling:     ['2.5',  'a stratified sampling',                        r.stratifiedSamplingRequest, r.stratifiedSampling],
  stratifiedMetric:       ['2.5',  'a metric of stratified sampling',              r.stratifiedMetric],
  entityPropertySource:   ['2.5',  'an entity property source',                    r.entityPropertySource],
  stratifiedCsv:          ['2.5',  'a file of stratified sampling',                r.stratifiedCsv],
  reviewSettings:         ['2.5',  'a set of experiment review settings',          r.experimentReviewSettings],
  reviewer:               ['2.5',  'a reviewer',                                   r.reviewer],
  activeReview:           ['2.5',  'an active review',                             r.activeReview],
  qualityScore:           ['2.5',  'a quality score',                              r.qualityScore],
  qualityCriterion:       ['2.5',  'a criterion of a quality score',               r.qualityCriterion],
  summarySection:         ['2.5',  'a section of a summary',                       r.summarySection],
  shipWithHoldout:        ['2.5',  'a shipment with holdout',                      r.shipWithHoldout],
  healthCheck:            ['2.5',  'a health check',                               r.healthCheck],
  healthCheckMetadata:    ['2.5',  'a metadata object of a health check',          r.healthCheckMetadata],
  deduplicationRate:      ['2.5',  'a deduplication rate',                         r.deduplicationRate],
  metricDates:            ['2.5',  'a span of dates in a health check',            r.metricDates],
  healthGroup:            ['2.5',  'a group in a health check',                    r.healthGroup],
  healthGroupMetric:      ['2.5',  'a metric of a group in a health check',        r.healthGroupMetric],
  groupBucketInfo:        ['2.5',  'a bucket size of a group',                     r.groupBucketInfo],
  qualifyingEvent:        ['2.6',  'a qualifying event',                           r.qualifyingEventRequest, r.qualifyingEvent],
  idTypeMapping:          ['2.6',  'a unit id mapping',                            r.idTypeMapping],
  customFieldMapping:     ['2.6',  'a custom field mapping',                       r.customFieldMapping],
  metric:                 ['2.7',  'a metric',                                     r.metricRequest, r.metric],
  metricEvent:            ['2.7',  'a metric event',                               r.metricEventRequest, r.ratioEventRequest, r.metricEvent],
  funnelEvent:            ['2.7',  'a funnel event',                               r.funnelEvent],
  lineage:                ['2.7',  'a lineage',                                    r.lineage],
  warehouseNative:        ['2.7',  'a warehouse-native part of a metric',          r.warehouseNative],
  criterion:              ['2.7',  'a criterion of a metric',                      r.criterion],
  warehouseMetricSource:  ['2.7',  'a metric source of a warehouse-native metric', r.warehouseMetricSource],
  warehouseFunnelEvent:   ['2.7',  'a funnel event of a warehouse-native metric',  r.warehouseFunnelEvent],
  dimensionLimit:         ['2.7',  'a limit of a metric dimension',                r.dimensionLimit],
  warehouseComponent:     ['2.7',  'a component of a warehouse-native metric',     r.warehouseComponent],
  segment:                ['2.8',  'a segment',                                    r.segment],
  segmentRules:           ['2.8',  'a set of segment rules',                       r.segmentRules],
  promptVersion:          ['2.9',  'a prompt version',                             r.promptVersionRequest, r.promptVersion],
  promptMessage:          ['2.9',  'a prompt',                                     r.promptMessage],
  workflowHeader:         ['2.9',  'a workflow header',                            r.workflowHeader],
  loggedEvent:            ['2.10', 'a logged event',                               r.loggedEvent],
});

/** The name of a table of fields. */
export type FieldTable = keyof typeof tables;

/** The names of the tables of fields, in their order. */
export const fieldTables = Object.keys(tables) as readonly FieldTable[];

/** The id of a field row. Those of `pagination` are spelt out, as hand-written rows share that word. */
export type FieldRequirementId =
  | `${Exclude<FieldTable, 'pagination'>}.${string}`
  | `pagination.${keyof typeof r.pagination.properties}`;

const byNode: ReadonlyMap<Schema, FieldTable> = new Map(
  fieldTables.flatMap(table => {
    const [, , ...nodes] = tables[table];
    return nodes.map(node => [node, table] as const);
  }),
);

/** The table that describes a schema node, found by identity; undefined for a node that none describes. */
export function tableOf(node: Schema): FieldTable | undefined {
  return byNode.get(node);
}
