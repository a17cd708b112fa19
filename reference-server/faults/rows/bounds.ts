import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { between, is, items, length, type When } from '../../decorators/validation.ts';
import type { FaultTable } from '../fault.ts';
import { accepts, declines, type Site } from '../site.ts';

type Case = readonly [words: string, when: When];

const slug = (words: string): string =>
  words
    .replace(/[^a-z0-9.]+/gi, '-')
    .replace(/^-|-$/g, '')
    .replaceAll('.', '-');

/** Shifts a bound in both directions: accepts a value beyond it, and refuses the boundary value. */
const off = (site: Site, beyond: Case, on: Case, alsoAs: readonly RequirementId[] = []): FaultTable => [
  accepts(site, `accepts-${slug(beyond[0])}`, `of ${beyond[0]} is accepted`, beyond[1]),
  declines(site, `refuses-${slug(on[0])}`, `of ${on[0]} is refused`, on[1], alsoAs),
];

const characters = (count: number): Case => [`${count} characters`, length(count)];
const entries = (count: number): Case => [`${count} items`, items(count)];
const number = (value: number, words = String(value)): Case => [words.replace('-', 'minus '), is(value)];
const range = (words: string, low: number, high: number): Case => [words, between(low, high)];

/** Selects texts with more bytes than a description may have characters. */
const tooManyBytes: When = value => typeof value === 'string' && Buffer.byteLength(value) > 1000;

/** Counts the length of a text in bytes. */
const inBytes = (site: Site) => declines(site, 'counted-in-bytes', 'is counted in bytes', tooManyBytes);

/** Every stated bound (sections 2 and 8), off by one in both directions. */
// biome-ignore format: a table
export const boundFaults: FaultTable = [
  ...off(['gate-name',             'patch-gate',            'name',                     'gate.name'],                                 characters(2),            characters(3)),
  ...off(['gate-name',             'patch-gate',            'name',                     'gate.name'],                                 characters(101),          characters(100)),
  ...off(['gate-description',      'patch-gate',            'description',              'gate.description'],                          characters(1001),         characters(1000)),
  ...off(['experiment-name',       'update-experiment',     'name',                     'experiment.name'],                           characters(2),            characters(3)),
  ...off(['experiment-name',       'update-experiment',     'name',                     'experiment.name'],                           characters(101),          characters(100)),
  ...off(['experiment-description', 'update-experiment',    'description',              'experiment.description'],                    characters(1001),         characters(1000)),
  ...off(['metric-name',           'create-metric',         'name',                     'metric.name'],                               characters(2),            characters(3)),
  ...off(['metric-name',           'create-metric',         'name',                     'metric.name'],                               characters(201),          characters(200)),
  ...off(['metric-description',    'create-metric',         'description',              'metric.description'],                        characters(1001),         characters(1000)),
  ...off(['prompt-name',           'create-prompt-version', 'name',                     'promptVersion.name'],                        characters(2),            characters(3)),
  ...off(['prompt-name',           'create-prompt-version', 'name',                     'promptVersion.name'],                        characters(101),          characters(100)),
  ...off(['prompt-description',    'create-prompt-version', 'description',              'promptVersion.description'],                 characters(1001),         characters(1000)),
  inBytes(['gate-description',     'patch-gate',            'description',              'gate.description']),
  inBytes(['experiment-description', 'update-experiment',   'description',              'experiment.description']),
  inBytes(['metric-description',   'create-metric',         'description',              'metric.description']),
  inBytes(['prompt-description',   'create-prompt-version', 'description',              'promptVersion.description']),
  ...off(['allocation',            'update-experiment',     'allocation',               'experiment.allocation'],                     range('more than 100', 100, 102),    number(100)),
  ...off(['allocation',            'update-experiment',     'allocation',               'experiment.allocation'],                     range('less than 0', -2, 0),         number(0)),
  ...off(['user-bucket',           'update-experiment',     'userBuckets.*',            'experiment.userBuckets'],                    number(1000),             number(999), ['accept.plain-value']),
  ...off(['user-bucket',           'update-experiment',     'userBuckets.*',            'experiment.userBuckets'],                    range('less than 0', -2, 0),         number(0), ['accept.plain-value']),
  ...off(['duration',              'update-experiment',     'duration',                 'experiment.duration'],                       number(1),                number(2)),
  ...off(['target-exposures',      'update-experiment',     'targetExposures',          'experiment.targetExposures'],                number(1),                number(2)),
  ...off(['allocation-duration',   'update-experiment',     'allocationDuration',       'experiment.allocationDuration'],             number(1),                number(2)),
  ...off(['cohorted-duration',     'update-experiment',     'cohortedAnalysisDuration', 'experiment.cohortedAnalysisDuration'],       number(1),                number(2)),
  ...off(['fixed-duration',        'update-experiment',     'fixedAnalysisDuration',    'experiment.fixedAnalysisDuration'],          number(1),                number(2)),
  ...off(['reload-hour',           'update-experiment',     'scheduledReloadHour',      'experiment.scheduledReloadHour'],            number(24),               number(23)),
  ...off(['reload-hour',           'update-experiment',     'scheduledReloadHour',      'experiment.scheduledReloadHour'],            number(-1),               number(0)),
  ...off(['reload-day',            'update-experiment',     'scheduledReloadDays.*',    'experiment.scheduledReloadDays'],            number(7),                number(6)),
  ...off(['reload-day',            'update-experiment',     'scheduledReloadDays.*',    'experiment.scheduledReloadDays'],            number(-1),               number(0), ['accept.plain-value']),
  ...off(['quality-scores',        'update-experiment',     'manualQualityScores',      'experiment.manualQualityScores'],            entries(11),              entries(10)),
  ...off(['percentile',            'create-metric',         'percentile',               'metric.percentile'],                         range('more than 0.999', 0.999, 2),  number(0.999)),
  ...off(['percentile',            'create-metric',         'percentile',               'metric.percentile'],                         range('less than 0.001', -1, 0.001), number(0.001)),
];
