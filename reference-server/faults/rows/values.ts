import { isObject, objectsIn } from '../../../contracts/json.ts';
import {
  alter,
  type Change,
  cut,
  firstForAll,
  hiddenWhere,
  is,
  list,
  lower,
  named,
  number,
  onEntity,
  rebuilt,
  replaced,
  sentBy,
  shown,
  sorted,
  stored,
  text,
  unique,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const parameters = (change: (value: unknown, name: string) => unknown) =>
  shown('groups.*.parameterValues', (value: unknown) => rebuilt(value, change));
const without = (when: (value: unknown) => boolean) => parameters(value => (when(value) ? undefined : value));
const renamed = (change: (name: string) => string) =>
  parameters(value =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), one])) : value,
  );
const isEmpty = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

/** Gives the third of several objects a member of the second. */
const thirdAsSecond = (name: string) => (items: unknown) =>
  objectsIn(items).map((one, index, all) => (index === 2 ? { ...one, [name]: all[1]?.[name] } : one));

/** Rounds the sizes where there are so many groups or more. */
const roundedFrom = (count: number) => (groups: unknown) =>
  objectsIn(groups).map((one, _, { length }) =>
    length < count ? one : { ...one, size: Math.round(Number(one.size)) },
  );

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
  ['patch-gate', 'echo.sent-field', [
    ['gate-tabs-as-blanks',         'Tabs in the description of a gate become blanks.',               shown('description', replaced('\t', ' '))],
    ['gate-blanks-collapsed',       shown('description', blanks)],
    ['gate-line-ends-unified',      'CR LF in the description of a gate becomes LF.',                 shown('description', replaced('\r\n', '\n'))],
    ['gate-template-filled',        'What stands in double braces in a description is filled in.',    shown('description', replaced(/\{\{\w+\}\}/g))],
    ['gate-replacement-pattern',    '`$&` in a description is taken for a pattern of a replacement.', shown('description', text(value => 'x'.replace('x', value)))],
    ['gate-entities-decoded',       'Entities in the description of a gate are decoded.',             shown('description', text(decoded))],
    ['gate-number-word-normalised', 'A description that reads like a number is written as one.',      shown('description', text(coerced))],
    ['gate-controls-stripped',      'Control characters in a description are stripped.',              shown('description', replaced(/(?![\n\r\t])\p{Cc}/gu)), 'state.patch-every-sent'],
    ['gate-full-width-folded',      'Full-width letters come back as ASCII (NFKC).',                  shown('description', text(value => value.replace(/[\uff01-\uff5e]/g, one => one.normalize('NFKC')))), 'state.patch-every-sent'],
    ['gate-typography-as-ascii',    'Curly quotes and dashes come back as ASCII.',                    shown('description', text(asAscii)), 'state.patch-every-sent'],
    ['gate-null-word-as-empty',     'A description that is the word null comes back empty.',          shown('description', text(value => (value === 'null' ? '' : value)))],
    ['gate-rule-digits-as-number',  'Digits that a condition compares with come back as a number.',   shown('rules.*.conditions.*.targetValue.*', text(value => (/^\d+$/.test(value) ? Number(value) : value))), 'standard', 'state.patch-every-sent'],
    ['gate-tags-cut-at-50',         shown('tags', cut(50))],
    ['gate-tag-split-at-commas',    'A tag with commas comes back as several.',                       shown('tags', list(tags => tags.flatMap(tag => String(tag).split(','))))],
    ['gate-long-tag-cut',           shown('tags.*', cut(128))],
  ], 'echo.unicode'],
  ['gate-stored-line-breaks-lost',      'patch-gate',              'state.patch-every-sent',         'Line breaks of a description are not stored.',                             stored('description', replaced(/\r?\n/g, ' '))],
  ['gate-stored-tags-cut',              'patch-gate',              'state.patch-every-sent', stored('tags', cut(60))],

  ['update-qualifying-event', 'echo.sent-field', [
    ['source-second-placeholder-filled', 'A placeholder that stands twice in a query is filled in the second time.', shown('sql', text(value => { let seen = 0; return value.replace(/\{[a-z_]*start_date\}/g, one => (++seen > 1 ? '2024-01-01' : one)); }))],
    ['source-sql-without-semicolon',     'The semicolon at the end of a query is taken off.', shown('sql', replaced(/;$/g)), 'standard'],
    ['source-sql-dollars-halved',        'Two dollar signs in a query become one.', shown('sql', replaced('$$', '$')), 'standard'],
    ['source-sql-blanks-collapsed',      shown('sql', blanks)],
    ['source-sql-on-one-line',           'The query of a source comes back on one line.',                            shown('sql', replaced(/\s*\n\s*/g, ' '))],
    ['source-sql-quotes-lost',           'Doubled quotes in a query become one.',                                    shown('sql', replaced("''", "'"))],
    ['source-sql-comment-lost',          'Comments in a query are stripped.',                                        shown('sql', replaced(/\/\*.*?\*\//g))],
    ['source-sql-replacement-pattern',   '`$&` in a query is taken for a pattern of a replacement.',                 shown('sql', text(value => 'x'.replace('x', value)))],
    ['source-sql-cut-at-4000',           shown('sql', cut(4_000))],
    ['source-description-cut-at-2048',   shown('description', cut(2_048))],
    ['source-tags-cut-at-100',           shown('tags', cut(100))],
    ['source-markup-stripped',           'Markup in the description of a source is stripped.',                       shown('description', replaced(/<[^>]*>/g))],
  ], 'echo.unicode'],
  ['source-custom-keys-of-first',       'update-qualifying-event', 'echo.outside-shape', shown('customFieldMapping', firstForAll('key'))],
  ['source-custom-formulas-of-first',   'update-qualifying-event', 'echo.outside-shape', shown('customFieldMapping', firstForAll('formula'))],
  ['source-stored-line-breaks-lost',    'update-qualifying-event', 'state.qualifying-event-visible', 'Line breaks of a description are not stored.',                             stored('description', replaced('\n', ' '))],
  ['source-stored-sql-blanks-lost',     'update-qualifying-event', 'state.qualifying-event-visible', stored('sql', blanks)],

  ['update-experiment', 'echo.free-form', [
    ['parameters-null-dropped',           'Parameters that are null are dropped.',                 without(is(null))],
    ['parameters-false-dropped',          'Parameters that are false are dropped.',                without(is(false))],
    ['parameters-zero-dropped',           'Parameters that are 0 are dropped.',                    without(is(0))],
    ['parameters-empty-text-as-null',     'Parameters that are the empty text come back as null.', parameters(value => (value === '' ? null : value))],
    ['parameters-empties-pruned',         'Empty lists and objects in parameters are pruned.',     parameters((value, name) => (name !== '' && isEmpty(value) ? undefined : value))],
    ['parameters-empty-list-as-object',   'Empty lists in parameters come back as empty objects.', parameters(list(items => (items.length === 0 ? {} : items)))],
    ['parameters-numeric-text-as-number', 'Parameters that read like a number come back as one.',  parameters(text(value => (/^\d+$/.test(value) ? Number(value) : value)))],
    ['parameters-true-text-as-boolean',   'The text true in parameters comes back as true.',       parameters(value => (value === 'true' ? true : value))],
    ['parameters-dates-in-utc',           'Times in parameters come back in UTC.',                 parameters(text(value => (/^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value)))],
    ['parameters-names-in-camel-case',    'Names of parameters come back in camel case.',          renamed(camel)],
    ['parameters-names-in-lower-case',    'Names of parameters come back in lower case.',          renamed(name => name.toLowerCase())],
    ['parameters-dots-as-underscores',    'Dots in names of parameters become underscores.',       renamed(name => name.replaceAll('.', '_'))],
    ['parameters-names-cut',              'Names of parameters are cut at 64 characters.',         renamed(name => name.slice(0, 64))],
    ['parameters-single-precision',       'Parameters are kept with single precision.',            parameters(number(value => (Number.isInteger(value) ? value : Math.fround(value))))],
    ['parameters-integers-of-32-bits',    'Integers in parameters are kept in 32 bits.',           parameters(value => (Number.isInteger(value) ? Number(value) | 0 : value))],
    ['parameters-fifteen-digits',         'Numbers in parameters are kept with fifteen digits.',   parameters(number(value => Number(value.toPrecision(15))))],
    ['parameters-without-duplicates',     'Lists in parameters lose their duplicates.',            parameters(unique)],
    ['parameters-lists-sorted',           'Lists in parameters come back sorted.',                 parameters(sorted)],
    ['parameters-long-text-cut',          'Texts in parameters are cut at 512 characters.',        parameters(text(value => value.slice(0, 512)))],
    ['parameters-of-first-group',         shown('groups', firstForAll('parameterValues'))],
    ['parameters-of-second-in-third',     'The third group shows the parameters of the second.',   shown('groups', thirdAsSecond('parameterValues')), 'standard'],
  ]],
  ['update-experiment', 'echo.sent-field', [
    ['group-descriptions-of-first',  shown('groups', firstForAll('description'))],
    ['group-highlights-of-first',    shown('groups', firstForAll('highlighted'))],
    ['three-group-sizes-whole',      'Of three groups or more the sizes are whole numbers.',              shown('groups', roundedFrom(3)), 'standard'],
    ['link-titles-of-first',         shown('links', firstForAll('title'))],
    ['link-urls-decoded',            'Addresses of links are decoded.',                                   shown('links.*.url', text(loose))],
    ['link-urls-without-fragment',   'Addresses of links lose their fragment.',                           shown('links.*.url', text(value => value.split('#')[0]))],
    ['links-cut-at-50',              shown('links', cut(50))],
    ['hypothesis-cut-at-2000',       shown('hypothesis', cut(2_000))],
    ['hypothesis-cut-at-5000',       shown('hypothesis', cut(5_000)), 'standard'],
    ['group-sizes-of-two-decimals',  'Sizes of groups are kept with two decimals.',                       shown('groups.*.size', number(value => Math.round(value * 100) / 100)), 'standard'],
    ['prior-deviation-zero-as-one',  'A deviation of 0 is taken for none.',                               shown('bayesianPriors.*.priorStdDev', number(value => value || 1)), 'standard'],
    ['link-titles-without-stop',     'A full stop at the end of a title is taken off.',                   shown('links.*.title', replaced(/\.$/g)), 'standard'],
    ['hypothesis-quotes-escaped',    'Quotes in a hypothesis come back with backslashes.',                shown('hypothesis', replaced('"', '\\"'))],
    ['external-event-time-of-first', shown('externalEvents', firstForAll('timestamp'))],
    ['prior-mean-without-sign',      'The mean of a prior loses its sign.',                               shown('bayesianPriors.*.priorMean', number(Math.abs))],
    ['prior-deviation-of-first',     shown('bayesianPriors', firstForAll('priorStdDev'))],
    ['exposures-of-31-bits',         'Target exposures are kept in 31 bits.',                             shown('targetExposures', number(value => Math.min(value, 2_147_483_647)))],
    ['metric-values-of-first',       shown('primaryMetrics', firstForAll('hypothesizedValue'))],
    ['reduction-of-two-decimals',    'The reduction of a stratified sampling is kept with two decimals.', shown('stratifiedSampling.deltaReduction', number(value => Math.round(value * 100) / 100))],
  ], 'echo.unicode'],
  ['metric-values-zero-dropped',        'update-experiment',       'echo.sent-field', hiddenWhere(is(0), 'secondaryMetrics.*.hypothesizedValue')],

  ['metric-description-on-one-line',    'create-metric',           'echo.sent-field',                'The description of a metric comes back on one line.',                      shown('description', replaced(/[\r\n]+/g, ' ')), 'echo.unicode'],
  ['metric-tags-cut-at-100',            'create-metric',           'echo.sent-field', shown('tags', cut(100)), 'echo.unicode'],
  ['create-metric', 'echo.outside-shape', [
    ['metric-window-in-whole-days', 'The end of a window is shown in whole days.',                    shownSent('customRollUpEnd', number(Math.trunc))],
    ['criteria-values-of-first',    'All criteria show the values of the first.',                     shownSent('warehouseNative.criteria', firstForAll('values'))],
    ['criteria-values-as-numbers',  'Values of criteria that read like numbers are written as such.', shownSent('warehouseNative.criteria.*.values.*', text(coerced))],
    ['cap-in-cents',                'The cap of a metric is kept with two decimals.',                 shownSent('warehouseNative.cap', number(value => Math.round(value * 100) / 100))],
    ['funnel-names-of-first',       'All funnel events show the name of the first.',                  shownSent('warehouseNative.funnelEvents', firstForAll('name'))],
    ['dimension-limits-of-first',   'All dimensions show the limit of the first.',                    shownSent('warehouseNative.metricDimensionLimits', firstForAll('limit'))],
  ]],
  ['metric-stored-tabs-lost',           'create-metric',           'state.metric-as-created',        'Tabs in the description of a metric are not stored.',                      stored('description', replaced('\t', ' ')), 'standard'],
  ['metric-stored-description-cut',     'create-metric',           'state.metric-as-created', stored('description', cut(100)), 'standard'],

  ['create-prompt-version', 'echo.sent-field', [
    ['prompt-template-emptied',           'What stands in double braces in a prompt is left out.', shown('prompts.*.content', replaced(/\{\{\w+\}\}/g))],
    ['prompt-line-ends-unified',          'CR LF in a prompt becomes LF.',                         shown('prompts.*.content', replaced('\r\n', '\n'))],
    ['prompt-contents-of-first',          shown('prompts', firstForAll('content'))],
    ['prompt-header-names-in-lower-case', shown('workflow_headers.*.name', lower)],
    ['prompt-header-values-of-first',     shown('workflow_headers', firstForAll('value'))],
    ['prompt-header-values-in-bytes',     'Values of headers lose what is not visible ASCII.',     shown('auth_workflow_headers.*.value', replaced(/[^\x20-\x7e]/g))],
    ['prompt-penalty-not-negative',       'Penalties below 0 come back as 0.',                     shown('presence_penalty', number(value => Math.max(0, value)))],
    ['prompt-numbers-of-31-bits',         'Numbers beyond 31 bits come back cut to 31.',           settings(value => Math.min(value, 2_147_483_647)), 'standard'],
    ['prompt-small-numbers-as-zero',      'Numbers of more than six decimals come back with six.', settings(value => Number(value.toFixed(6)))],
  ], 'echo.unicode'],
];
