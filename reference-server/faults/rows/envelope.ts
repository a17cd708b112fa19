import { onBody, onText, onWire, successes, successStatus } from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const contentType = (type: string) => onText(text => text, { of: successes, headers: { 'Content-Type': type } });
const bytes = (change: (text: string) => string | Buffer) => onText(change, { of: successes });

/** The envelope of a success: status, content type, JSON, `message`, `data` and `pagination` (sections 1 and 4). */
// biome-ignore format: a table
export const envelopeFaults: FaultTable = [
  ['patch-gate-201',                  'patch-gate',             'envelope.status-200', successStatus(201)],
  ['patch-gate-204',                  'patch-gate',             'envelope.status-200', successStatus(204, false), 'envelope.json'],
  ['archive-config-202',              'archive-config',         'envelope.status-200', successStatus(202)],
  ['disable-config-204',              'disable-config',         'envelope.success-2xx', successStatus(204, false)],
  ['disable-gate-204',                'disable-gate',           'envelope.success-2xx', successStatus(204, false)],
  ['segments-empty-body',             'list-segments',          'envelope.json',         'The list of segments is a 200 with an empty body.',                    bytes(() => '')],
  ['environments-cut-short',          'update-environments',    'envelope.json',         'The body of the environments ends one byte too early.',                bytes(text => text.slice(0, -1))],
  ['events-json-lines',               'list-events',            'envelope.json',         'Logged events come as one JSON document after another.',               bytes(text => `${text}\n${text}`)],
  ['metrics-nan',                     'create-metric',          'envelope.json',         'An absent number of a metric is written as NaN.',                      bytes(text => text.replace('"data":{', '"data":{"percentileRank":NaN,'))],
  ['gates-latin-1',                   'patch-gate',             'envelope.json',         'Gates are written in Latin-1.',                                        bytes(text => Buffer.from(text, 'latin1'))],
  ['experiments-utf-16',              'update-experiment',      'envelope.json',         'Experiments are written in UTF-16.',                                   bytes(text => Buffer.from(text, 'utf16le'))],
  ['segments-as-html',                'list-segments',          'envelope.content-type', 'Segments are sent as text/html.',                                      contentType('text/html; charset=utf-8')],
  ['config-versions-as-text',         'list-config-versions',   'envelope.content-type', 'Config versions are sent as text/plain.',                              contentType('text/plain')],
  ['prompt-without-content-type',     'create-prompt-version',  'envelope.content-type', 'A prompt version is sent without a content type.',                     onWire(outgoing => (successes(outgoing.status) ? { ...outgoing, headers: {} } : outgoing))],
  ['segments-bare-array',             'list-segments',          'envelope.object',       'Segments come as a bare array.',                                       onBody(body => body.data)],
  ['environments-bare-array',         'update-environments',    'envelope.object',       'Environments come as a bare array.',                                   onBody(body => (body.data as { environments: unknown }).environments)],
  ['enable-groups-json-in-text',      'enable-groups',          'envelope.object',       'The experiment is encoded twice: JSON in a text.',                     onBody(body => JSON.stringify(body))],
  ['config-versions-no-message',      'list-config-versions',   'envelope.message',      'The list of config versions has no message.',                          onBody(({ message: _, ...body }) => body)],
  ['disable-config-message-object',   'disable-config',         'envelope.message',      'The message of a disabled config is an object with a text.',           onBody(body => ({ ...body, message: { text: body.message } }))],
  ['archive-config-message-null',     'archive-config',         'envelope.message',      'The message of an archived config is null.',                           onBody(body => ({ ...body, message: null }))],
  ['prompt-unwrapped',                'create-prompt-version',  'envelope.data',         'A prompt version comes without its envelope.',                         onBody(body => body.data), 'envelope.message'],
  ['experiment-named-experiment',     'update-experiment',      'envelope.data',         'An experiment comes as `experiment` instead of `data`.',               onBody(({ data, ...body }) => ({ ...body, experiment: data }))],
  ['disable-gate-list-of-one',        'disable-gate',           'envelope.data-shape',   'A disabled gate comes as a list of one.',                              onBody(body => ({ ...body, data: [body.data] }))],
  ['enable-groups-null-data',         'enable-groups',          'envelope.data-shape',   'Enabling groups is answered with null for data.',                      onBody(body => ({ ...body, data: null }))],
  ['metric-data-ok',                  'create-metric',          'envelope.data-shape',   'A created metric is answered with true for data.',                     onBody(body => ({ ...body, data: true }))],
  ['events-wrapped-list',             'list-events',            'envelope.data-shape',   'Logged events come as an object with a list in it.',                   onBody(body => ({ ...body, data: { items: body.data } }))],
  ['event-metrics-by-id',             'list-event-metrics',     'envelope.data-shape',   'The metrics of an event come as an object by their ids.',              onBody(body => ({ ...body, data: Object.fromEntries((body.data as { id: string }[]).map(metric => [metric.id, metric])) }))],
  ['event-metrics-no-pagination',     'list-event-metrics',     'envelope.pagination',   'The metrics of an event come without pagination.',                     onBody(({ pagination: _, ...body }) => body)],
  ['sources-pagination-flat',         'list-qualifying-events', 'envelope.pagination',   'The members of pagination stand beside data instead of in an object.', onBody(({ pagination, ...body }) => ({ ...body, ...(pagination as object) }))],
  ['config-versions-pagination-null', 'list-config-versions',   'envelope.pagination',   'The pagination of config versions is null.',                           onBody(body => ({ ...body, pagination: null }))],
];
