import { type Alteration, alter, drop, type Mutable } from '../../decorators/members.ts';
import { sentBy } from '../../decorators/operations.ts';
import { onEntity, shows } from '../../decorators/responses.ts';
import type { FaultTable } from '../fault.ts';

const text = (path: string, change: (text: string) => string): Alteration =>
  alter(path, (value: unknown) => (typeof value === 'string' ? change(value) : value));
const list = (path: string, change: (list: readonly unknown[]) => unknown): Alteration =>
  alter(path, (value: unknown) => (Array.isArray(value) ? change(value) : value));
const ofNumber = (path: string, change: (value: number) => unknown): Alteration =>
  alter(path, (value: unknown) => (typeof value === 'number' ? change(value) : value));
const names = (groups: readonly unknown[]) =>
  [...groups].sort((a, b) => String((a as Mutable).name).localeCompare(String((b as Mutable).name)));
/** A sent null comes back as this. */
const nullAs = (field: string, value: unknown) =>
  onEntity((entity, request) => {
    if (sentBy(request)[field] === null) entity[field] = value;
  });
/** A sent member is left out of the answer. */
const withoutSent = (field: string) =>
  onEntity((entity, request) => {
    if (field in sentBy(request)) drop(field)(entity);
  });
const latin1 = (value: string) => Buffer.from(value, 'latin1').toString('latin1');
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** What was sent comes back (section 4): texts, numbers, lists, objects of free form, at every depth. */
// biome-ignore format: a table
export const echoFaults: FaultTable = [
  { id: 'gate-description-lost',            requirement: 'echo.sent-field',      endpoints: ['patch-gate'],              title: 'The description of a gate is not answered to the patch that carries it.', decorator: withoutSent('description'), alsoAs: ['echo.unicode'] },
  { id: 'gate-description-cut-at-255',      requirement: 'echo.sent-field',      endpoints: ['patch-gate'],              title: 'Descriptions of gates are cut at 255 characters.',            decorator: shows(text('description', value => value.slice(0, 255))), alsoAs: ['state.patch-every-sent'] },
  { id: 'gate-measure-always-false',        requirement: 'echo.sent-field',      endpoints: ['patch-gate'],              title: '`measureMetricLifts` is always answered as false.',           decorator: shows(alter('measureMetricLifts', () => false)), alsoAs: ['state.patch-every-sent'] },
  { id: 'gate-type-always-permanent',       requirement: 'echo.sent-field',      endpoints: ['patch-gate'],              title: 'The type of a gate is always answered as PERMANENT.',         decorator: shows(alter('type', () => 'PERMANENT')), alsoAs: ['state.patch-every-sent'] },
  { id: 'experiment-allocation-rounded',    requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: 'The allocation is rounded to a whole number.',                decorator: shows(ofNumber('allocation', Math.round)), profile: 'standard' },
  { id: 'experiment-allocation-as-text',    requirement: 'experiment.allocation',      endpoints: ['update-experiment'],       title: 'The allocation comes back as a text.',                        decorator: shows(ofNumber('allocation', String)) },
  { id: 'experiment-flag-lost',             requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: '`sequentialTesting` is answered as it was, not as it was sent.', decorator: shows(alter('sequentialTesting', () => false)) },
  { id: 'experiment-group-highlight-lost',  requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: '`highlighted` of a group is not answered.',                   decorator: shows(drop('groups.*.highlighted')) },
  { id: 'experiment-bucket-rounded',        requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: 'User buckets are rounded down.',                              decorator: shows(ofNumber('userBuckets.*', Math.floor)), profile: 'standard' },
  { id: 'experiment-prior-deviation-zero',       requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: 'The deviation of a prior comes back as 0.',                   decorator: shows(ofNumber('bayesianPriors.*.priorStdDev', () => 0)), profile: 'standard' },
  { id: 'experiment-link-title-lost',       requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: 'The title of a link is not answered.',                        decorator: shows(drop('links.*.title')), profile: 'standard', alsoAs: ['echo.unicode'] },
  { id: 'experiment-last-group-lost',       requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: 'The last group is not answered.',                             decorator: shows(list('groups', groups => groups.slice(0, -1))) },
  { id: 'experiment-null-gate-as-empty',    requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: 'A null targeting gate comes back as the empty text.',         decorator: nullAs('targetingGateID', '') },
  { id: 'gate-null-team-as-none',           requirement: 'echo.sent-field',      endpoints: ['patch-gate'],              title: 'A null team of a gate comes back as "none".',                 decorator: nullAs('team', 'none') },
  { id: 'metric-null-team-as-text',         requirement: 'echo.sent-field',      endpoints: ['create-metric'],           title: 'A null team of a metric comes back as the text null.',        decorator: nullAs('team', 'null') },
  { id: 'source-flag-lost',                 requirement: 'echo.sent-field',      endpoints: ['update-qualifying-event'], title: '`timestampAsDay` of a source is always answered as false.',   decorator: shows(alter('timestampAsDay', () => false)) },
  { id: 'source-sql-in-lower-case',           requirement: 'echo.sent-field',      endpoints: ['update-qualifying-event'], title: 'The query of a source comes back in lower case.',             decorator: shows(text('sql', value => value.toLowerCase())) },
  { id: 'metric-event-type-lost',           requirement: 'echo.sent-field',      endpoints: ['create-metric'],           title: 'Metric events come back without their type.',                 decorator: shows(drop('metricEvents.*.type')) },
  { id: 'metric-name-in-lower-case',        requirement: 'echo.sent-field',      endpoints: ['create-metric'],           title: 'The name of a metric comes back in lower case.',              decorator: onEntity(metric => { metric.name = String(metric.name).toLowerCase(); metric.id = `${metric.name}::${metric.type}`; }) },
  { id: 'environment-review-always-false',  requirement: 'echo.sent-field',      endpoints: ['update-environments'],     title: '`requiresReview` of an environment is always false.',         decorator: shows(alter('environments.*.requiresReview', () => false)) },
  { id: 'prompt-temperature-rounded',       requirement: 'echo.sent-field',      endpoints: ['create-prompt-version'],   title: 'The temperature is kept with single precision.',              decorator: shows(ofNumber('temperature', Math.fround)) },
  { id: 'prompt-zero-left-out',             requirement: 'state.prompt-fields',  endpoints: ['create-prompt-version'],   title: 'Numbers that are 0 are left out of a prompt version.',        decorator: onEntity(version => { for (const name of ['temperature', 'frequency_penalty', 'presence_penalty']) if (version[name] === 0) delete version[name]; }), profile: 'standard' },
  { id: 'prompt-headers-left-out',          requirement: 'state.prompt-fields',  endpoints: ['create-prompt-version'],   title: 'Workflow headers are not answered.',                          decorator: shows(drop('auth_workflow_headers')), profile: 'standard' },
  { id: 'prompt-content-prefixed',           requirement: 'echo.sent-field',      endpoints: ['create-prompt-version'],   title: 'The role stands before the content of a prompt.',             decorator: shows(text('prompts.*.content', value => `system: ${value}`)), alsoAs: ['echo.unicode'] },
  { id: 'environment-last-not-listed',       requirement: 'state.environments-listed', endpoints: ['update-environments'], title: 'The last environment is missing from the answer.',           decorator: shows(list('environments', all => all.slice(0, -1))) },

  { id: 'gate-emoji-lost',                  requirement: 'echo.unicode',         endpoints: ['patch-gate'],              title: 'Characters beyond the basic plane are lost.',                 decorator: shows(text('description', value => value.replace(/\p{Extended_Pictographic}|[\u{10000}-\u{10ffff}]/gu, ''))), alsoAs: ['state.patch-every-sent'] },
  { id: 'gate-combining-composed',          requirement: 'echo.unicode',         endpoints: ['patch-gate'],              title: 'Combining marks are composed (NFC).',                         decorator: shows(text('description', value => value.normalize('NFC'))) },
  { id: 'experiment-beyond-latin-1-lost',   requirement: 'echo.unicode',         endpoints: ['update-experiment'],       title: 'Characters beyond Latin-1 come back as others.',              decorator: shows(text('hypothesis', latin1)), profile: 'standard' },
  { id: 'prompt-beyond-ascii-question',     requirement: 'echo.unicode',         endpoints: ['create-prompt-version'],   title: 'Characters beyond ASCII come back as question marks.',        decorator: shows(text('description', value => value.replace(/[^\0-\x7f]/gu, '?'))), profile: 'standard' },
  { id: 'metric-decomposed',                requirement: 'echo.unicode',         endpoints: ['create-metric'],           title: 'Letters with marks are decomposed (NFD).',                    decorator: shows(text('description', value => value.normalize('NFD'))), profile: 'standard' },
  { id: 'source-right-to-left-reversed',    requirement: 'echo.unicode',         endpoints: ['update-qualifying-event'], title: 'Right-to-left letters come back in reverse.',                 decorator: shows(text('description', value => value.replace(/[\u0590-\u06ff]+/gu, run => [...run].reverse().join('')))) },
  { id: 'gate-zero-width-lost',             requirement: 'echo.unicode',         endpoints: ['patch-gate'],              title: 'Zero-width characters are stripped.',                         decorator: shows(text('description', value => value.replace(/[\u200b-\u200f\u2060\ufeff]/gu, ''))) },
  { id: 'experiment-html-escaped',          requirement: 'echo.sent-field',      endpoints: ['update-experiment'],       title: 'Descriptions come back escaped for HTML.',                    decorator: shows(text('description', escaped)), profile: 'standard' },
  { id: 'prompt-line-breaks-lost',          requirement: 'echo.sent-field',      endpoints: ['create-prompt-version'],   title: 'Line breaks in a description become blanks.',                 decorator: shows(text('description', value => value.replaceAll('\n', ' '))), alsoAs: ['echo.unicode'], profile: 'standard' },

  { id: 'experiment-parameters-as-text', requirement: 'echo.free-form',      endpoints: ['update-experiment'],       title: 'Values of parameters come back as texts.',                    decorator: shows(alter('groups.*.parameterValues.*', String)), profile: 'standard' },
  { id: 'experiment-parameters-dropped',    requirement: 'echo.free-form',       endpoints: ['update-experiment'],       title: 'The parameters of a group come back empty.',                  decorator: shows(alter('groups.*.parameterValues', () => ({}))), profile: 'standard' },
  { id: 'experiment-parameters-extended',   requirement: 'echo.free-form',       endpoints: ['update-experiment'],       title: 'The parameters of a group gain one.',                         decorator: shows(alter('groups.*.parameterValues', (value: Mutable) => ({ ...value, _group: true }))) },

  { id: 'experiment-groups-sorted',         requirement: 'echo.ordered-lists',   endpoints: ['update-experiment'],       title: 'Groups come back sorted by name.',                            decorator: shows(list('groups', names)), profile: 'standard' },
  { id: 'experiment-links-reversed',        requirement: 'echo.ordered-lists',   endpoints: ['update-experiment'],       title: 'Links come back in reverse.',                                 decorator: shows(list('links', links => [...links].reverse())), profile: 'standard' },
  { id: 'prompt-prompts-reversed',          requirement: 'echo.ordered-lists',   endpoints: ['create-prompt-version'],   title: 'Prompts come back in reverse.',                               decorator: shows(list('prompts', prompts => [...prompts].reverse())), profile: 'standard' },
  { id: 'metric-events-reversed',           requirement: 'echo.ordered-lists',   endpoints: ['create-metric'],           title: 'Metric events come back in reverse.',                         decorator: shows(list('metricEvents', events => [...events].reverse())) },
  { id: 'source-mapping-reversed',          requirement: 'echo.ordered-lists',   endpoints: ['update-qualifying-event'], title: 'The mapping of unit ids comes back in reverse.',              decorator: shows(list('idTypeMapping', mapping => [...mapping].reverse())) },

  { id: 'gate-app-split-in-letters',        requirement: 'echo.target-apps',     endpoints: ['patch-gate'],              title: 'A target app sent as one text comes back letter by letter.',  decorator: onEntity((gate, request) => { const sent = sentBy(request).targetApps; if (typeof sent === 'string') gate.targetApps = [...sent]; }) },
  { id: 'source-cure-turned-round',  requirement: 'echo.outside-shape',   endpoints: ['update-qualifying-event'], title: '`disableCURE` is answered the other way round.',              decorator: shows(alter('disableCURE', (flag: boolean) => !flag)) },
  { id: 'source-custom-field-lost',         requirement: 'echo.outside-shape',   endpoints: ['update-qualifying-event'], title: 'The formula of a custom field comes back empty.',             decorator: shows(text('customFieldMapping.*.formula', () => '')) },

  { id: 'gate-description-trimmed',         requirement: 'echo.order-and-space', endpoints: ['patch-gate'],              title: 'White space at the ends of a description is trimmed.',        decorator: shows(text('description', value => value.trim())), profile: 'standard' },
  { id: 'gate-tags-in-lower-case',          requirement: 'echo.order-and-space', endpoints: ['patch-gate'],              title: 'Tags of a gate come back in lower case.',                     decorator: shows(text('tags.*', value => value.toLowerCase())) },
  { id: 'source-tags-sorted',               requirement: 'echo.order-and-space', endpoints: ['update-qualifying-event'], title: 'Tags of a source come back sorted.',                          decorator: shows(list('tags', tags => [...tags].sort())) },
  { id: 'metric-tags-without-duplicates',   requirement: 'echo.order-and-space', endpoints: ['create-metric'],           title: 'Tags of a metric lose their duplicates.',                     decorator: shows(list('tags', tags => [...new Set(tags)])), profile: 'standard' },
  { id: 'experiment-dimensions-reversed',   requirement: 'echo.order-and-space', endpoints: ['update-experiment'],       title: 'Precomputed dimensions come back in reverse.',                decorator: shows(list('preComputedUserDimensions', all => [...all].reverse())), profile: 'standard' },
];
