import type { Schema } from '../dialect.ts';
import { list, object, requiring } from '../object.ts';
import * as annotations from './annotations.ts';
import {
  creatorEmail,
  creatorID,
  description,
  flag,
  flagOf,
  freeForm,
  idType,
  integer,
  listOf,
  nameOf,
  nameOrNullOf,
  newNameOf,
  owner,
  tags,
  team,
  teamID,
  text,
  textOrNull,
  texts,
} from './shared.ts';

/** Feature gates (sections 2.3, 4.6 and 4.7). */

/** The reviewers of a gate. A setting of the project or team overrides them, so the answer proves nothing. */
export const gateReviewSettings = {
  type: 'object',
  properties: {
    requiredReview: flagOf({ guardedValues: [true] }),
    allowedReviewers: list({ annotation: annotations.reference('user') }),
  },
  annotation: { compare: 'never' },
} as const satisfies Schema;

// biome-ignore format: a table
const fields = {
  isEnabled:          flag,
  idType,
  type:               { enum: ['PERMANENT', 'TEMPORARY'] },
  rules:              { type: 'array', annotation: { semantics: 'guarded', examples: [[]], compare: 'members' } },
  tags,
  creatorID,
  creatorEmail,
  team,
  measureMetricLifts: flag,
  monitoringMetrics:  listOf({ type: 'object', annotation: annotations.shownMetric }, { examples: [[]], compare: 'unordered' }),
  reviewSettings:     gateReviewSettings,
} as const;

/** The body of Partially Update Gates: any subset of these fields. Only what is sent changes. */
// biome-ignore format: a table
export const gatePatch = object({
  ...fields,
  name:                     newNameOf(100, '^[a-zA-Z0-9_\\-. ]*$'),
  description,
  targetApps:               { anyOf: [nameOf('app'), listOf(nameOf('app'), annotations.guarded)], annotation: { ...annotations.reference('app'), compare: 'faithful' } },
  teamID,
  releasePipelineID:        nameOrNullOf('pipeline'),
  gradual_rollout_strategy: { type: 'object', annotation: { semantics: 'guarded', compare: 'never', opens: ['rules'] } },
});

/** A gate in an answer. */
// biome-ignore format: a table
export const gate = requiring('A feature gate.', {
    ...fields,
    id:                 text,
    name:               text,
    description:        text,
    status:             text,
    typeReason:         text,
    targetApps:         { type: 'array' },
    holdoutIDs:         texts,
    checksPerHour:      integer,
    createdTime:        integer,
    lastModifiedTime:   integer,
    creatorName:        textOrNull,
    lastModifierID:     textOrNull,
    lastModifierName:   textOrNull,
    lastModifierEmail:  textOrNull,
    store0100Exposures: flag,
    owner,
    version:            integer,
    permalink:          text,
    monitoringMetrics:  list(freeForm),
  }, ['id', 'isEnabled', 'version']);
