import { mostScores } from '../../contracts/resources/experiment.ts';
import type { Experiment } from '../entities.ts';

/**
 * The quality score of an experiment (section 2.5): eight default checks and up to ten written by hand. Sent scores and
 * weights are added to those there are, then all weights are renormalised to 100.
 */

type Manual = NonNullable<Experiment['manualQualityScores']>[number];
type Quality = NonNullable<Experiment['qualityScore']>;

interface Criterion {
  readonly criterion: string;
  readonly passingDescription: string;
  readonly score: number;
  readonly weight: number;
}

/** Scores written by hand that are kept; more than that drop out, the oldest first. */
const manualLimit = mostScores;

// biome-ignore format: a table
const defaults: ReadonlyMap<string, string> = new Map([
  ['HYPOTHESIS_LENGTH',      'The hypothesis is long enough to be tested.'],
  ['BALANCED_EXPOSURE',      'The groups are exposed as they should be.'],
  ['PRIMARY_METRICS_LENGTH', 'There are not too many primary metrics.'],
  ['COMPARISON_CORRECTION',  'Multiple comparisons are corrected for.'],
  ['GUARDRAIL_METRIC_TAGS',  'Guardrail metrics are watched.'],
  ['SUFFICIENT_SAMPLE',      'The sample is large enough.'],
  ['POWER_ANALYSIS',         'A power analysis was made.'],
  ['SEQUENTIAL_TESTING',     'Early looks are corrected for.'],
]);

/** Weights that add up to 100, in the given proportions; negative ones count as nothing. All nothing stays so. */
const renormalised = (criteria: readonly Criterion[]): Criterion[] => {
  const largest = Math.max(0, ...criteria.map(criterion => criterion.weight));
  if (largest === 0) return criteria.map(criterion => ({ ...criterion, weight: 0 }));
  // Relative to the largest, so that even the largest doubles do not overflow when they are added.
  const shares = criteria.map(criterion => Math.max(0, criterion.weight) / largest);
  const total = shares.reduce((sum, share) => sum + share, 0);
  return criteria.map((criterion, index) => ({ ...criterion, weight: (100 * (shares[index] ?? 0)) / total }));
};

const finite = (value: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) || 0;

const qualityOf = (criteria: readonly Criterion[]): Quality => ({
  // Scores are any numbers: the sum of the largest ones is no number any more, and JSON has no infinity.
  score: finite(criteria.reduce((sum, { score, weight }) => sum + (score / 100) * weight, 0)),
  breakdown: criteria.map(criterion => ({ ...criterion })),
});

/** The quality score an experiment begins with: the default checks, all passed, of equal weight. */
export const defaultQuality: Quality = qualityOf(
  renormalised(
    [...defaults].map(([criterion, passingDescription]) => ({ criterion, passingDescription, score: 100, weight: 1 })),
  ),
);

const manualOf = ({ criterion, score, weight }: Criterion): Manual => ({
  criteriaDescription: criterion,
  score,
  weight,
});

/** Adds the sent scores to those of an experiment. Where none is sent, it is as it was. */
export const mergeQuality = (
  now: Pick<Experiment, 'manualQualityScores' | 'qualityScore'>,
  sent: readonly Manual[],
): Required<Pick<Experiment, 'manualQualityScores' | 'qualityScore'>> => {
  const { manualQualityScores = [], qualityScore } = now;
  if (sent.length === 0 && qualityScore !== undefined) return { manualQualityScores, qualityScore };
  const criteria = new Map((qualityScore?.breakdown ?? []).map(entry => [String(entry.criterion), entry as Criterion]));
  // The breakdown of a seed may lack its manual scores.
  for (const { criteriaDescription: criterion = '', score = 0, weight = 0 } of manualQualityScores)
    if (!criteria.has(criterion)) criteria.set(criterion, { criterion, passingDescription: criterion, score, weight });
  for (const { criteriaDescription: criterion = '', score, weight = 0 } of sent) {
    const passingDescription = defaults.get(criterion);
    const before = criteria.get(criterion);
    if (passingDescription === undefined)
      criteria.set(criterion, { criterion, passingDescription: criterion, score: score ?? 0, weight });
    else if (weight === 0) criteria.delete(criterion);
    else criteria.set(criterion, { criterion, passingDescription, score: before?.score ?? 100, weight });
  }
  const manual = [...criteria.keys()].filter(criterion => !defaults.has(criterion));
  for (const dropped of manual.slice(0, -manualLimit)) criteria.delete(dropped);
  const merged = renormalised([...criteria.values()]);
  return {
    manualQualityScores: merged.filter(entry => !defaults.has(entry.criterion)).map(manualOf),
    qualityScore: qualityOf(merged),
  };
};
