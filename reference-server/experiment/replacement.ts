import type { BodyOf } from '../../contracts/endpoints.ts';
import { stamp } from '../api/stamp.ts';
import type { Experiment } from '../entities.ts';
import { mergeQuality } from './quality.ts';

type Body = BodyOf<'update-experiment'>;

/**
 * What an update does not touch unless it says so: who made it, what it is called, where it stands, and what the service computes. Written
 * out, with members that may be undefined: an object as wide as this one that is put together in a loop or from copies takes fifty times as
 * long to make.
 */
const kept = (now: Experiment) => {
  const { id, name, status, layerID, holdoutIDs, isStale, permalink, externalExperimentName, owner } = now;
  const { createdTime, creatorID, creatorName, creatorEmail, startTime, endTime, decisionTime } = now;
  const { reviewSettings, activeReview, inlineTargetingRules, inlineTargetingRulesJSON } = now;
  const { summarySections, shipWithHoldout, healthChecks, launchedGroupID, defaultConfidenceInterval } = now;
  // biome-ignore format: a list, by kind
  return {
    id, name, status, layerID, holdoutIDs, isStale, permalink, externalExperimentName, owner,
    createdTime, creatorID, creatorName, creatorEmail, startTime, endTime, decisionTime,
    reviewSettings, activeReview, inlineTargetingRules, inlineTargetingRulesJSON,
    summarySections, shipWithHoldout, healthChecks, launchedGroupID, defaultConfidenceInterval,
  };
};

/** What the fields are that an answer must have and an update left out. */
const defaults = {
  duration: 14,
  primaryMetrics: [],
  primaryMetricTags: [],
  secondaryMetrics: [],
  secondaryMetricTags: [],
  tags: [],
} satisfies Partial<Experiment>;

/** The times that a change of status leaves behind. Transitions are not shown (section 3): every status may follow every other. */
const times = (before: Experiment, status: Experiment['status'], now: number): Partial<Experiment> => ({
  ...(status === 'active' && before.startTime === undefined && { startTime: now }),
  ...(status === 'decision_made' && before.status !== status && { decisionTime: now, endTime: before.endTime ?? now }),
});

/**
 * The experiment after a full update (section 4.4): settings that are not sent go back to their defaults. `groups` are those that were
 * sent, with their ids.
 */
export const replacement = (before: Experiment, sent: Body, groups: Experiment['groups'], now: number): Experiment => {
  const { manualQualityScores = [], ...settings } = sent;
  return Object.assign(
    kept(before),
    defaults,
    times(before, sent.status ?? before.status, now),
    settings,
    mergeQuality(before, manualQualityScores),
    stamp(now),
    { groups, version: (before.version ?? 0) + 1 },
  ) as Experiment;
};
