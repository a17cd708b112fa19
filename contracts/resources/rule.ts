import type { Schema } from '../dialect.ts';
import { freeForm, integer, number, text, texts } from './shared.ts';

/** Rules, their conditions and variants (section 2.1). Answers only. */

/** A condition of a dynamic config's or an experiment's rule. */
export const condition = {
  type: 'object',
  description: 'One condition of a rule.',
  properties: { targetValue: texts, operator: text, field: text, customID: text, type: text },
} as const satisfies Schema;

/** A condition of a segment's rule, where `targetValue` may also be a scalar. */
export const segmentCondition = {
  type: 'object',
  description: "One condition of a segment's rule.",
  properties: {
    ...condition.properties,
    targetValue: { anyOf: [texts, text, number, { type: 'boolean' }] },
  },
} as const satisfies Schema;

export const variant = {
  type: 'object',
  description: 'One variant of a rule.',
  properties: { name: text, passPercentage: number, id: text, returnValue: freeForm, returnValueJson5: text },
} as const satisfies Schema;

export const rollout = {
  type: 'object',
  description: 'One step of an automated rollout.',
  properties: { passPercent: number, time: integer },
} as const satisfies Schema;

export const rule = {
  type: 'object',
  description: 'A rule of a dynamic config, or an inline targeting rule of an experiment.',
  properties: {
    name: text,
    passPercentage: number,
    conditions: { type: 'array', items: condition },
    environments: texts,
    id: text,
    baseID: text,
    returnValue: freeForm,
    returnValueJson5: text,
    completedAutomatedRollouts: { type: 'array', items: rollout },
    pendingAutomatedRollouts: { type: 'array', items: rollout },
    variants: { type: 'array', items: variant },
  },
} as const satisfies Schema;
