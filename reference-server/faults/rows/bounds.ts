import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { between, is, items, length, type When } from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';
import { accepts, declines, type Site, sites } from '../site.ts';

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

/** The least and the most characters of a name. */
const named = (site: Site, least: number, most: number): FaultTable => [
  ...off(site, characters(least - 1), characters(least)),
  ...off(site, characters(most + 1), characters(most)),
];

/** The most characters of a description, which are not bytes. */
const described = (site: Site): FaultTable => [...off(site, characters(1001), characters(1000)), inBytes(site)];

const updated = (subject: string, path: string, requirement: RequirementId): Site => [
  subject,
  'update-experiment',
  path,
  requirement,
];
const allocation = updated('allocation', 'allocation', 'experiment.allocation');
const bucket = updated('user-bucket', 'userBuckets.*', 'experiment.userBuckets');
const hour = updated('reload-hour', 'scheduledReloadHour', 'experiment.scheduledReloadHour');
const day = updated('reload-day', 'scheduledReloadDays.*', 'experiment.scheduledReloadDays');
const scores = updated('quality-scores', 'manualQualityScores', 'experiment.manualQualityScores');
const percentile: Site = ['percentile', 'create-metric', 'percentile', 'metric.percentile'];

/** Every stated bound (sections 2 and 8), off by one in both directions. */
// biome-ignore format: a table
export const boundFaults: FaultTable = [
  ...named(sites.gate,       3, 100),
  ...named(sites.experiment, 3, 100),
  ...named(sites.metric,     3, 200),
  ...named(sites.prompt,     3, 100),
  ...described(['gate-description',       'patch-gate',            'description', 'gate.description']),
  ...described(['experiment-description', 'update-experiment',     'description', 'experiment.description']),
  ...described(['metric-description',     'create-metric',         'description', 'metric.description']),
  ...described(['prompt-description',     'create-prompt-version', 'description', 'promptVersion.description']),
  ...off(allocation, range('more than 100', 100, 102),     number(100)),
  ...off(allocation, range('less than 0', -2, 0),          number(0)),
  ...off(bucket,     number(1000),                         number(999), ['accept.plain-value']),
  ...off(bucket,     range('less than 0', -2, 0),          number(0), ['accept.plain-value']),
  ...off(updated('duration',            'duration',                 'experiment.duration'),                 number(1), number(2)),
  ...off(updated('target-exposures',    'targetExposures',          'experiment.targetExposures'),          number(1), number(2)),
  ...off(updated('allocation-duration', 'allocationDuration',       'experiment.allocationDuration'),       number(1), number(2)),
  ...off(updated('cohorted-duration',   'cohortedAnalysisDuration', 'experiment.cohortedAnalysisDuration'), number(1), number(2)),
  ...off(updated('fixed-duration',      'fixedAnalysisDuration',    'experiment.fixedAnalysisDuration'),    number(1), number(2)),
  ...off(hour,       number(24),                           number(23)),
  ...off(hour,       number(-1),                           number(0)),
  ...off(day,        number(7),                            number(6)),
  ...off(day,        number(-1),                           number(0), ['accept.plain-value']),
  ...off(scores,     entries(11),                          entries(10)),
  ...off(percentile, range('more than 0.999', 0.999, 2),   number(0.999)),
  ...off(percentile, range('less than 0.001', -1, 0.001),  number(0.001)),
];
