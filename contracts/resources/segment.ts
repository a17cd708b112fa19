import type { Schema } from '../dialect.ts';
import { segmentCondition } from './rule.ts';
import { flag, freeForm, integer, number, tags, text } from './shared.ts';

/** Segments (sections 2.8 and 4.12). Answers only. */

/** The rules of a rule-based segment: one object, no list. */
export const segmentRules = {
  type: 'object',
  properties: {
    name: text,
    passPercentage: number,
    conditions: { type: 'array', items: segmentCondition },
    returnValue: freeForm,
  },
} as const satisfies Schema;

// biome-ignore format: a table
export const segment = {
  type: 'object',
  description: 'A segment.',
  properties: {
    id:               text,
    isEnabled:        flag,
    description:      text,
    lastModifierName: text,
    lastModifierID:   text,
    type:             { enum: ['id_list', 'rule_based'] },
    count:            integer,
    tags,
    rules:            segmentRules,
  },
  required: ['id'],
} as const satisfies Schema;
