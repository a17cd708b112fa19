import type { BodyOf } from '../../contracts/endpoints.ts';
import type { Problem } from '../api/answer.ts';

/**
 * What the sprt settings lack (section 2.5): in the mode `manual` every group of every metric states mde, mean and stdDev; in
 * `in_experiment_control` it states mde, unless `defaultSPRTMDE` does.
 */
export const sprtProblems = (body: BodyOf<'update-experiment'>): Problem[] => {
  const needed: readonly ('mde' | 'mean' | 'stdDev')[] =
    body.sprtBaselineMode === 'manual'
      ? ['mde', 'mean', 'stdDev']
      : body.sprtBaselineMode === 'in_experiment_control' && body.defaultSPRTMDE === undefined
        ? ['mde']
        : [];
  return (body.sprtMDESettings ?? []).flatMap(({ groupSettings = [] }, metric) =>
    groupSettings.flatMap((settings, group) =>
      needed
        .filter(member => settings[member] === undefined || settings[member] === null)
        .map(member => ({
          property: `sprtMDESettings.${metric}.groupSettings.${group}.${member}`,
          errorMessage: `is required when sprtBaselineMode is ${body.sprtBaselineMode}`,
        })),
    ),
  );
};
