import { objectsIn } from '../../../contracts/json.ts';
import {
  any,
  checksFirst,
  type Decorator,
  forgives,
  holds,
  is,
  laxWhere,
  matches,
  misses,
  sentBy,
  type When,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';
import { accepts, type Site, sites } from '../site.ts';

/** Too lax only for bodies with many fields: the rule is checked only for small requests. */
const inCompany = (most: number, lax: Decorator): Decorator =>
  laxWhere(request => Object.keys(sentBy(request)).length > most, lax);
const forgivesInCompany = (path: string, when: When, most = 6) => inCompany(most, forgives(path, when));

const isInterval: When = value => typeof value === 'string' && [80, 90, 95, 98, 99].includes(Number(value));
const isNumber: When = value => typeof value === 'number';
const areTenWithWeight: When = value =>
  Array.isArray(value) && value.length > 10 && objectsIn(value).filter(({ weight }) => weight !== 0).length <= 10;
const longer =
  (count: number): When =>
  value =>
    typeof value === 'string' && value.length > count;
const shorter =
  (count: number): When =>
  value =>
    typeof value === 'string' && value.length < count;
const lax = (site: Site, id: string, what: string, when: When) =>
  accepts(site, `accepts-${id}`, `may hold ${what}`, when);

const { gate, experiment, metric, prompt, promptId } = sites;

/**
 * Near misses of stated rules: similar characters, values that only answers have, later items, fields in combination.
 */
// biome-ignore format: a table
export const nearMissFaults: FaultTable = [
  lax(gate,       'kelvin',              'the sign of the kelvin, as a test without letter case does', holds('\u212a')),
  lax(gate,       'line-break',          'a line break, as a test line by line does',                  holds('\n')),
  lax(gate,       'no-width',            'a character of no width',                                    holds('\u200b')),
  lax(gate,       'full-width',          'letters of full width',                                      holds('\uff21')),
  lax(gate,       'wrong-ends',          'a wrong character at its beginning',                         matches(/^[^a-zA-Z0-9_\-. ][a-zA-Z0-9_\-. ]+$/u)),
  lax(experiment, 'kelvin',              'the sign of the kelvin',                                     holds('\u212a')),
  lax(experiment, 'letters-of-all-scripts', 'letters of any script',                                   matches(/^[\p{L}0-9_\- ]*$/u)),
  lax(experiment, 'wrong-end',           'a wrong character at its end',                               matches(/^[a-zA-Z0-9_\- ]+[^a-zA-Z0-9_\- ]$/u)),
  lax(experiment, 'line-break',          'a line break',                                               holds('\n')),
  lax(metric,     'line-break',          'a line break',                                               holds('\n')),
  lax(metric,     'full-width',          'letters of full width',                                      holds('\uff21')),
  lax(metric,     'tail',                'anything after a hundred right characters',                  matches(/^[a-zA-Z0-9_.\-()/ %:]{100}/)),
  lax(prompt,     'no-width',            'a character of no width',                                    holds('\u200b')),
  lax(prompt,     'line-break',          'a line break',                                               holds('\n')),
  lax(promptId,   'tail',                'anything after a hundred right characters',                  matches(/^[a-zA-Z0-9_\-.]{100}/)),
  lax(promptId,   'kelvin',              'the sign of the kelvin',                                     holds('\u212a')),

  ['metric-type-of-answers',                     'create-metric',           'metric.type', forgives('type', is('event_count', 'event_dau')), 'standard'],
  ['mapping-mode-in-snake-case',                 'update-experiment',       'experiment.identifierMappingMode', 'A mapping mode may be written in snake case.',                   forgives('identifierMappingMode', is('strict_one_to_one', 'first_touch_one_to_many', 'last_touch_one_to_many')), 'standard', 'reject.well-typed-if-accepted'],
  ['confidence-by-number',                       'update-experiment',       'experiment.defaultConfidenceInterval', 'An interval may be any text of the same number.',             forgives('defaultConfidenceInterval', isInterval), 'reject.well-typed-if-accepted'],
  ['metric-direction-in-upper-case',             'create-metric',           'metric.directionality', forgives('directionality', is('INCREASE', 'DECREASE')), 'standard', 'reject.well-typed-if-accepted'],
  ['source-type-in-upper-case',                  'update-qualifying-event', 'qualifyingEvent.sourceType', forgives('sourceType', is('QUERY', 'TABLE')), 'standard', 'reject.well-typed-if-accepted'],

  ['second-bucket-not-checked',                  'update-experiment',       'experiment.userBuckets', forgives('userBuckets.1', any), 'standard'],
  ['last-bucket-not-checked',                    'update-experiment',       'experiment.userBuckets', forgives('userBuckets.2', any), 'standard'],
  ['later-reload-day-not-checked',               'update-experiment',       'experiment.scheduledReloadDays', forgives('scheduledReloadDays.2', any), 'standard'],
  ['environments-third-not-checked',             'update-environments',     'reject.well-typed-if-accepted',    'Of the environments the first two alone are checked.',           checksFirst(2), 'standard'],
  ['third-link-not-checked',                     'update-experiment',       'reject.well-typed-if-accepted', forgives('links.2.title', any), 'standard'],
  ['prompt-third-items-not-checked',             'create-prompt-version',  'reject.well-typed-if-accepted',    'Of the objects in a list of a prompt the first two are checked.',  checksFirst(2), 'standard'],
  ['third-expected-value-not-checked',           'update-experiment',       'reject.well-typed-if-accepted', forgives('secondaryMetrics.2.hypothesizedValue', any), 'standard'],
  ['later-criteria-not-checked',                 'create-metric',           'reject.wrong-type', forgives('warehouseNative.components.2.criteria.2.values.*', any), 'standard'],
  ['third-mapping-not-checked',                  'update-qualifying-event', 'reject.well-typed-if-accepted', forgives('idTypeMapping.2.column', any), 'standard'],
  ['second-event-type-not-checked',              'create-metric',           'reject.ratio-aggregation', forgives('metricEvents.1.type', any), 'standard'],

  ['allocation-not-checked-in-company',          'update-experiment',       'experiment.allocation',            'The allocation is not checked in large requests.',               forgivesInCompany('allocation', any, 20), 'standard'],
  ['duration-not-checked-in-company',            'update-experiment',       'experiment.duration',              'The duration is not checked in large requests.',                 forgivesInCompany('duration', any, 20), 'standard'],
  ['experiment-description-unbounded-in-company', 'update-experiment',       'experiment.description',           'The length of a description is not checked in large requests.',  forgivesInCompany('description', longer(1_000), 20), 'standard'],
  ['gate-name-short-in-company',                 'patch-gate',              'gate.name',                        'Short names of gates pass in large requests.',                   forgivesInCompany('name', shorter(3)), 'standard'],
  ['gate-type-not-checked-in-company',           'patch-gate',              'gate.type',                        'The type of a gate is not checked in large requests.',           forgivesInCompany('type', any), 'standard', 'reject.well-typed-if-accepted'],
  ['reload-hour-not-checked-if-incremental',     'update-experiment',       'experiment.scheduledReloadHour',   'The hour of reloads is not checked where these are incremental.', laxWhere(request => sentBy(request).scheduledReloadType === 'incremental', forgives('scheduledReloadHour', isNumber)), 'standard'],
  ['scores-of-no-weight-not-counted',            'update-experiment',       'experiment.manualQualityScores',   'Scores of weight 0 do not count among the ten.',                 forgives('manualQualityScores', areTenWithWeight), 'standard'],
  ['source-column-not-missed-in-company',        'update-qualifying-event', 'qualifyingEvent.timestampColumn',  'Large requests need no timestamp column.',                       inCompany(5, misses('timestampColumn')), 'standard'],
];
