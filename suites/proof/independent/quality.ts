import { type Fields, isFields } from './checks.ts';

const defaults =
  'HYPOTHESIS_LENGTH BALANCED_EXPOSURE PRIMARY_METRICS_LENGTH COMPARISON_CORRECTION GUARDRAIL_METRIC_TAGS SUFFICIENT_SAMPLE POWER_ANALYSIS SEQUENTIAL_TESTING'.split(
    ' ',
  );

/**
 * The quality score of an experiment after manual scores came in (section 2.5, manualQualityScores): they join those that were there and
 * the weights are brought back to a sum of 100. Of a default check only the weight changes, and weight 0 takes it out.
 */
export function scoreQuality(before: unknown, scores: readonly Fields[]): Fields {
  const existing = isFields(before) && Array.isArray(before.breakdown) ? before.breakdown.filter(isFields) : [];
  const rows = new Map(
    existing.map(row => [String(row.criterion), { score: Number(row.score), weight: Number(row.weight) }]),
  );
  for (const { criteriaDescription, score, weight } of scores) {
    const criterion = String(criteriaDescription);
    const row = rows.get(criterion) ?? { score: 0, weight: 0 };
    const isDefault = defaults.includes(criterion);
    if (isDefault && weight === 0) rows.delete(criterion);
    else
      rows.set(criterion, { score: isDefault ? row.score : Number(score ?? 0), weight: Number(weight ?? row.weight) });
  }
  const sum = [...rows.values()].reduce((total, row) => total + row.weight, 0);
  const breakdown = [...rows].map(([criterion, row]) => ({
    criterion,
    passingDescription: criterion,
    score: row.score,
    weight: sum > 0 ? (row.weight / sum) * 100 : row.weight,
  }));
  return { score: breakdown.length, breakdown };
}
