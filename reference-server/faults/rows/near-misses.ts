import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { Decorator } from '../../decorators/layers.ts';
import { sentBy } from '../../decorators/operations.ts';
import { forgives, holds, is, misses, type When } from '../../decorators/validation.ts';
import type { Fault, FaultTable } from '../fault.ts';

/** Too lax where the body has many fields alone: the rule is checked on small requests. */
const inCompany =
  (lax: Decorator, most: number): Decorator =>
  server => {
    const hooks = lax(server);
    return {
      decorateValidate: (id, validate) => {
        const wide = hooks.decorateValidate?.(id, validate) ?? validate;
        return request => (Object.keys(sentBy(request)).length > most ? wide(request) : validate(request));
      },
    };
  };
const forgivesInCompany = (path: string, when: When, most = 6): Decorator => inCompany(forgives(path, when), most);
const missesInCompany = (path: string, most: number): Decorator => inCompany(misses(path), most);

const longer =
  (count: number): When =>
  value =>
    typeof value === 'string' && value.length > count;
const shorter =
  (count: number): When =>
  value =>
    typeof value === 'string' && value.length < count;
/** A text of which a part is right: what follows it, or stands before it, is not looked at. */
const matches =
  (pattern: RegExp): When =>
  value =>
    typeof value === 'string' && pattern.test(value);
const any: When = () => true;

type Site = readonly [subject: string, endpoint: EndpointId, path: string, requirement: RequirementId];

const lax = ([subject, endpoint, path, requirement]: Site, id: string, title: string, when: When): Fault => ({
  id: `${subject}-accepts-${id}`,
  requirement,
  endpoints: [endpoint],
  profile: 'standard',
  title: `\`${path}\` may hold ${title}.`,
  decorator: forgives(path, when),
});

const gate = ['gate-name', 'patch-gate', 'name', 'gate.name'] as const;
const experiment = ['experiment-name', 'update-experiment', 'name', 'experiment.name'] as const;
const metric = ['metric-name', 'create-metric', 'name', 'metric.name'] as const;
const prompt = ['prompt-name', 'create-prompt-version', 'name', 'promptVersion.name'] as const;
const promptId = ['prompt-id', 'create-prompt-version', 'id', 'promptVersion.id'] as const;

/** Near misses of what is stated: characters alike, values that only answers have, later items, rules in company. */
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

  { id: 'metric-type-of-answers',       requirement: 'metric.type',                    endpoints: ['create-metric'],     profile: 'standard', title: 'Types that only answers have may be created.',                 decorator: forgives('type', is('event_count', 'event_dau')) },
  { id: 'mapping-mode-in-snake-case',   requirement: 'experiment.identifierMappingMode', endpoints: ['update-experiment'], profile: 'standard', title: 'A mapping mode may be written in snake case.',              decorator: forgives('identifierMappingMode', is('strict_one_to_one', 'first_touch_one_to_many', 'last_touch_one_to_many')), alsoAs: ['reject.well-typed-if-accepted'] },
  { id: 'metric-direction-in-upper-case', requirement: 'metric.directionality',        endpoints: ['create-metric'],     profile: 'standard', title: 'A direction may be written in upper case.',                    decorator: forgives('directionality', is('INCREASE', 'DECREASE')), alsoAs: ['reject.well-typed-if-accepted'] },
  { id: 'source-type-in-upper-case',    requirement: 'qualifyingEvent.sourceType',     endpoints: ['update-qualifying-event'], profile: 'standard', title: 'The type of a source may be written in upper case.',     decorator: forgives('sourceType', is('QUERY', 'TABLE')), alsoAs: ['reject.well-typed-if-accepted'] },

  { id: 'second-bucket-not-checked',    requirement: 'experiment.userBuckets',         endpoints: ['update-experiment'], profile: 'standard', title: 'Of the user buckets the first alone is checked.',             decorator: forgives('userBuckets.1', any) },
  { id: 'last-bucket-not-checked',      requirement: 'experiment.userBuckets',         endpoints: ['update-experiment'], profile: 'standard', title: 'The third user bucket is not checked.',                      decorator: forgives('userBuckets.2', any), alsoAs: ['reject.well-typed-if-accepted'] },
  { id: 'later-reload-day-not-checked', requirement: 'experiment.scheduledReloadDays', endpoints: ['update-experiment'], profile: 'standard', title: 'The third day of a reload is not checked.',                  decorator: forgives('scheduledReloadDays.2', any), alsoAs: ['reject.well-typed-if-accepted'] },
  { id: 'second-event-type-not-checked', requirement: 'reject.ratio-aggregation',      endpoints: ['create-metric'],     profile: 'standard', title: 'The aggregation of the second event of a ratio is not checked.', decorator: forgives('metricEvents.1.type', any) },

  { id: 'allocation-not-checked-in-company', requirement: 'experiment.allocation',     endpoints: ['update-experiment'], profile: 'standard', title: 'The allocation is not checked in large requests.',            decorator: forgivesInCompany('allocation', any, 20) },
  { id: 'duration-not-checked-in-company', requirement: 'experiment.duration',         endpoints: ['update-experiment'], profile: 'standard', title: 'The duration is not checked in large requests.',              decorator: forgivesInCompany('duration', any, 20) },
  { id: 'experiment-description-unbounded-in-company', requirement: 'experiment.description', endpoints: ['update-experiment'], profile: 'standard', title: 'The length of a description is not checked in large requests.', decorator: forgivesInCompany('description', longer(1_000), 20) },
  { id: 'gate-name-short-in-company',   requirement: 'gate.name',                      endpoints: ['patch-gate'],        profile: 'standard', title: 'Short names of gates pass in large requests.',                decorator: forgivesInCompany('name', shorter(3)) },
  { id: 'gate-type-not-checked-in-company', requirement: 'gate.type',                  endpoints: ['patch-gate'],        profile: 'standard', title: 'The type of a gate is not checked in large requests.',        decorator: forgivesInCompany('type', any), alsoAs: ['reject.well-typed-if-accepted'] },
  { id: 'source-column-not-missed-in-company', requirement: 'qualifyingEvent.timestampColumn', endpoints: ['update-qualifying-event'], profile: 'standard', title: 'Large requests need no timestamp column.',      decorator: missesInCompany('timestampColumn', 5) },
];
