import type { BodyOf } from '../../contracts/endpoints.ts';
import { revision } from '../directory.ts';
import type { Experiment, Group } from '../entities.ts';
import { mergeQuality } from './quality.ts';

type Body = BodyOf<'update-experiment'>;

/**
 * What an update does not touch unless it says so: who made it, what it is called, where it stands, and what the
 * service computes. Written out, with members that may be undefined: an object as wide as this one that is put together
 * in a loop or from copies takes fifty times as long to make.
 */
// biome-ignore format: a list, by kind
const kept = ({
  id, name, status, layerID, holdoutIDs, isStale, permalink, externalExperimentName, owner,
  createdTime, creatorID, creatorName, creatorEmail, startTime, endTime, decisionTime,
  reviewSettings, activeReview, inlineTargetingRules, inlineTargetingRulesJSON,
  summarySections, shipWithHoldout, healthChecks, launchedGroupID, defaultConfidenceInterval,
}: Experiment) => ({
  id, name, status, layerID, holdoutIDs, isStale, permalink, externalExperimentName, owner,
  createdTime, creatorID, creatorName, creatorEmail, startTime, endTime, decisionTime,
  reviewSettings, activeReview, inlineTargetingRules, inlineTargetingRulesJSON,
  summarySections, shipWithHoldout, healthChecks, launchedGroupID, defaultConfidenceInterval,
});

/** The values of fields that a response must have and an update left out. */
const defaults = {
  duration: 14,
  primaryMetrics: [],
  primaryMetricTags: [],
  secondaryMetrics: [],
  secondaryMetricTags: [],
  tags: [],
} satisfies Partial<Experiment>;

/**
 * The times that a change of status leaves behind. Transitions are not shown (section 3): every status may follow every
 * other.
 */
const times = (before: Experiment, status: Experiment['status'], now: number): Partial<Experiment> => ({
  ...(status === 'active' && before.startTime === undefined && { startTime: now }),
  ...(status === 'decision_made' && before.status !== status && { decisionTime: now, endTime: before.endTime ?? now }),
});

/** The groups as they are kept: one that is sent without id keeps the id of its namesake, else gets a new one. */
export const keptGroups = (before: Experiment, groups: readonly Group[]): Group[] => {
  const namesakes = new Map(before.groups.map(group => [group.name, group.id]));
  const old = new Set(before.groups.map(group => group.id));
  const taken = new Set(groups.map(group => group.id));
  let number = 0;
  const newId = (): string => {
    for (;;) {
      const id = `${before.id}-group-${++number}`;
      if (!taken.has(id) && !old.has(id)) return id;
    }
  };
  return groups.map(group => {
    if (group.id !== undefined) return group;
    const namesake = namesakes.get(group.name);
    const id = namesake !== undefined && !taken.has(namesake) ? namesake : newId();
    taken.add(id);
    return { ...group, id };
  });
};

/**
 * The experiment after a full update (section 4.4): settings that are not sent go back to their defaults. `groups` are
 * those that were sent, with their ids.
 */
export const replacement = (before: Experiment, sent: Body, groups: Experiment['groups'], now: number): Experiment => {
  const { manualQualityScores = [], ...settings } = sent;
  return Object.assign(
    kept(before),
    defaults,
    times(before, sent.status ?? before.status, now),
    settings,
    mergeQuality(before, manualQualityScores),
    revision(before, now),
    { groups },
  ) as Experiment;
};
