import { inAnswer, inBody } from '../defects/answers.ts';
import { onWireOf } from '../defects/wire.ts';
import type { FaultTable } from '../fault.ts';

const contentType = (type: string | undefined) =>
  onWireOf('successes', ({ headers: { 'Content-Type': _, ...others }, ...answer }) => ({
    ...answer,
    headers: type === undefined ? others : { ...others, 'Content-Type': type },
  }));
const bytes = (change: (text: string) => string | Buffer) =>
  onWireOf('successes', answer => ({ ...answer, bytes: Buffer.from(change(answer.text)) }));

/** The frame of a success: status, content type, JSON, `message`, `data` and `pagination` (sections 1 and 4). */
// biome-ignore format: a table
export const envelopeFaults: FaultTable = [
  { id: 'patch-gate-201',                  requirement: 'envelope.status-200',   endpoints: ['patch-gate'],             title: 'A patch of a gate is answered with 201.',                              defect: inAnswer(answer => ({ ...answer, status: 201 })) },
  { id: 'patch-gate-204',                  requirement: 'envelope.status-200',   endpoints: ['patch-gate'],             title: 'A patch of a gate is answered with 204 and no body.',                  defect: inAnswer(() => ({ status: 204, body: undefined })), alsoAs: ['envelope.json'] },
  { id: 'archive-config-202',              requirement: 'envelope.status-200',   endpoints: ['archive-config'],         title: 'Archiving a config is answered with 202, as if it came later.',        defect: inAnswer(answer => ({ ...answer, status: 202 })) },
  { id: 'disable-config-204',              requirement: 'envelope.success-2xx',  endpoints: ['disable-config'],         title: 'Disabling a config is answered with 204 and no body.',                 defect: inAnswer(() => ({ status: 204, body: undefined })) },
  { id: 'disable-gate-204',                requirement: 'envelope.success-2xx',  endpoints: ['disable-gate'],           title: 'Disabling a gate is answered with 204 and no body.',                   defect: inAnswer(() => ({ status: 204, body: undefined })) },
  { id: 'segments-empty-body',             requirement: 'envelope.json',         endpoints: ['list-segments'],          title: 'The list of segments is a 200 with an empty body.',                    defect: bytes(() => '') },
  { id: 'environments-cut-short',          requirement: 'envelope.json',         endpoints: ['update-environments'],    title: 'The body of the environments ends one byte too early.',                defect: bytes(text => text.slice(0, -1)) },
  { id: 'events-json-lines',               requirement: 'envelope.json',         endpoints: ['list-events'],            title: 'Logged events come as one JSON document after another.',               defect: bytes(text => `${text}\n${text}`) },
  { id: 'metrics-nan',                     requirement: 'envelope.json',         endpoints: ['create-metric'],          title: 'An absent number of a metric is written as NaN.',                      defect: bytes(text => text.replace('"data":{', '"data":{"percentileRank":NaN,')) },
  { id: 'gates-latin-1',                   requirement: 'envelope.json',         endpoints: ['patch-gate'],             title: 'Gates are written in Latin-1.',                                        defect: bytes(text => Buffer.from(text, 'latin1')), alsoAs: ['state.patch-only-sent'] },
  { id: 'experiments-utf-16',              requirement: 'envelope.json',         endpoints: ['update-experiment'],      title: 'Experiments are written in UTF-16.',                                   defect: bytes(text => Buffer.from(text, 'utf16le')) },
  { id: 'segments-as-html',                requirement: 'envelope.content-type', endpoints: ['list-segments'],          title: 'Segments are sent as text/html.',                                      defect: contentType('text/html; charset=utf-8') },
  { id: 'config-versions-as-text',         requirement: 'envelope.content-type', endpoints: ['list-config-versions'],   title: 'Config versions are sent as text/plain.',                              defect: contentType('text/plain') },
  { id: 'prompt-without-content-type',     requirement: 'envelope.content-type', endpoints: ['create-prompt-version'],  title: 'A prompt version is sent without a content type.',                     defect: contentType(undefined) },
  { id: 'segments-bare-array',             requirement: 'envelope.object',       endpoints: ['list-segments'],          title: 'Segments come as a bare array.',                                       defect: inBody(body => body.data) },
  { id: 'environments-bare-array',         requirement: 'envelope.object',       endpoints: ['update-environments'],    title: 'Environments come as a bare array.',                                   defect: inBody(body => (body.data as { environments: unknown }).environments) },
  { id: 'enable-groups-json-in-text',      requirement: 'envelope.object',       endpoints: ['enable-groups'],          title: 'The experiment is encoded twice: JSON in a text.',                     defect: inBody(body => JSON.stringify(body)) },
  { id: 'config-versions-no-message',      requirement: 'envelope.message',      endpoints: ['list-config-versions'],   title: 'The list of config versions has no message.',                          defect: inBody(({ message: _, ...body }) => body) },
  { id: 'disable-config-message-object',   requirement: 'envelope.message',      endpoints: ['disable-config'],         title: 'The message of a disabled config is an object with a text.',           defect: inBody(body => ({ ...body, message: { text: body.message } })) },
  { id: 'archive-config-message-null',     requirement: 'envelope.message',      endpoints: ['archive-config'],         title: 'The message of an archived config is null.',                           defect: inBody(body => ({ ...body, message: null })) },
  { id: 'prompt-unwrapped',                requirement: 'envelope.data',         endpoints: ['create-prompt-version'],  title: 'A prompt version comes without its envelope.',                         defect: inBody(body => body.data), alsoAs: ['envelope.message'] },
  { id: 'experiment-named-experiment',     requirement: 'envelope.data',         endpoints: ['update-experiment'],      title: 'An experiment comes as `experiment` instead of `data`.',               defect: inBody(({ data, ...body }) => ({ ...body, experiment: data })) },
  { id: 'disable-gate-list-of-one',        requirement: 'envelope.data-shape',   endpoints: ['disable-gate'],           title: 'A disabled gate comes as a list of one.',                              defect: inBody(body => ({ ...body, data: [body.data] })) },
  { id: 'enable-groups-null-data',         requirement: 'envelope.data-shape',   endpoints: ['enable-groups'],          title: 'Enabling groups is answered with null for data.',                      defect: inBody(body => ({ ...body, data: null })) },
  { id: 'metric-data-ok',                  requirement: 'envelope.data-shape',   endpoints: ['create-metric'],          title: 'A created metric is answered with true for data.',                     defect: inBody(body => ({ ...body, data: true })) },
  { id: 'events-wrapped-list',             requirement: 'envelope.data-shape',   endpoints: ['list-events'],            title: 'Logged events come as an object with a list in it.',                   defect: inBody(body => ({ ...body, data: { items: body.data } })) },
  { id: 'event-metrics-by-id',             requirement: 'envelope.data-shape',   endpoints: ['list-event-metrics'],     title: 'The metrics of an event come as an object by their ids.',              defect: inBody(body => ({ ...body, data: Object.fromEntries((body.data as { id: string }[]).map(metric => [metric.id, metric])) })) },
  { id: 'event-metrics-no-pagination',     requirement: 'envelope.pagination',   endpoints: ['list-event-metrics'],     title: 'The metrics of an event come without pagination.',                     defect: inBody(({ pagination: _, ...body }) => body) },
  { id: 'sources-pagination-flat',         requirement: 'envelope.pagination',   endpoints: ['list-qualifying-events'], title: 'The members of pagination stand beside data instead of in an object.', defect: inBody(({ pagination, ...body }) => ({ ...body, ...(pagination as object) })) },
  { id: 'config-versions-pagination-null', requirement: 'envelope.pagination',   endpoints: ['list-config-versions'],   title: 'The pagination of config versions is null.',                           defect: inBody(body => ({ ...body, pagination: null })) },
];
