import { list, object, requiring } from '../object.ts';
import { segmentCondition } from './rule.ts';
import { flag, freeForm, integer, number, tags, text } from './shared.ts';

/** Segments (sections 2.8 and 4.12). Answers only. */

/** The rules of a rule-based segment: one object, not a list. */
export const segmentRules = object({
  name: text,
  passPercentage: number,
  conditions: list(segmentCondition),
  returnValue: freeForm,
});

// biome-ignore format: a table
export const segment = requiring('A segment.', {
    id:               text,
    isEnabled:        flag,
    description:      text,
    lastModifierName: text,
    lastModifierID:   text,
    // Section 2.8 names two values of a string, and no closed set.
    type:             text,
    count:            integer,
    tags,
    rules:            segmentRules,
  }, ['id']);
