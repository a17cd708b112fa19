import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { forgives, is, refuses, takesAs, type When } from '../../decorators/validation.ts';
import type { Fault, FaultTable } from '../fault.ts';

const text: When = value => typeof value === 'string';
const broken: readonly RequirementId[] = ['reject.well-typed-if-accepted'];

type Site = readonly [
  subject: string,
  endpoint: EndpointId,
  path: string,
  requirement: RequirementId,
  values: readonly string[],
];

/**
 * An enum that takes any text, one that lacks its last value, one that ignores letter case, and one that ignores
 * blanks.
 */
const wrong = (
  [subject, endpoint, path, requirement, values]: Site,
  alsoAs = broken,
  shortAs: readonly RequirementId[] = [],
): readonly Fault[] => {
  const last = values.at(-1) ?? '';
  const byLetters = (value: unknown) => values.find(one => one.toLowerCase() === String(value).toLowerCase());
  const byBlanks = (value: unknown) => values.find(one => one === String(value).replaceAll(' ', ''));
  const almost =
    (meant: (value: unknown) => unknown): When =>
    value =>
      text(value) && !values.includes(String(value)) && meant(value) !== undefined;
  const common = { endpoints: [endpoint], profile: 'standard' } as const;
  // biome-ignore format: a table
  return [
    { ...common, id: `${subject}-open`,     requirement,                            title: `\`${path}\` may be any text.`,                     decorator: forgives(path, text), alsoAs },
    { ...common, id: `${subject}-short`,    requirement: 'accept.stated-boundary', title: `\`${path}\` must not be ${last}.`,                 decorator: refuses(path, is(last)), alsoAs: shortAs },
    { ...common, id: `${subject}-any-case`, requirement,                            title: `The letter case of \`${path}\` does not matter.`,  decorator: takesAs(path, almost(byLetters), byLetters) },
    { ...common, id: `${subject}-blanks`,   requirement,                            title: `Blanks in \`${path}\` do not matter.`,             decorator: takesAs(path, almost(byBlanks), byBlanks) },
  ];
};

/** Every closed set of a request (section 2). */
// biome-ignore format: a table
export const enumFaults: FaultTable = [
  ...wrong(['gate-type',            'patch-gate',              'type',                      'gate.type',                            ['PERMANENT', 'TEMPORARY']]),
  ...wrong(['confidence',           'update-experiment',       'defaultConfidenceInterval', 'experiment.defaultConfidenceInterval', ['80', '90', '95', '98', '99']]).filter(({ id }) => id !== 'confidence-any-case'),
  ...wrong(['identifier-mapping',   'update-experiment',       'identifierMappingMode',     'experiment.identifierMappingMode',     ['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany']], broken, ['accept.combination']),
  ...wrong(['reload-type',          'update-experiment',       'scheduledReloadType',       'experiment.scheduledReloadType',       ['full', 'incremental']]),
  ...wrong(['analytics-type',       'update-experiment',       'analyticsType',             'experiment.analyticsType',             ['frequentist', 'bayesian', 'sprt']], broken, ['accept.plain-value']),
  ...wrong(['sprt-baseline',        'update-experiment',       'sprtBaselineMode',          'experiment.sprtBaselineMode',          ['manual', 'in_experiment_control']]),
  ...wrong(['experiment-status',    'update-experiment',       'status',                    'experiment.status',                    ['active', 'setup']]).filter(({ id }) => id !== 'experiment-status-short'),
  ...wrong(['source-type',          'update-qualifying-event', 'sourceType',                'qualifyingEvent.sourceType',           ['table', 'query']]),
  ...wrong(['metric-type',          'create-metric',           'type',                      'metric.type',                          ['ratio', 'mean', 'event_count_custom', 'event_user']], []).filter(({ id }) => id !== 'metric-type-short'),
  ...wrong(['directionality',       'create-metric',           'directionality',            'metric.directionality',                ['increase', 'decrease']]),
  ...wrong(['funnel-count',         'create-metric',           'funnelCountDistinct',       'metric.funnelCountDistinct',           ['events', 'users']], broken, ['accept.combination']),
];
