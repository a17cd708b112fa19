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
  ['gate-description-lost',           'patch-gate',              'echo.sent-field',           'The description of a gate is not answered to the patch that carries it.', withoutSent('description'), 'echo.unicode'],
  ['gate-description-cut-at-255',     'patch-gate',              'echo.sent-field',           'Descriptions of gates are cut at 255 characters.',                        shows(text('description', value => value.slice(0, 255))), 'state.patch-every-sent'],
  ['gate-measure-always-false',       'patch-gate',              'echo.sent-field',           '`measureMetricLifts` is always answered as false.',                       shows(alter('measureMetricLifts', () => false)), 'state.patch-every-sent'],
  ['gate-type-always-permanent',      'patch-gate',              'echo.sent-field',           'The type of a gate is always answered as PERMANENT.',                     shows(alter('type', () => 'PERMANENT')), 'state.patch-every-sent'],
  ['experiment-allocation-rounded',   'update-experiment',       'echo.sent-field',           'The allocation is rounded to a whole number.',                            shows(ofNumber('allocation', Math.round)), 'standard'],
  ['experiment-allocation-as-text',   'update-experiment',       'experiment.allocation',     'The allocation comes back as a text.',                                    shows(ofNumber('allocation', String))],
  ['experiment-flag-lost',            'update-experiment',       'echo.sent-field',           '`sequentialTesting` is answered as it was, not as it was sent.',          shows(alter('sequentialTesting', () => false))],
  ['experiment-group-highlight-lost', 'update-experiment',       'echo.sent-field',           '`highlighted` of a group is not answered.',                               shows(drop('groups.*.highlighted'))],
  ['experiment-bucket-rounded',       'update-experiment',       'echo.sent-field',           'User buckets are rounded down.',                                          shows(ofNumber('userBuckets.*', Math.floor)), 'standard'],
  ['experiment-prior-deviation-zero', 'update-experiment',       'echo.sent-field',           'The deviation of a prior comes back as 0.',                               shows(ofNumber('bayesianPriors.*.priorStdDev', () => 0)), 'standard'],
  ['experiment-link-title-lost',      'update-experiment',       'echo.sent-field',           'The title of a link is not answered.',                                    shows(drop('links.*.title')), 'standard', 'echo.unicode'],
  ['experiment-last-group-lost',      'update-experiment',       'echo.sent-field',           'The last group is not answered.',                                         shows(list('groups', groups => groups.slice(0, -1)))],
  ['experiment-null-gate-as-empty',   'update-experiment',       'echo.sent-field',           'A null targeting gate comes back as the empty text.',                     nullAs('targetingGateID', '')],
  ['gate-null-team-as-none',          'patch-gate',              'echo.sent-field',           'A null team of a gate comes back as "none".',                             nullAs('team', 'none')],
  ['metric-null-team-as-text',        'create-metric',           'echo.sent-field',           'A null team of a metric comes back as the text null.',                    nullAs('team', 'null')],
  ['source-flag-lost',                'update-qualifying-event', 'echo.sent-field',           '`timestampAsDay` of a source is always answered as false.',               shows(alter('timestampAsDay', () => false))],
  ['source-sql-in-lower-case',        'update-qualifying-event', 'echo.sent-field',           'The query of a source comes back in lower case.',                         shows(text('sql', value => value.toLowerCase()))],
  ['metric-event-type-lost',          'create-metric',           'echo.sent-field',           'Metric events come back without their type.',                             shows(drop('metricEvents.*.type'))],
  ['metric-name-in-lower-case',       'create-metric',           'echo.sent-field',           'The name of a metric comes back in lower case.',                          onEntity(metric => { metric.name = String(metric.name).toLowerCase(); metric.id = `${metric.name}::${metric.type}`; })],
  ['environment-review-always-false', 'update-environments',     'echo.sent-field',           '`requiresReview` of an environment is always false.',                     shows(alter('environments.*.requiresReview', () => false))],
  ['prompt-temperature-rounded',      'create-prompt-version',   'echo.sent-field',           'The temperature is kept with single precision.',                          shows(ofNumber('temperature', Math.fround))],
  ['prompt-zero-left-out',            'create-prompt-version',   'state.prompt-fields',       'Numbers that are 0 are left out of a prompt version.',                    onEntity(version => { for (const name of ['temperature', 'frequency_penalty', 'presence_penalty']) if (version[name] === 0) delete version[name]; }), 'standard'],
  ['prompt-headers-left-out',         'create-prompt-version',   'state.prompt-fields',       'Workflow headers are not answered.',                                      shows(drop('auth_workflow_headers')), 'standard'],
  ['prompt-content-prefixed',         'create-prompt-version',   'echo.sent-field',           'The role stands before the content of a prompt.',                         shows(text('prompts.*.content', value => `system: ${value}`)), 'echo.unicode'],
  ['environment-last-not-listed',     'update-environments',     'state.environments-listed', 'The last environment is missing from the answer.',                        shows(list('environments', all => all.slice(0, -1)))],

  ['gate-emoji-lost',                 'patch-gate',              'echo.unicode',              'Characters beyond the basic plane are lost.',                             shows(text('description', value => value.replace(/\p{Extended_Pictographic}|[\u{10000}-\u{10ffff}]/gu, ''))), 'state.patch-every-sent'],
  ['gate-combining-composed',         'patch-gate',              'echo.unicode',              'Combining marks are composed (NFC).',                                     shows(text('description', value => value.normalize('NFC')))],
  ['experiment-beyond-latin-1-lost',  'update-experiment',       'echo.unicode',              'Characters beyond Latin-1 come back as others.',                          shows(text('hypothesis', latin1)), 'standard'],
  ['prompt-beyond-ascii-question',    'create-prompt-version',   'echo.unicode',              'Characters beyond ASCII come back as question marks.',                    shows(text('description', value => value.replace(/[^\0-\x7f]/gu, '?'))), 'standard'],
  ['metric-decomposed',               'create-metric',           'echo.unicode',              'Letters with marks are decomposed (NFD).',                                shows(text('description', value => value.normalize('NFD'))), 'standard'],
  ['source-right-to-left-reversed',   'update-qualifying-event', 'echo.unicode',              'Right-to-left letters come back in reverse.',                             shows(text('description', value => value.replace(/[\u0590-\u06ff]+/gu, run => [...run].reverse().join(''))))],
  ['gate-zero-width-lost',            'patch-gate',              'echo.unicode',              'Zero-width characters are stripped.',                                     shows(text('description', value => value.replace(/[\u200b-\u200f\u2060\ufeff]/gu, '')))],
  ['experiment-html-escaped',         'update-experiment',       'echo.sent-field',           'Descriptions come back escaped for HTML.',                                shows(text('description', escaped)), 'standard'],
  ['prompt-line-breaks-lost',         'create-prompt-version',   'echo.sent-field',           'Line breaks in a description become blanks.',                             shows(text('description', value => value.replaceAll('\n', ' '))), 'standard', 'echo.unicode'],

  ['experiment-parameters-as-text',   'update-experiment',       'echo.free-form',            'Values of parameters come back as texts.',                                shows(alter('groups.*.parameterValues.*', String)), 'standard'],
  ['experiment-parameters-dropped',   'update-experiment',       'echo.free-form',            'The parameters of a group come back empty.',                              shows(alter('groups.*.parameterValues', () => ({}))), 'standard'],
  ['experiment-parameters-extended',  'update-experiment',       'echo.free-form',            'The parameters of a group gain one.',                                     shows(alter('groups.*.parameterValues', (value: Mutable) => ({ ...value, _group: true })))],

  ['experiment-groups-sorted',        'update-experiment',       'echo.ordered-lists',        'Groups come back sorted by name.',                                        shows(list('groups', names)), 'standard'],
  ['experiment-links-reversed',       'update-experiment',       'echo.ordered-lists',        'Links come back in reverse.',                                             shows(list('links', links => [...links].reverse())), 'standard'],
  ['prompt-prompts-reversed',         'create-prompt-version',   'echo.ordered-lists',        'Prompts come back in reverse.',                                           shows(list('prompts', prompts => [...prompts].reverse())), 'standard'],
  ['metric-events-reversed',          'create-metric',           'echo.ordered-lists',        'Metric events come back in reverse.',                                     shows(list('metricEvents', events => [...events].reverse()))],
  ['source-mapping-reversed',         'update-qualifying-event', 'echo.ordered-lists',        'The mapping of unit ids comes back in reverse.',                          shows(list('idTypeMapping', mapping => [...mapping].reverse()))],

  ['gate-app-split-in-letters',       'patch-gate',              'echo.target-apps',          'A target app sent as one text comes back letter by letter.',              onEntity((gate, request) => { const sent = sentBy(request).targetApps; if (typeof sent === 'string') gate.targetApps = [...sent]; })],
  ['source-cure-turned-round',        'update-qualifying-event', 'echo.outside-shape',        '`disableCURE` is answered the other way round.',                          shows(alter('disableCURE', (flag: boolean) => !flag))],
  ['source-custom-field-lost',        'update-qualifying-event', 'echo.outside-shape',        'The formula of a custom field comes back empty.',                         shows(text('customFieldMapping.*.formula', () => ''))],

  ['gate-description-trimmed',        'patch-gate',              'echo.order-and-space',      'White space at the ends of a description is trimmed.',                    shows(text('description', value => value.trim())), 'standard'],
  ['gate-tags-in-lower-case',         'patch-gate',              'echo.order-and-space',      'Tags of a gate come back in lower case.',                                 shows(text('tags.*', value => value.toLowerCase()))],
  ['source-tags-sorted',              'update-qualifying-event', 'echo.order-and-space',      'Tags of a source come back sorted.',                                      shows(list('tags', tags => [...tags].sort()))],
  ['metric-tags-without-duplicates',  'create-metric',           'echo.order-and-space',      'Tags of a metric lose their duplicates.',                                 shows(list('tags', tags => [...new Set(tags)])), 'standard'],
  ['experiment-dimensions-reversed',  'update-experiment',       'echo.order-and-space',      'Precomputed dimensions come back in reverse.',                            shows(list('preComputedUserDimensions', all => [...all].reverse())), 'standard'],
];
