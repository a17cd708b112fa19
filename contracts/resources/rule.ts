import { described, list } from '../object.ts';
import { flag, freeForm, integer, number, text, texts } from './shared.ts';

/** Rules, their conditions and variants (section 2.1). Answers only. */

/** A condition of a dynamic config's or an experiment's rule. */
export const condition = described('One condition of a rule.', {
  targetValue: texts,
  operator: text,
  field: text,
  customID: text,
  type: text,
});

/** A condition of a segment's rule, where `targetValue` may also be a scalar. */
export const segmentCondition = described("One condition of a segment's rule.", {
  ...condition.properties,
  targetValue: { anyOf: [texts, text, number, flag] },
});

export const variant = described('One variant of a rule.', {
  name: text,
  passPercentage: number,
  id: text,
  returnValue: freeForm,
  returnValueJson5: text,
});

export const rollout = described('One step of an automated rollout.', { passPercent: number, time: integer });

export const rule = described('A rule of a dynamic config, or an inline targeting rule of an experiment.', {
  name: text,
  passPercentage: number,
  conditions: list(condition),
  environments: texts,
  id: text,
  baseID: text,
  returnValue: freeForm,
  returnValueJson5: text,
  completedAutomatedRollouts: list(rollout),
  pendingAutomatedRollouts: list(rollout),
  variants: list(variant),
});
