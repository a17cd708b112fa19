import { groupNamesBody } from './bodies.ts';
import { type Fields, isFields } from './checks.ts';
import { experimentBody, experimentFields } from './experiment-body.ts';
import { checked, done, missing, type Operation, only } from './outcome.ts';
import type { State } from './state.ts';

const groupsOf = (experiment: Fields): readonly Fields[] =>
  Array.isArray(experiment.groups) ? experiment.groups.filter(isFields) : [];

function keep(state: State, before: Fields, after: Fields) {
  const now = state.now();
  const experiment = { ...after, lastModifiedTime: now, version: Number(before.version) + 10, etag: `W/"${now}"` };
  state.experiments.set(String(before.id), experiment);
  return experiment;
}

/**
 * What an experiment has where a full update says nothing: the fields that section 4.4 names in the answer are always
 * there.
 */
const blank: Fields = {
  primaryMetrics: [],
  primaryMetricTags: [],
  secondaryMetrics: [],
  secondaryMetricTags: [],
  duration: 14,
  tags: [],
};

/**
 * What an experiment answered in full has besides, where nothing was sent (section 4.8); a full update does not answer
 * with it.
 */
const unset: Fields = { otherMetrics: [], links: [], sequentialTesting: false, isSidecar: false, decisionReason: '' };

/** The criteria that the service scores itself. */
const defaults =
  'HYPOTHESIS_LENGTH BALANCED_EXPOSURE PRIMARY_METRICS_LENGTH COMPARISON_CORRECTION GUARDRAIL_METRIC_TAGS SUFFICIENT_SAMPLE POWER_ANALYSIS SEQUENTIAL_TESTING'.split(
    ' ',
  );

/**
 * The quality score of an experiment after manual scores came in (section 2.5, manualQualityScores): they join those
 * that were there and the weights are brought back to a sum of 100. Of a default check only the weight changes, and
 * weight 0 takes it out.
 */
function scoreQuality(before: unknown, scores: readonly Fields[]): Fields {
  const existing = isFields(before) && Array.isArray(before.breakdown) ? before.breakdown.filter(isFields) : [];
  const rows = new Map(
    existing.map(row => [String(row.criterion), { score: Number(row.score), weight: Number(row.weight) }]),
  );
  for (const { criteriaDescription, score, weight } of scores) {
    const criterion = String(criteriaDescription);
    const row = rows.get(criterion) ?? { score: 0, weight: 0 };
    const isDefault = defaults.includes(criterion);
    if (isDefault && weight === 0) rows.delete(criterion);
    else
      rows.set(criterion, { score: isDefault ? row.score : Number(score ?? 0), weight: Number(weight ?? row.weight) });
  }
  const sum = [...rows.values()].reduce((total, row) => total + row.weight, 0);
  const breakdown = [...rows].map(([criterion, row]) => ({
    criterion,
    passingDescription: criterion,
    score: row.score,
    weight: sum > 0 ? (row.weight / sum) * 100 : row.weight,
  }));
  return { score: breakdown.length, breakdown };
}

/**
 * Section 4.4: what the body leaves out goes back to its blank, but for the name and the two fields that the sample
 * body omits.
 */
export const updateExperiment: Operation = ({ state, names: [id = ''], body }) => {
  const before = state.experiments.get(id);
  if (before === undefined) return missing('experiment');
  return checked(body, experimentBody(state), () => {
    const { manualQualityScores: _added, ...fields } = experimentFields(state);
    const replaced = Object.keys(fields);
    const sent = only(body, replaced);
    const groups = groupsOf(sent).map((group, index) => ({ id: `${id}-g${index + 1}`, disabled: false, ...group }));
    const kept = ['defaultConfidenceInterval', 'status', 'name'];
    const rest = Object.keys(before).filter(name => kept.includes(name) || !replaced.includes(name));
    const scores = Array.isArray(body.manualQualityScores) ? body.manualQualityScores.filter(isFields) : [];
    const quality = scores.length > 0 ? { qualityScore: scoreQuality(before.qualityScore, scores) } : {};
    return done(
      'Experiment saved.',
      keep(state, before, { ...only(before, rest), ...blank, ...sent, groups, ...quality }),
    );
  });
};

/** Section 4.8: the groups named are no longer disabled. */
export const enableGroups: Operation = ({ state, names: [id = ''], body }) => {
  const before = state.experiments.get(id);
  if (before === undefined) return missing('experiment');
  const groups = groupsOf(before);
  return checked(body, groupNamesBody(groups.map(group => String(group.name))), () => {
    const enabled = new Set(Array.isArray(body.group_names) ? body.group_names : []);
    const after = groups.map(group => (enabled.has(group.name) ? { ...group, disabled: false } : group));
    return done('Groups enabled.', { ...unset, ...keep(state, before, { ...before, groups: after }) });
  });
};
