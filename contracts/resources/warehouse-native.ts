import type { Schema } from '../dialect.ts';
import * as annotations from './annotations.ts';
import { flag, text } from './shared.ts';

/** `warehouseNative` of a metric (section 2.7). Requests only. */

const metricSourceName = {
  type: 'string',
  annotation: { semantics: 'reference', refersTo: 'metricSource' },
} as const satisfies Schema;
const valueColumn = { type: 'string', annotation: annotations.column } as const satisfies Schema;
const days = { type: 'number', annotation: { examples: [7] } } as const satisfies Schema;
const share = { type: 'number', annotation: { examples: [0.99] } } as const satisfies Schema;
const amount = { type: 'number', annotation: { examples: [100] } } as const satisfies Schema;

export const criterion = {
  type: 'object',
  properties: { column: valueColumn, values: { type: 'array', items: text }, nullVacuousOverride: flag },
} as const satisfies Schema;

const criteria = { type: 'array', items: criterion } as const satisfies Schema;

export const warehouseMetricSource = {
  type: 'object',
  properties: { metricSourceName, criteria, valueColumn },
} as const satisfies Schema;

export const warehouseFunnelEvent = {
  type: 'object',
  properties: { criteria, metricSourceName, name: text, sessionIdentifierField: valueColumn },
} as const satisfies Schema;

export const dimensionLimit = {
  type: 'object',
  properties: { name: valueColumn, limit: amount },
} as const satisfies Schema;

export const warehouseComponent = {
  type: 'object',
  properties: { metricSourceName, name: text, criteria, valueColumn },
} as const satisfies Schema;

// biome-ignore format: a table
export const warehouseNative = {
  type: 'object',
  description: 'How a warehouse-native metric is computed.',
  properties: {
    metricSourceName,
    criteria,
    metricSources:                          { type: 'array', items: warehouseMetricSource },
    waitForCohortWindow:                    flag,
    denominatorCriteria:                    criteria,
    denominatorCustomRollupEnd:             days,
    denominatorCustomRollupStart:           days,
    denominatorMetricSourceName:            metricSourceName,
    denominatorRollupTimeWindow:            { type: 'string', annotation: { examples: ['custom'] } },
    denominatorValueColumn:                 valueColumn,
    funnelCalculationWindow:                days,
    funnelEvents:                           { type: 'array', items: warehouseFunnelEvent },
    metricDimensionColumns:                 { type: 'array', items: valueColumn },
    metricDimensionLimits:                  { type: 'array', items: dimensionLimit },
    metricBakeDays:                         days,
    loadingWindow:                          days,
    valueColumn,
    valueThreshold:                         amount,
    allowNullRatioDenominator:              flag,
    funnelStrictOrdering:                   flag,
    funnelUseExposureAsFirstEvent:          flag,
    funnelTimestampAllowanceMs:             amount,
    funnelTimeToConvert:                    flag,
    winsorizationHigh:                      share,
    winsorizationLow:                       { type: 'number', annotation: { examples: [0.01] } },
    winsorizationHighDenominator:           share,
    winsorizationLowDenominator:            { type: 'number', annotation: { examples: [0.01] } },
    cupedAttributionWindow:                 days,
    rollupTimeWindow:                       { type: 'string', annotation: { examples: ['custom'] } },
    customRollUpStart:                      { type: 'number', annotation: { examples: [0] } },
    customRollUpEnd:                        days,
    onlyIncludeUsersWithConversionEvent:    flag,
    denominatorCustomRollupMeasureInMinutes: flag,
    customRollupMeasureInMinutes:           flag,
    percentile:                             { type: 'number', annotation: { examples: [0.9] } },
    useLogTransform:                        flag,
    useSecondaryRetentionEvent:             flag,
    retentionEnd:                           days,
    retentionLength:                        days,
    logTransformBase:                       { type: 'number', annotation: { examples: [10] } },
    cap:                                    amount,
    surrogateMetricMSE:                     { type: 'number', annotation: { examples: [0.1] } },
    components:                             { type: 'array', items: warehouseComponent },
  },
  annotation: annotations.warehouse,
} as const satisfies Schema;
