import { isObject } from '../../../contracts/json.ts';
import { type Alteration, alter, type Mutable } from '../../decorators/members.ts';
import { sentBy } from '../../decorators/operations.ts';
import { onEntity, shows } from '../../decorators/responses.ts';
import { stores } from '../../decorators/stores.ts';
import type { FaultTable } from '../fault.ts';

const text = (path: string, change: (text: string) => unknown): Alteration =>
  alter(path, (value: unknown) => (typeof value === 'string' ? change(value) : value));
const ofNumber = (path: string, change: (value: number) => unknown): Alteration =>
  alter(path, (value: unknown) => (typeof value === 'number' ? change(value) : value));
const list = (path: string, change: (list: readonly unknown[]) => unknown): Alteration =>
  alter(path, (value: unknown) => (Array.isArray(value) ? change(value) : value));

/** Every item of a list shows the members of the first. */
const firstForAll = (path: string, ...members: readonly string[]): Alteration =>
  list(path, items =>
    items.map(item => ({
      ...(item as Mutable),
      ...Object.fromEntries(members.map(name => [name, (items[0] as Mutable)[name]])),
    })),
  );

/** Changes every value of a free-form object, from the innermost on; undefined leaves a member out. */
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
  shows(alter('groups.*.parameterValues', (value: unknown) => within(value, change)));
const renamed = (change: (name: string) => string) =>
  parameters(value =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), one])) : value,
  );
const isEmpty = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

/** Shows a sent member that answers need not have, and otherwise than it was sent. */
const showsSent = (field: string, change: Alteration) =>
  onEntity((entity, request) => {
    const sent = sentBy(request)[field];
    if (sent === undefined) return;
    entity[field] = structuredClone(sent);
    change(entity);
  });

/** Stores a text of the entity otherwise; the response stays as it was. */
const storesText = (field: string, change: (text: string) => string) =>
  stores(({ value }) => ({
    ...value,
    [field]: typeof value[field] === 'string' ? change(value[field]) : value[field],
  }));
const storesList = (field: string, change: (list: readonly unknown[]) => unknown) =>
  stores(({ value }) => ({ ...value, [field]: Array.isArray(value[field]) ? change(value[field]) : value[field] }));

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const blanks = (value: string) => value.replace(/ {2,}/g, ' ');
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

const gate = {
  endpoints: ['patch-gate'],
  requirement: 'echo.sent-field',
  alsoAs: ['state.patch-every-sent', 'echo.unicode'],
} as const;
const experiment = {
  endpoints: ['update-experiment'],
  requirement: 'echo.sent-field',
  alsoAs: ['echo.unicode'],
} as const;
const free = { endpoints: ['update-experiment'], requirement: 'echo.free-form' } as const;
const source = {
  endpoints: ['update-qualifying-event'],
  requirement: 'echo.sent-field',
  alsoAs: ['echo.unicode'],
} as const;
const hidden = { endpoints: ['update-qualifying-event'], requirement: 'echo.outside-shape' } as const;
const metric = { endpoints: ['create-metric'], requirement: 'echo.sent-field', alsoAs: ['echo.unicode'] } as const;
const warehouse = { endpoints: ['create-metric'], requirement: 'echo.outside-shape' } as const;
const prompt = {
  endpoints: ['create-prompt-version'],
  requirement: 'echo.sent-field',
  alsoAs: ['echo.unicode'],
} as const;

/** Values as people have them, that do not come back whole, or do not stay so. */
// biome-ignore format: a table
export const valueFaults: FaultTable = [
  { ...gate,       id: 'gate-tabs-as-blanks',            title: 'Tabs in the description of a gate become blanks.',                 decorator: shows(text('description', value => value.replaceAll('\t', ' '))) },
  { ...gate,       id: 'gate-blanks-collapsed',          title: 'Doubled blanks in the description of a gate become one.',          decorator: shows(text('description', blanks)) },
  { ...gate,       id: 'gate-line-ends-unified',         title: 'CR LF in the description of a gate becomes LF.',                   decorator: shows(text('description', value => value.replaceAll('\r\n', '\n'))) },
  { ...gate,       id: 'gate-template-filled',           title: 'What stands in double braces in a description is filled in.',      decorator: shows(text('description', value => value.replace(/\{\{\w+\}\}/g, ''))) },
  { ...gate,       id: 'gate-replacement-pattern',       title: '`$&` in a description is taken for a pattern of a replacement.',   decorator: shows(text('description', value => 'x'.replace('x', value))) },
  { ...gate,       id: 'gate-entities-decoded',          title: 'Entities in the description of a gate are decoded.',               decorator: shows(text('description', decoded)) },
  { ...gate,       id: 'gate-number-word-normalised',    title: 'A description that reads like a number is written as one.',        decorator: shows(text('description', value => coerced(value))) },
  { ...gate,       id: 'gate-controls-stripped',         title: 'Control characters in a description are stripped.',                decorator: shows(text('description', value => value.replace(/(?![\n\r\t])\p{Cc}/gu, ''))) },
  { ...gate,       id: 'gate-full-width-folded',         title: 'Full-width letters come back as ASCII (NFKC).',                    decorator: shows(text('description', value => value.replace(/[\uff01-\uff5e]/g, one => one.normalize('NFKC')))) },
  { ...gate,       id: 'gate-typography-as-ascii',       title: 'Curly quotes and dashes come back as ASCII.',                      decorator: shows(text('description', asAscii)) },
  { ...gate,       id: 'gate-null-word-as-empty',        title: 'A description that is the word null comes back empty.',            decorator: shows(text('description', value => (value === 'null' ? '' : value))) },
  { ...gate,       id: 'gate-tags-cut-at-50',            title: 'Of the tags of a gate fifty are shown.',                           decorator: shows(list('tags', tags => tags.slice(0, 50))) },
  { ...gate,       id: 'gate-tag-split-at-commas',       title: 'A tag with commas comes back as several.',                         decorator: shows(list('tags', tags => tags.flatMap(tag => String(tag).split(',')))) },
  { ...gate,       id: 'gate-long-tag-cut',              title: 'Tags of a gate are cut at 128 characters.',                        decorator: shows(text('tags.*', value => value.slice(0, 128))) },
  { ...gate,       id: 'gate-stored-line-breaks-lost', alsoAs: [],   requirement: 'state.patch-every-sent', title: 'Line breaks of a description are not stored.',                 decorator: storesText('description', value => value.replace(/\r?\n/g, ' ')) },
  { ...gate,       id: 'gate-stored-tags-cut', alsoAs: [],           requirement: 'state.patch-every-sent', title: 'More than sixty tags of a gate are not stored.',               decorator: storesList('tags', tags => tags.slice(0, 60)) },

  { ...source,     id: 'source-second-placeholder-filled', title: 'A placeholder that stands twice in a query is filled in the second time.', decorator: shows(text('sql', value => { let seen = 0; return value.replace(/\{[a-z_]*start_date\}/g, one => (++seen > 1 ? '2024-01-01' : one)); })) },
  { ...source,     id: 'source-sql-blanks-collapsed',    title: 'Doubled blanks in a query become one.',                            decorator: shows(text('sql', blanks)) },
  { ...source,     id: 'source-sql-on-one-line',         title: 'The query of a source comes back on one line.',                    decorator: shows(text('sql', value => value.replace(/\s*\n\s*/g, ' '))) },
  { ...source,     id: 'source-sql-quotes-lost',         title: 'Doubled quotes in a query become one.',                            decorator: shows(text('sql', value => value.replaceAll("''", "'"))) },
  { ...source,     id: 'source-sql-comment-lost',        title: 'Comments in a query are stripped.',                                decorator: shows(text('sql', value => value.replace(/\/\*.*?\*\//g, ''))) },
  { ...source,     id: 'source-sql-replacement-pattern', title: '`$&` in a query is taken for a pattern of a replacement.',          decorator: shows(text('sql', value => 'x'.replace('x', value))) },
  { ...source,     id: 'source-description-cut-at-2048', title: 'Descriptions of sources are cut at 2048 characters.',              decorator: shows(text('description', value => value.slice(0, 2_048))) },
  { ...source,     id: 'source-tags-cut-at-100',         title: 'Of the tags of a source a hundred are shown.',                     decorator: shows(list('tags', tags => tags.slice(0, 100))) },
  { ...source,     id: 'source-markup-stripped',         title: 'Markup in the description of a source is stripped.',               decorator: shows(text('description', value => value.replace(/<[^>]*>/g, ''))) },
  { ...hidden,     id: 'source-custom-keys-of-first',    title: 'All custom fields show the key of the first.',                     decorator: shows(firstForAll('customFieldMapping', 'key')) },
  { ...hidden,     id: 'source-custom-formulas-of-first', title: 'All custom fields show the formula of the first.',                decorator: shows(firstForAll('customFieldMapping', 'formula')) },
  { ...source,     id: 'source-stored-line-breaks-lost', alsoAs: [], requirement: 'state.qualifying-event-visible', title: 'Line breaks of a description are not stored.',         decorator: storesText('description', value => value.replaceAll('\n', ' ')) },
  { ...source,     id: 'source-stored-sql-blanks-lost', alsoAs: [],  requirement: 'state.qualifying-event-visible', title: 'Doubled blanks of a query are not stored.',            decorator: storesText('sql', blanks) },

  { ...free,       id: 'parameters-null-dropped',        title: 'Parameters that are null are dropped.',                            decorator: parameters(value => value ?? undefined) },
  { ...free,       id: 'parameters-false-dropped',       title: 'Parameters that are false are dropped.',                           decorator: parameters(value => (value === false ? undefined : value)) },
  { ...free,       id: 'parameters-zero-dropped',        title: 'Parameters that are 0 are dropped.',                               decorator: parameters(value => (value === 0 ? undefined : value)) },
  { ...free,       id: 'parameters-empty-text-as-null',  title: 'Parameters that are the empty text come back as null.',            decorator: parameters(value => (value === '' ? null : value)) },
  { ...free,       id: 'parameters-empties-pruned',      title: 'Empty lists and objects in parameters are pruned.',                decorator: parameters((value, name) => (name !== '' && isEmpty(value) ? undefined : value)) },
  { ...free,       id: 'parameters-empty-list-as-object', title: 'Empty lists in parameters come back as empty objects.',           decorator: parameters(value => (Array.isArray(value) && value.length === 0 ? {} : value)) },
  { ...free,       id: 'parameters-numeric-text-as-number', title: 'Parameters that read like a number come back as one.',          decorator: parameters(value => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)) },
  { ...free,       id: 'parameters-true-text-as-boolean', title: 'The text true in parameters comes back as true.',                 decorator: parameters(value => (value === 'true' ? true : value)) },
  { ...free,       id: 'parameters-dates-in-utc',        title: 'Times in parameters come back in UTC.',                            decorator: parameters(value => (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value)) },
  { ...free,       id: 'parameters-names-in-camel-case', title: 'Names of parameters come back in camel case.',                     decorator: renamed(camel) },
  { ...free,       id: 'parameters-names-in-lower-case', title: 'Names of parameters come back in lower case.',                     decorator: renamed(name => name.toLowerCase()) },
  { ...free,       id: 'parameters-dots-as-underscores', title: 'Dots in names of parameters become underscores.',                  decorator: renamed(name => name.replaceAll('.', '_')) },
  { ...free,       id: 'parameters-names-cut',           title: 'Names of parameters are cut at 64 characters.',                    decorator: renamed(name => name.slice(0, 64)) },
  { ...free,       id: 'parameters-single-precision',    title: 'Parameters are kept with single precision.',                       decorator: parameters(value => (typeof value === 'number' && !Number.isInteger(value) ? Math.fround(value) : value)) },
  { ...free,       id: 'parameters-integers-of-32-bits', title: 'Integers in parameters are kept in 32 bits.',                      decorator: parameters(value => (Number.isInteger(value) ? Number(value) | 0 : value)) },
  { ...free,       id: 'parameters-fifteen-digits',      title: 'Numbers in parameters are kept with fifteen digits.',              decorator: parameters(value => (typeof value === 'number' ? Number(value.toPrecision(15)) : value)) },
  { ...free,       id: 'parameters-without-duplicates',  title: 'Lists in parameters lose their duplicates.',                       decorator: parameters(value => (Array.isArray(value) ? [...new Set(value)] : value)) },
  { ...free,       id: 'parameters-lists-sorted',        title: 'Lists in parameters come back sorted.',                            decorator: parameters(value => (Array.isArray(value) ? [...value].sort() : value)) },
  { ...free,       id: 'parameters-long-text-cut',       title: 'Texts in parameters are cut at 512 characters.',                   decorator: parameters(value => (typeof value === 'string' ? value.slice(0, 512) : value)) },
  { ...free,       id: 'parameters-of-first-group',      title: 'All groups show the parameters of the first.',                     decorator: shows(firstForAll('groups', 'parameterValues')) },
  { ...experiment, id: 'group-descriptions-of-first',    title: 'All groups show the description of the first.',                    decorator: shows(firstForAll('groups', 'description')) },
  { ...experiment, id: 'group-highlights-of-first',      title: 'All groups show `highlighted` of the first.',                      decorator: shows(firstForAll('groups', 'highlighted')) },
  { ...experiment, id: 'link-titles-of-first',           title: 'All links show the title of the first.',                           decorator: shows(firstForAll('links', 'title')) },
  { ...experiment, id: 'link-urls-decoded',              title: 'Addresses of links are decoded.',                                  decorator: shows(text('links.*.url', loose)) },
  { ...experiment, id: 'link-urls-without-fragment',     title: 'Addresses of links lose their fragment.',                          decorator: shows(text('links.*.url', value => value.split('#')[0])) },
  { ...experiment, id: 'links-cut-at-50',                title: 'Of the links of an experiment fifty are shown.',                   decorator: shows(list('links', links => links.slice(0, 50))) },
  { ...experiment, id: 'hypothesis-cut-at-2000',         title: 'Hypotheses are cut at 2000 characters.',                           decorator: shows(text('hypothesis', value => value.slice(0, 2_000))) },
  { ...experiment, id: 'hypothesis-quotes-escaped',      title: 'Quotes in a hypothesis come back with backslashes.',               decorator: shows(text('hypothesis', value => value.replaceAll('"', '\\"'))) },
  { ...experiment, id: 'external-event-time-of-first',   title: 'All external events show the time of the first.',                  decorator: shows(firstForAll('externalEvents', 'timestamp')) },
  { ...experiment, id: 'prior-mean-without-sign',        title: 'The mean of a prior loses its sign.',                              decorator: shows(ofNumber('bayesianPriors.*.priorMean', Math.abs)) },
  { ...experiment, id: 'prior-deviation-of-first',       title: 'All priors show the deviation of the first.',                      decorator: shows(firstForAll('bayesianPriors', 'priorStdDev')) },
  { ...experiment, id: 'exposures-of-31-bits',           title: 'Target exposures are kept in 31 bits.',                            decorator: shows(ofNumber('targetExposures', value => Math.min(value, 2_147_483_647))) },
  { ...experiment, id: 'metric-values-of-first',         title: 'All primary metrics show the hypothesised value of the first.',    decorator: shows(firstForAll('primaryMetrics', 'hypothesizedValue')) },
  { ...experiment, id: 'reduction-of-two-decimals',      title: 'The reduction of a stratified sampling is kept with two decimals.', decorator: shows(ofNumber('stratifiedSampling.deltaReduction', value => Math.round(value * 100) / 100)) },

  { ...metric,     id: 'metric-description-on-one-line', title: 'The description of a metric comes back on one line.',              decorator: shows(text('description', value => value.replace(/[\r\n]+/g, ' '))) },
  { ...metric,     id: 'metric-tags-cut-at-100',         title: 'Of the tags of a metric a hundred are shown.',                     decorator: shows(list('tags', tags => tags.slice(0, 100))) },
  { ...warehouse,  id: 'metric-window-in-whole-days',    title: 'The end of a window is shown in whole days.',                      decorator: showsSent('customRollUpEnd', ofNumber('customRollUpEnd', Math.trunc)) },
  { ...warehouse,  id: 'criteria-values-of-first',       title: 'All criteria show the values of the first.',                       decorator: showsSent('warehouseNative', firstForAll('warehouseNative.criteria', 'values')) },
  { ...warehouse,  id: 'criteria-values-as-numbers',     title: 'Values of criteria that read like numbers are written as such.',   decorator: showsSent('warehouseNative', text('warehouseNative.criteria.*.values.*', value => coerced(value))) },
  { ...warehouse,  id: 'cap-in-cents',                   title: 'The cap of a metric is kept with two decimals.',                   decorator: showsSent('warehouseNative', ofNumber('warehouseNative.cap', value => Math.round(value * 100) / 100)) },
  { ...warehouse,  id: 'funnel-names-of-first',          title: 'All funnel events show the name of the first.',                    decorator: showsSent('warehouseNative', firstForAll('warehouseNative.funnelEvents', 'name')) },
  { ...warehouse,  id: 'dimension-limits-of-first',      title: 'All dimensions show the limit of the first.',                      decorator: showsSent('warehouseNative', firstForAll('warehouseNative.metricDimensionLimits', 'limit')) },
  { ...metric,     id: 'metric-stored-tabs-lost', alsoAs: [], profile: 'standard',        requirement: 'state.metric-as-created', title: 'Tabs in the description of a metric are not stored.',         decorator: storesText('description', value => value.replaceAll('\t', ' ')) },
  { ...metric,     id: 'metric-stored-description-cut', alsoAs: [], profile: 'standard',  requirement: 'state.metric-as-created', title: 'Descriptions of metrics are stored up to 100 characters.',    decorator: storesText('description', value => value.slice(0, 100)) },

  { ...prompt,     id: 'prompt-template-emptied',        title: 'What stands in double braces in a prompt is left out.',            decorator: shows(text('prompts.*.content', value => value.replace(/\{\{\w+\}\}/g, ''))) },
  { ...prompt,     id: 'prompt-line-ends-unified',       title: 'CR LF in a prompt becomes LF.',                                    decorator: shows(text('prompts.*.content', value => value.replaceAll('\r\n', '\n'))) },
  { ...prompt,     id: 'prompt-contents-of-first',       title: 'All prompts show the content of the first.',                       decorator: shows(firstForAll('prompts', 'content')) },
  { ...prompt,     id: 'prompt-header-names-in-lower-case', title: 'Names of workflow headers come back in lower case.',            decorator: shows(text('workflow_headers.*.name', value => value.toLowerCase())) },
  { ...prompt,     id: 'prompt-header-values-of-first',  title: 'All workflow headers show the value of the first.',                decorator: shows(firstForAll('workflow_headers', 'value')) },
  { ...prompt,     id: 'prompt-header-values-in-bytes',  title: 'Values of headers lose what is not visible ASCII.',                decorator: shows(text('auth_workflow_headers.*.value', value => value.replace(/[^\x20-\x7e]/g, ''))) },
  { ...prompt,     id: 'prompt-penalty-not-negative',    title: 'Penalties below 0 come back as 0.',                                decorator: shows(ofNumber('presence_penalty', value => Math.max(0, value))) },
  { ...prompt,     id: 'prompt-numbers-of-31-bits', profile: 'standard',      title: 'Numbers beyond 31 bits come back cut to 31.',                      decorator: onEntity(version => { for (const name of ['temperature', 'top_p', 'frequency_penalty', 'max_tokens']) if (Number(version[name]) > 2_147_483_647) version[name] = 2_147_483_647; }) },
  { ...prompt,     id: 'prompt-small-numbers-as-zero',   title: 'Numbers of more than six decimals come back with six.',            decorator: onEntity(version => { for (const name of ['temperature', 'top_p', 'frequency_penalty', 'max_tokens']) if (typeof version[name] === 'number') version[name] = Number(version[name].toFixed(6)); }) },
];
