import { isObject } from '../../../contracts/json.ts';
import { alter } from '../../decorators/members.ts';
import { sentBy } from '../../decorators/operations.ts';
import { hiddenWhere, onEntity, shown } from '../../decorators/responses.ts';
import { stored } from '../../decorators/stores.ts';
import { is } from '../../decorators/validation.ts';
import {
  type Change,
  cut,
  firstForAll,
  list,
  lower,
  named,
  number,
  replaced,
  sorted,
  text,
  unique,
} from '../../decorators/values.ts';
import type { FaultTable } from '../fault.ts';

/** Changes every value of a free-form object, innermost first; undefined removes a member. */
const within = (value: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown => {
  if (Array.isArray(value))
    return change(
      value.map(item => within(item, change)),
      name,
    );
  if (!isObject(value)) return change(value, name);
  const kept = Object.entries(value)
    .map(([key, member]) => [key, within(member, change, key)] as const)
    .filter(([, member]) => member !== undefined);
  return change(Object.fromEntries(kept), name);
};
const parameters = (change: (value: unknown, name: string) => unknown) =>
  shown('groups.*.parameterValues', (value: unknown) => within(value, change));
const without = (when: (value: unknown) => boolean) => parameters(value => (when(value) ? undefined : value));
const renamed = (change: (name: string) => string) =>
  parameters(value =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), one])) : value,
  );
const isEmpty = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

/** Shows a sent member that answers may omit, with another value than sent. */
const shownSent = (path: string, change: Change) =>
  onEntity((entity, request) => {
    const [field = ''] = path.split('.');
    const sent = sentBy(request)[field];
    if (sent === undefined) return;
    entity[field] = structuredClone(sent);
    alter(path, change)(entity);
  });

/** Changes the model settings that a version shows. */
const settings = (change: (value: number) => number) =>
  onEntity(version => {
    for (const name of ['temperature', 'top_p', 'frequency_penalty', 'max_tokens'])
      alter(name, number(change))(version);
  });

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const blanks = named('with doubled blanks as one', replaced(/ {2,}/g, ' '));
const asAscii = (value: string) =>
  value.replace(/[“”]/g, '"').replace(/’/g, "'").replace(/[–—]/g, '-').replaceAll('…', '...');
const decoded = (value: string) =>
  value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replaceAll('&#65;', 'A');
const coerced = (value: string): unknown => (/^-?\d+(\.\d+)?(e\d+)?$/.test(value) ? `${Number(value)}` : value);
const loose = (value: string): string => {
  try {
    return decodeURI(value);
  } catch {
    return value;
  }
};

/** Realistic values that do not come back whole, or do not stay so. */
// biome-ignore format: a table
export const valueFaults: FaultTable = [
  ['gate-tabs-as-blanks',               'patch-gate',              'echo.sent-field',                'Tabs in the description of a gate become blanks.',                         shown('description', replaced('\t', ' ')), 'echo.unicode'],
  ['gate-blanks-collapsed',             'patch-gate',              'echo.sent-field', shown('description', blanks), 'echo.unicode'],
  ['gate-line-ends-unified',            'patch-gate',              'echo.sent-field',                'CR LF in the description of a gate becomes LF.',                           shown('description', replaced('\r\n', '\n')), 'echo.unicode'],
  ['gate-template-filled',              'patch-gate',              'echo.sent-field',                'What stands in double braces in a description is filled in.',              shown('description', replaced(/\{\{\w+\}\}/g)), 'echo.unicode'],
  ['gate-replacement-pattern',          'patch-gate',              'echo.sent-field',                '`$&` in a description is taken for a pattern of a replacement.',           shown('description', text(value => 'x'.replace('x', value))), 'echo.unicode'],
  ['gate-entities-decoded',             'patch-gate',              'echo.sent-field',                'Entities in the description of a gate are decoded.',                       shown('description', text(decoded)), 'echo.unicode'],
  ['gate-number-word-normalised',       'patch-gate',              'echo.sent-field',                'A description that reads like a number is written as one.',                shown('description', text(coerced)), 'echo.unicode'],
  ['gate-controls-stripped',            'patch-gate',              'echo.sent-field',                'Control characters in a description are stripped.',                        shown('description', replaced(/(?![\n\r\t])\p{Cc}/gu)), 'state.patch-every-sent', 'echo.unicode'],
  ['gate-full-width-folded',            'patch-gate',              'echo.sent-field',                'Full-width letters come back as ASCII (NFKC).',                            shown('description', text(value => value.replace(/[\uff01-\uff5e]/g, one => one.normalize('NFKC')))), 'state.patch-every-sent', 'echo.unicode'],
  ['gate-typography-as-ascii',          'patch-gate',              'echo.sent-field',                'Curly quotes and dashes come back as ASCII.',                              shown('description', text(asAscii)), 'state.patch-every-sent', 'echo.unicode'],
  ['gate-null-word-as-empty',           'patch-gate',              'echo.sent-field',                'A description that is the word null comes back empty.',                    shown('description', text(value => (value === 'null' ? '' : value))), 'echo.unicode'],
  ['gate-tags-cut-at-50',               'patch-gate',              'echo.sent-field', shown('tags', cut(50)), 'echo.unicode'],
  ['gate-tag-split-at-commas',          'patch-gate',              'echo.sent-field',                'A tag with commas comes back as several.',                                 shown('tags', list(tags => tags.flatMap(tag => String(tag).split(',')))), 'echo.unicode'],
  ['gate-long-tag-cut',                 'patch-gate',              'echo.sent-field', shown('tags.*', cut(128)), 'echo.unicode'],
  ['gate-stored-line-breaks-lost',      'patch-gate',              'state.patch-every-sent',         'Line breaks of a description are not stored.',                             stored('description', replaced(/\r?\n/g, ' '))],
  ['gate-stored-tags-cut',              'patch-gate',              'state.patch-every-sent', stored('tags', cut(60))],

  ['source-second-placeholder-filled',  'update-qualifying-event', 'echo.sent-field',                'A placeholder that stands twice in a query is filled in the second time.', shown('sql', text(value => { let seen = 0; return value.replace(/\{[a-z_]*start_date\}/g, one => (++seen > 1 ? '2024-01-01' : one)); })), 'echo.unicode'],
  ['source-sql-blanks-collapsed',       'update-qualifying-event', 'echo.sent-field', shown('sql', blanks), 'echo.unicode'],
  ['source-sql-on-one-line',            'update-qualifying-event', 'echo.sent-field',                'The query of a source comes back on one line.',                            shown('sql', replaced(/\s*\n\s*/g, ' ')), 'echo.unicode'],
  ['source-sql-quotes-lost',            'update-qualifying-event', 'echo.sent-field',                'Doubled quotes in a query become one.',                                    shown('sql', replaced("''", "'")), 'echo.unicode'],
  ['source-sql-comment-lost',           'update-qualifying-event', 'echo.sent-field',                'Comments in a query are stripped.',                                        shown('sql', replaced(/\/\*.*?\*\//g)), 'echo.unicode'],
  ['source-sql-replacement-pattern',    'update-qualifying-event', 'echo.sent-field',                '`$&` in a query is taken for a pattern of a replacement.',                 shown('sql', text(value => 'x'.replace('x', value))), 'echo.unicode'],
  ['source-description-cut-at-2048',    'update-qualifying-event', 'echo.sent-field', shown('description', cut(2_048)), 'echo.unicode'],
  ['source-tags-cut-at-100',            'update-qualifying-event', 'echo.sent-field', shown('tags', cut(100)), 'echo.unicode'],
  ['source-markup-stripped',            'update-qualifying-event', 'echo.sent-field',                'Markup in the description of a source is stripped.',                       shown('description', replaced(/<[^>]*>/g)), 'echo.unicode'],
  ['source-custom-keys-of-first',       'update-qualifying-event', 'echo.outside-shape', shown('customFieldMapping', firstForAll('key'))],
  ['source-custom-formulas-of-first',   'update-qualifying-event', 'echo.outside-shape', shown('customFieldMapping', firstForAll('formula'))],
  ['source-stored-line-breaks-lost',    'update-qualifying-event', 'state.qualifying-event-visible', 'Line breaks of a description are not stored.',                             stored('description', replaced('\n', ' '))],
  ['source-stored-sql-blanks-lost',     'update-qualifying-event', 'state.qualifying-event-visible', stored('sql', blanks)],

  ['parameters-null-dropped',           'update-experiment',       'echo.free-form',                 'Parameters that are null are dropped.',                                    without(is(null))],
  ['parameters-false-dropped',          'update-experiment',       'echo.free-form',                 'Parameters that are false are dropped.',                                   without(is(false))],
  ['parameters-zero-dropped',           'update-experiment',       'echo.free-form',                 'Parameters that are 0 are dropped.',                                       without(is(0))],
  ['parameters-empty-text-as-null',     'update-experiment',       'echo.free-form',                 'Parameters that are the empty text come back as null.',                    parameters(value => (value === '' ? null : value))],
  ['parameters-empties-pruned',         'update-experiment',       'echo.free-form',                 'Empty lists and objects in parameters are pruned.',                        parameters((value, name) => (name !== '' && isEmpty(value) ? undefined : value))],
  ['parameters-empty-list-as-object',   'update-experiment',       'echo.free-form',                 'Empty lists in parameters come back as empty objects.',                    parameters(list(items => (items.length === 0 ? {} : items)))],
  ['parameters-numeric-text-as-number', 'update-experiment',       'echo.free-form',                 'Parameters that read like a number come back as one.',                     parameters(text(value => (/^\d+$/.test(value) ? Number(value) : value)))],
  ['parameters-true-text-as-boolean',   'update-experiment',       'echo.free-form',                 'The text true in parameters comes back as true.',                          parameters(value => (value === 'true' ? true : value))],
  ['parameters-dates-in-utc',           'update-experiment',       'echo.free-form',                 'Times in parameters come back in UTC.',                                    parameters(text(value => (/^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value)))],
  ['parameters-names-in-camel-case',    'update-experiment',       'echo.free-form',                 'Names of parameters come back in camel case.',                             renamed(camel)],
  ['parameters-names-in-lower-case',    'update-experiment',       'echo.free-form',                 'Names of parameters come back in lower case.',                             renamed(name => name.toLowerCase())],
  ['parameters-dots-as-underscores',    'update-experiment',       'echo.free-form',                 'Dots in names of parameters become underscores.',                          renamed(name => name.replaceAll('.', '_'))],
  ['parameters-names-cut',              'update-experiment',       'echo.free-form',                 'Names of parameters are cut at 64 characters.',                            renamed(name => name.slice(0, 64))],
  ['parameters-single-precision',       'update-experiment',       'echo.free-form',                 'Parameters are kept with single precision.',                               parameters(number(value => (Number.isInteger(value) ? value : Math.fround(value))))],
  ['parameters-integers-of-32-bits',    'update-experiment',       'echo.free-form',                 'Integers in parameters are kept in 32 bits.',                              parameters(value => (Number.isInteger(value) ? Number(value) | 0 : value))],
  ['parameters-fifteen-digits',         'update-experiment',       'echo.free-form',                 'Numbers in parameters are kept with fifteen digits.',                      parameters(number(value => Number(value.toPrecision(15))))],
  ['parameters-without-duplicates',     'update-experiment',       'echo.free-form',                 'Lists in parameters lose their duplicates.',                               parameters(unique)],
  ['parameters-lists-sorted',           'update-experiment',       'echo.free-form',                 'Lists in parameters come back sorted.',                                    parameters(sorted)],
  ['parameters-long-text-cut',          'update-experiment',       'echo.free-form',                 'Texts in parameters are cut at 512 characters.',                           parameters(text(value => value.slice(0, 512)))],
  ['parameters-of-first-group',         'update-experiment',       'echo.free-form', shown('groups', firstForAll('parameterValues'))],
  ['group-descriptions-of-first',       'update-experiment',       'echo.sent-field', shown('groups', firstForAll('description')), 'echo.unicode'],
  ['group-highlights-of-first',         'update-experiment',       'echo.sent-field', shown('groups', firstForAll('highlighted')), 'echo.unicode'],
  ['link-titles-of-first',              'update-experiment',       'echo.sent-field', shown('links', firstForAll('title')), 'echo.unicode'],
  ['link-urls-decoded',                 'update-experiment',       'echo.sent-field',                'Addresses of links are decoded.',                                          shown('links.*.url', text(loose)), 'echo.unicode'],
  ['link-urls-without-fragment',        'update-experiment',       'echo.sent-field',                'Addresses of links lose their fragment.',                                  shown('links.*.url', text(value => value.split('#')[0])), 'echo.unicode'],
  ['links-cut-at-50',                   'update-experiment',       'echo.sent-field', shown('links', cut(50)), 'echo.unicode'],
  ['hypothesis-cut-at-2000',            'update-experiment',       'echo.sent-field', shown('hypothesis', cut(2_000)), 'echo.unicode'],
  ['hypothesis-quotes-escaped',         'update-experiment',       'echo.sent-field',                'Quotes in a hypothesis come back with backslashes.',                       shown('hypothesis', replaced('"', '\\"')), 'echo.unicode'],
  ['external-event-time-of-first',      'update-experiment',       'echo.sent-field', shown('externalEvents', firstForAll('timestamp')), 'echo.unicode'],
  ['prior-mean-without-sign',           'update-experiment',       'echo.sent-field',                'The mean of a prior loses its sign.',                                      shown('bayesianPriors.*.priorMean', number(Math.abs)), 'echo.unicode'],
  ['prior-deviation-of-first',          'update-experiment',       'echo.sent-field', shown('bayesianPriors', firstForAll('priorStdDev')), 'echo.unicode'],
  ['exposures-of-31-bits',              'update-experiment',       'echo.sent-field',                'Target exposures are kept in 31 bits.',                                    shown('targetExposures', number(value => Math.min(value, 2_147_483_647))), 'echo.unicode'],
  ['metric-values-zero-dropped',        'update-experiment',       'echo.sent-field', hiddenWhere(is(0), 'secondaryMetrics.*.hypothesizedValue')],
  ['metric-values-of-first',            'update-experiment',       'echo.sent-field', shown('primaryMetrics', firstForAll('hypothesizedValue')), 'echo.unicode'],
  ['reduction-of-two-decimals',         'update-experiment',       'echo.sent-field',                'The reduction of a stratified sampling is kept with two decimals.',        shown('stratifiedSampling.deltaReduction', number(value => Math.round(value * 100) / 100)), 'echo.unicode'],

  ['metric-description-on-one-line',    'create-metric',           'echo.sent-field',                'The description of a metric comes back on one line.',                      shown('description', replaced(/[\r\n]+/g, ' ')), 'echo.unicode'],
  ['metric-tags-cut-at-100',            'create-metric',           'echo.sent-field', shown('tags', cut(100)), 'echo.unicode'],
  ['metric-window-in-whole-days',       'create-metric',           'echo.outside-shape',             'The end of a window is shown in whole days.',                              shownSent('customRollUpEnd', number(Math.trunc))],
  ['criteria-values-of-first',          'create-metric',           'echo.outside-shape',             'All criteria show the values of the first.',                               shownSent('warehouseNative.criteria', firstForAll('values'))],
  ['criteria-values-as-numbers',        'create-metric',           'echo.outside-shape',             'Values of criteria that read like numbers are written as such.',           shownSent('warehouseNative.criteria.*.values.*', text(coerced))],
  ['cap-in-cents',                      'create-metric',           'echo.outside-shape',             'The cap of a metric is kept with two decimals.',                           shownSent('warehouseNative.cap', number(value => Math.round(value * 100) / 100))],
  ['funnel-names-of-first',             'create-metric',           'echo.outside-shape',             'All funnel events show the name of the first.',                            shownSent('warehouseNative.funnelEvents', firstForAll('name'))],
  ['dimension-limits-of-first',         'create-metric',           'echo.outside-shape',             'All dimensions show the limit of the first.',                              shownSent('warehouseNative.metricDimensionLimits', firstForAll('limit'))],
  ['metric-stored-tabs-lost',           'create-metric',           'state.metric-as-created',        'Tabs in the description of a metric are not stored.',                      stored('description', replaced('\t', ' ')), 'standard'],
  ['metric-stored-description-cut',     'create-metric',           'state.metric-as-created', stored('description', cut(100)), 'standard'],

  ['prompt-template-emptied',           'create-prompt-version',   'echo.sent-field',                'What stands in double braces in a prompt is left out.',                    shown('prompts.*.content', replaced(/\{\{\w+\}\}/g)), 'echo.unicode'],
  ['prompt-line-ends-unified',          'create-prompt-version',   'echo.sent-field',                'CR LF in a prompt becomes LF.',                                            shown('prompts.*.content', replaced('\r\n', '\n')), 'echo.unicode'],
  ['prompt-contents-of-first',          'create-prompt-version',   'echo.sent-field', shown('prompts', firstForAll('content')), 'echo.unicode'],
  ['prompt-header-names-in-lower-case', 'create-prompt-version',   'echo.sent-field', shown('workflow_headers.*.name', lower), 'echo.unicode'],
  ['prompt-header-values-of-first',     'create-prompt-version',   'echo.sent-field', shown('workflow_headers', firstForAll('value')), 'echo.unicode'],
  ['prompt-header-values-in-bytes',     'create-prompt-version',   'echo.sent-field',                'Values of headers lose what is not visible ASCII.',                        shown('auth_workflow_headers.*.value', replaced(/[^\x20-\x7e]/g)), 'echo.unicode'],
  ['prompt-penalty-not-negative',       'create-prompt-version',   'echo.sent-field',                'Penalties below 0 come back as 0.',                                        shown('presence_penalty', number(value => Math.max(0, value))), 'echo.unicode'],
  ['prompt-numbers-of-31-bits',         'create-prompt-version',   'echo.sent-field',                'Numbers beyond 31 bits come back cut to 31.',                              settings(value => Math.min(value, 2_147_483_647)), 'standard', 'echo.unicode'],
  ['prompt-small-numbers-as-zero',      'create-prompt-version',   'echo.sent-field',                'Numbers of more than six decimals come back with six.',                    settings(value => Number(value.toFixed(6))), 'echo.unicode'],
];
