import type { Schema } from '../dialect.ts';
import { object } from '../object.ts';
import * as annotations from './annotations.ts';
import { flag, flagOf, nameOf, numberLike, numberOf, text, textOf, unorderedOf } from './shared.ts';

/** `warehouseNative` of a metric (section 2.7). Requests only. */

const metricSourceName = nameOf('metricSource');
const valueColumn = nameOf('column');
const days = numberLike(7);
const share = numberLike(0.99);
const amount = numberLike(100);

export const criterion = object({ column: valueColumn, values: unorderedOf(text), nullVacuousOverride: flag });

const criteria = unorderedOf(criterion, { repeatable: true });

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
    metricSources:                          unorderedOf(warehouseMetricSource),
    waitForCohortWindow:                    flag,
    denominatorCriteria:                    criteria,
    denominatorCustomRollupEnd:             days,
    denominatorCustomRollupStart:           days,
    denominatorMetricSourceName:            metricSourceName,
    denominatorRollupTimeWindow:            textOf({ examples: ['custom'] }),
    denominatorValueColumn:                 valueColumn,
    funnelCalculationWindow:                days,
    funnelEvents:                           unorderedOf(warehouseFunnelEvent),
    metricDimensionColumns:                 unorderedOf(valueColumn),
    metricDimensionLimits:                  unorderedOf(dimensionLimit),
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
    winsorizationLow:                       numberLike(0.01),
    winsorizationHighDenominator:           share,
    winsorizationLowDenominator:            numberLike(0.01),
    cupedAttributionWindow:                 days,
    rollupTimeWindow:                       textOf({ examples: ['custom'] }),
    customRollUpStart:                      numberLike(0),
    customRollUpEnd:                        days,
    onlyIncludeUsersWithConversionEvent:    flag,
    denominatorCustomRollupMeasureInMinutes: flag,
    customRollupMeasureInMinutes:           flag,
    percentile:                             numberLike(0.9),
    useLogTransform:                        flagOf({ examples: [true] }),
    useSecondaryRetentionEvent:             flag,
    retentionEnd:                           days,
    retentionLength:                        days,
    logTransformBase:                       numberOf({ examples: [10], sibling: 'useLogTransform=true' }),
    cap:                                    amount,
    surrogateMetricMSE:                     numberLike(0.1),
    components:                             unorderedOf(warehouseComponent),
  },
  annotation: annotations.warehouse,
} as const satisfies Schema;
