import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { is, takesAs, type When } from '../../decorators/index.ts';
import type { FaultRow, FaultTable } from '../fault.ts';
import { accepts, declines, type Site } from '../site.ts';

const text: When = value => typeof value === 'string';
const broken: readonly RequirementId[] = ['reject.well-typed-if-accepted'];

/** Four faults of an enum: accepts any text, lacks the last value, ignores letter case, ignores surrounding blanks. */
const wrong = (
  [subject, operation, path, requirement, values]: readonly [...Site, values: readonly string[]],
  alsoAs = broken,
  shortAs: readonly RequirementId[] = [],
): readonly FaultRow[] => {
  const site = [subject, operation, path, requirement] as const;
  const last = values.at(-1) ?? '';
  const byLetters = (value: unknown) => values.find(one => one.toLowerCase() === String(value).toLowerCase());
  const byBlanks = (value: unknown) => values.find(one => one === String(value).replaceAll(' ', ''));
  const taken = (meant: (value: unknown) => unknown) =>
    takesAs(path, value => text(value) && !values.includes(String(value)) && meant(value) !== undefined, meant);
  // biome-ignore format: a table
  return [
    [...accepts(site, 'open', 'may be any text', text), ...alsoAs],
    declines(site, 'short', `must not be ${last}`, is(last), shortAs),
    [`${subject}-any-case`, operation, requirement, `The letter case of \`${path}\` does not matter.`, taken(byLetters), 'standard'],
    [`${subject}-blanks`,   operation, requirement, `Blanks in \`${path}\` do not matter.`,            taken(byBlanks),  'standard'],
  ];
};

/** Every enum of a request (section 2). */
// biome-ignore format: a table
export const enumFaults: FaultTable = [
  ...wrong(['gate-type',            'patch-gate',              'type',                      'gate.type',                            ['PERMANENT', 'TEMPORARY']]),
  ...wrong(['confidence',           'update-experiment',       'defaultConfidenceInterval', 'experiment.defaultConfidenceInterval', ['80', '90', '95', '98', '99']]).filter(([id]) => !['confidence-any-case', 'confidence-blanks'].includes(id)),
  [...accepts(['confidence', 'update-experiment', 'defaultConfidenceInterval', 'experiment.defaultConfidenceInterval'], 'range', 'may be any whole number of percent from 80', value => text(value) && /^[89]\d$/.test(String(value))), ...broken],
  ...wrong(['identifier-mapping',   'update-experiment',       'identifierMappingMode',     'experiment.identifierMappingMode',     ['strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany']]),
  ...wrong(['reload-type',          'update-experiment',       'scheduledReloadType',       'experiment.scheduledReloadType',       ['full', 'incremental']]),
  ...wrong(['analytics-type',       'update-experiment',       'analyticsType',             'experiment.analyticsType',             ['frequentist', 'bayesian', 'sprt']], broken, ['accept.plain-value']),
  ...wrong(['sprt-baseline',        'update-experiment',       'sprtBaselineMode',          'experiment.sprtBaselineMode',          ['manual', 'in_experiment_control']]),
  ...wrong(['experiment-status',    'update-experiment',       'status',                    'experiment.status',                    ['active', 'setup']]).filter(([id]) => id !== 'experiment-status-short'),
  ...wrong(['source-type',          'update-qualifying-event', 'sourceType',                'qualifyingEvent.sourceType',           ['table', 'query']]),
  // The request that should be refused creates a metric that lists show.
  ...wrong(['metric-type',          'create-metric',           'type',                      'metric.type',                          ['ratio', 'mean', 'event_count_custom', 'event_user']], []).filter(([id]) => id !== 'metric-type-short').map(row => (row[0].endsWith('-open') ? row : ([...row, 'state.neighbours'] as const))),
  ...wrong(['directionality',       'create-metric',           'directionality',            'metric.directionality',                ['increase', 'decrease']]),
  ...wrong(['funnel-count',         'create-metric',           'funnelCountDistinct',       'metric.funnelCountDistinct',           ['events', 'users']]),
];
