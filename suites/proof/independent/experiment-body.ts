import { creator, description, distinct, texts } from './bodies.ts';
import {
  all,
  type Check,
  exactly,
  flag,
  integer,
  isFields,
  known,
  listOf,
  number,
  object,
  oneOf,
  orNull,
  record,
  text,
} from './checks.ts';
import { metricReference } from './metric-body.ts';
import { type State, words } from './state.ts';

const longer = integer({ min: 2 });

const group = exactly(
  {
    name: text({ min: 1 }),
    size: number({ min: 0, max: 100 }),
    parameterValues: object,
    id: text({ min: 1 }),
    disabled: flag,
    description: text(),
    foreignGroupID: text(),
    highlighted: flag,
  },
  ['name', 'size'],
);

/** The groups share out the whole of the experiment: their sizes add up to a hundred. */
const whole: Check = (value, at) => {
  const sizes = Array.isArray(value) ? value.filter(isFields).map(item => Number(item.size)) : [];
  const sum = sizes.reduce((total, size) => total + size, 0);
  return Math.abs(sum - 100) < 0.001 ? undefined : `${at} add up to ${sum}, not to 100`;
};

/** Fields of the manual baseline must all be there in manual mode (section 2.5, sprtBaselineMode). */
const manualBaseline: Check = (value, at) => {
  const setting = record({}, ['mde', 'mean', 'stdDev']);
  const settings = record({ sprtMDESettings: listOf(record({ groupSettings: listOf(setting) })) });
  return isFields(value) && value.sprtBaselineMode === 'manual' ? settings(value, at) : undefined;
};

/** A group that is named as the control or the launched one has to be in the list. */
const namesItsGroups: Check = (value, at) => {
  const groups = isFields(value) && Array.isArray(value.groups) ? value.groups.filter(isFields) : [];
  const group = orNull(
    known(
      'group',
      groups.flatMap(item => [item.id, item.name].filter(name => typeof name === 'string')),
    ),
  );
  return record({ launchedGroupID: group, controlGroupID: group })(value, at);
};

/** The fields of the full update (sections 2.5 and 4.4). Those of warehouses and enterprises are not known here. */
export function experimentFields(state: State): Readonly<Record<string, Check>> {
  const metric = metricReference(state);
  const environments = [...state.environments.values()].flatMap(({ id, name }) => [String(id), String(name)]);
  return {
    description,
    idType: known('id type', words.idTypes),
    hypothesis: text(),
    groups: all(listOf(group), distinct('name'), whole),
    allocation: number({ min: 0, max: 100 }),
    targetingGateID: orNull(known('gate', [...state.gates.keys()])),
    bonferroniCorrection: flag,
    defaultConfidenceInterval: oneOf('80', '90', '95', '98', '99'),
    status: oneOf(
      'active',
      'setup',
      'decision_made',
      'abandoned',
      'archived',
      'experiment_stopped',
      'assignment_stopped',
    ),
    name: text({ min: 3, max: 100, pattern: /^[a-zA-Z0-9_\- ]*$/ }),
    secondaryIDType: orNull(known('id type', words.idTypes)),
    identifierMappingMode: oneOf('strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany'),
    identityResolutionSource: orNull(text()),
    links: listOf(exactly({ url: text(), title: text() }, ['url', 'title'])),
    externalEvents: listOf(exactly({ name: text(), timestamp: integer() }, ['name', 'timestamp'])),
    controlGroupID: text(),
    userBuckets: listOf(
      all(number({ min: 0 }), (value, at) => (Number(value) < 1000 ? undefined : `${at} is out of bounds`)),
    ),
    primaryMetricTags: texts,
    secondaryMetricTags: texts,
    tags: texts,
    primaryMetrics: listOf(metric),
    secondaryMetrics: listOf(metric),
    otherMetrics: listOf(metric),
    targetApps: known('app', words.apps),
    duration: longer,
    targetExposures: longer,
    sequentialTesting: flag,
    bonferroniCorrectionPerMetric: flag,
    benjaminiHochbergPerVariant: flag,
    benjaminiHochbergPerMetric: flag,
    benjaminiPrimaryMetricsOnly: flag,
    defaultRollupWindow: oneOf(-1, 1, 7),
    defaultChanceToBeatThreshold: number(),
    bayesianPriors: listOf(
      exactly({ metric, priorMean: number(), priorStdDev: number() }, ['metric', 'priorMean', 'priorStdDev']),
    ),
    manualQualityScores: listOf(
      exactly({ criteriaDescription: text(), score: number(), weight: number({ min: 0, max: 1e9 }) }, [
        'criteriaDescription',
        'score',
        'weight',
      ]),
      { max: 10 },
    ),
    launchedGroupID: orNull(text()),
    assignmentSourceName: text(),
    assignmentSourceExperimentName: text(),
    ...creator,
    fixedAnalysisDuration: longer,
    scheduledReloadType: oneOf('full', 'incremental'),
    scheduledReloadDays: orNull(listOf(integer({ min: 0, max: 6 }))),
    assignmentSourceFilters: listOf(exactly({ column: text(), values: texts })),
    analyticsType: oneOf('frequentist', 'bayesian', 'sprt'),
    defaultSPRTPowerParam: number(),
    defaultSPRTMDE: number(),
    sprtBaselineMode: oneOf('manual', 'in_experiment_control'),
    sprtMDESettings: listOf(
      exactly(
        {
          metricKey: text(),
          groupSettings: listOf(
            exactly({ groupKey: text(), mde: number(), mean: number(), stdDev: number() }, ['groupKey']),
          ),
        },
        ['metricKey', 'groupSettings'],
      ),
    ),
    isSidecar: flag,
    decisionReason: text(),
    preComputedUserDimensions: listOf(exactly({ name: text(), propertySource: text() }, ['name', 'propertySource'])),
    cureCovariates: listOf(exactly({ name: text(), type: text() }, ['name', 'type'])),
    stratifiedSampling: exactly({
      useStratifiedSalt: flag,
      useUnits: flag,
      deltaReduction: number(),
      spreadReduction: number(),
    }),
    enabledNonProdEnvironments: listOf(known('environment', environments)),
  };
}

const required = 'description idType hypothesis groups allocation targetingGateID bonferroniCorrection'.split(' ');

/** The body of the full update. */
export const experimentBody = (state: State): Check =>
  all(exactly(experimentFields(state), required), namesItsGroups, manualBaseline);
