import type { Schema } from '../dialect.ts';
import { described, list } from '../object.ts';
import { flag, freeForm, integer, number, text, texts } from './shared.ts';

/** Rules, their conditions and variants (section 2.1). Answers only. */

/** A condition of a dynamic config's rule. */
export const condition = described('One condition of a rule.', {
  targetValue: texts,
  operator: text,
  field: text,
  customID: text,
  type: text,
});

const scalar = { anyOf: [text, number, flag] } as const satisfies Schema;

/**
 * A condition of a segment's or an experiment's rule. Section 2.1 says of configs alone that `targetValue` is an array
 * of strings; samples of segments show scalars.
 */
export const segmentCondition = described("One condition of a segment's or an experiment's rule.", {
  ...condition.properties,
  targetValue: { anyOf: [list(scalar), ...scalar.anyOf] },
});

export const variant = described('One variant of a rule.', {
  name: text,
  passPercentage: number,
  id: text,
  returnValue: freeForm,
  returnValueJson5: text,
});

export const rollout = described('One step of an automated rollout.', { passPercent: number, time: integer });

export const rule = described('A rule of a dynamic config.', {
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

const { returnValueJson5: _, variants: __, ...ofAnyRule } = rule.properties;

/** An inline targeting rule of an experiment. Section 2.1 gives two members to the rules of configs only. */
export const inlineTargetingRule = described('An inline targeting rule of an experiment.', {
  ...ofAnyRule,
  conditions: list(segmentCondition),
});
