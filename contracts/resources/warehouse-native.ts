import type { Schema } from '../dialect.ts';
import { list, object } from '../object.ts';
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

export const criterion = object({ column: valueColumn, values: list(text), nullVacuousOverride: flag });

const criteria = list(criterion);

export const warehouseMetricSource = object({ metricSourceName, criteria, valueColumn });

export const warehouseFunnelEvent = object({
  criteria,
  metricSourceName,
  name: text,
  sessionIdentifierField: valueColumn,
});

export const dimensionLimit = object({ name: valueColumn, limit: amount });

export const warehouseComponent = object({ metricSourceName, name: text, criteria, valueColumn });

// biome-ignore format: a table
export const warehouseNative = {
  type: 'object',
  description: 'How a warehouse-native metric is computed.',
  properties: {
    metricSourceName,
    criteria,
    metricSources:                          list(warehouseMetricSource),
    waitForCohortWindow:                    flag,
    denominatorCriteria:                    criteria,
    denominatorCustomRollupEnd:             days,
    denominatorCustomRollupStart:           days,
    denominatorMetricSourceName:            metricSourceName,
    denominatorRollupTimeWindow:            { type: 'string', annotation: { examples: ['custom'] } },
    denominatorValueColumn:                 valueColumn,
    funnelCalculationWindow:                days,
    funnelEvents:                           list(warehouseFunnelEvent),
    metricDimensionColumns:                 list(valueColumn),
    metricDimensionLimits:                  list(dimensionLimit),
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
    components:                             list(warehouseComponent),
  },
  annotation: annotations.warehouse,
} as const satisfies Schema;
