import { gzipSync } from 'node:zlib';
import {
  lowerHexUndecoded,
  messageOf,
  onSentText,
  onWire,
  pathUndecoded,
  refusesHeaders,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const refusesText = (when: (text: string) => boolean) =>
  onSentText(text => (when(text) ? messageOf(400, 'This cannot be read.') : text));
const reads = (when: RegExp, change: (text: string) => string) =>
  onSentText(text => (when.test(text) ? change(text) : text));
const escapedName = /"[^"]*\\u[0-9a-f]{4}[^"]*"\s*:/;
/** Changes the parts of JSON outside its texts. */
const outside = (text: string, change: (part: string) => string): string =>
  text
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');
const isOutside = (text: string, when: RegExp): boolean => {
  let found = false;
  outside(text, part => {
    found ||= when.test(part);
    return part;
  });
  return found;
};
const allocationCut = (text: string): string => text.replace(/(?<="allocation"\s*:\s*[\d.]+)e[+-]?\d+/, '');
const lost = (member: string) => (text: string) => {
  try {
    const { [member]: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch {
    return text;
  }
};
const chunked = (status: number, message: string) =>
  refusesHeaders(status, message, headers => headers['transfer-encoding'] !== undefined);
const noAccept = refusesHeaders(406, 'Accept is missing.', ({ accept }) => accept === undefined);
const anyAccept = refusesHeaders(406, 'Accept names no type.', ({ accept }) => accept === '*/*');
const packed = (pack: (body: Buffer) => Buffer) =>
  onWire((outgoing, { headers }) => {
    const isAsked = /gzip/.test(headers['accept-encoding'] ?? '');
    if (!isAsked || outgoing.body === undefined) return outgoing;
    const body = pack(Buffer.from(outgoing.body));
    return { ...outgoing, headers: { ...outgoing.headers, 'Content-Encoding': 'gzip' }, body };
  });

/** Requests in an equivalent spelling that is treated differently (RFC 8259, RFC 9110, RFC 9112). */
// biome-ignore format: a table
export const spellingFaults: FaultTable = [
  ['gate-escaped-names-lost',        'patch-gate',              'robust.same-json',    'Members whose names are escaped are not known.',           reads(escapedName, () => '{}')],
  ['experiment-escaped-names-lost',  'update-experiment',       'robust.same-json',    'Required members whose names are escaped are missed.',     reads(escapedName, () => '{}')],
  ['source-escapes-kept',            'update-qualifying-event', 'robust.same-json',    'Escaped characters of texts stay as they were written.',   onSentText(text => text.replace(/(?<=:\s*)"(?:[^"\\]|\\.)*"/g, value => value.replaceAll('\\u', '\\\\u'))), 'echo.sent-field', 'echo.outside-shape'],
  ['gate-escaped-pairs-lost',        'patch-gate',              'robust.same-json',    'A character that is escaped as a pair becomes two question marks.', onSentText(text => text.replace(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, '??'))],
  ['experiment-white-space-refused', 'update-experiment',       'robust.same-json',    'White space before the body is refused.',                  refusesText(text => /^\s/.test(text))],
  ['metric-tabs-refused',            'create-metric',           'robust.same-json',    'Tabs between tokens are refused.',                         refusesText(text => isOutside(text, /\t/))],
  ['environments-cr-refused',        'update-environments',     'robust.same-json',    'Carriage returns between tokens are refused.',             refusesText(text => isOutside(text, /\r/))],
  ['groups-line-break-refused',      'enable-groups',           'robust.same-json',    'A line break after the body is refused.',                  refusesText(text => text.endsWith('\n'))],
  ['gate-first-member-alone',        'patch-gate',              'robust.same-json',    'The description of a gate is lost unless it comes first.', reads(/^(?!\s*\{\s*"(description|d\\|\\u0064))/, lost('description')), 'state.patch-every-sent', 'echo.sent-field', 'echo.unicode'],
  ['metric-type-after-name',         'create-metric',           'robust.same-json',    'The name of a metric must be the first member.',           refusesText(text => text.includes('\r') && !/^\s*\{\s*"(name|\\u006e)/.test(text))],
  ['source-sql-before-columns',      'update-qualifying-event', 'robust.same-json',    'The columns must come after the query that has them.',     refusesText(text => text.search(/"(sql|\\u0073q\\u006c)"/) > text.search(/"(timestampColumn|\\u0074i\\u006d)/))],

  ['segments-want-accept',           'list-segments',           'robust.same-headers', 'Without `Accept` there is no answer (406).',               noAccept],
  ['gate-wants-accept',              'patch-gate',              'robust.same-headers', 'A patch without `Accept` is refused (406).',               noAccept],
  ['events-any-accept-refused',      'list-events',             'robust.same-headers', '`Accept: */*` names nothing that is served (406).',        anyAccept],
  ['environments-any-accept-refused', 'update-environments',     'robust.same-headers', 'A write with `Accept: */*` is refused (406).',             anyAccept],
  ['experiment-header-capitals',     'update-experiment',       'robust.same-headers', 'A content type in a header in capitals is not found.',     refusesHeaders(415, 'There is no content type.', (_headers, raw) => raw.includes('CONTENT-TYPE'))],
  ['sources-header-small',           'list-qualifying-events',  'robust.same-headers', 'Headers in small letters are not found.',                  refusesHeaders(400, 'A header is missing.', (_headers, raw) => raw.includes('accept') && raw.includes('accept-encoding'))],
  ['versions-not-packed',            'list-config-versions',    'robust.same-headers', 'Answers are said to be packed, and are not.',              packed(body => body), 'envelope.json'],
  ['event-metrics-packed-cut',       'list-event-metrics',      'robust.same-headers', 'Packed answers are cut short.',                            packed(body => gzipSync(body).subarray(0, -9)), 'envelope.json'],

  ['gate-path-undecoded',            'patch-gate',              'robust.same-path',    'The id of a gate is compared with the path as it is written.', pathUndecoded],
  ['source-path-undecoded',          'update-qualifying-event', 'robust.same-path', pathUndecoded],
  ['events-path-undecoded',          'list-events',             'robust.same-path', pathUndecoded],
  ['disable-path-lower-hex',         'disable-gate',            'robust.same-path', lowerHexUndecoded],

  ['gate-chunks-ignored',            'patch-gate',              'robust.chunked',      'A body in chunks is taken for none.',                      onSentText((text, { headers }) => (headers['transfer-encoding'] === undefined ? text : ''))],
  ['source-chunks-refused',          'update-qualifying-event', 'robust.chunked',      'A body in chunks is refused as an empty one.',             chunked(400, 'The body is empty.')],
  ['groups-chunks-half',             'enable-groups',           'robust.chunked',      'Of a body in chunks the first is read.',                   onSentText((text, { headers }) => (headers['transfer-encoding'] === undefined ? text : text.slice(0, Math.ceil(text.length / 2))))],
  ['metric-chunks-500',              'create-metric',           'robust.chunked',      'A body in chunks is a 500.',                               chunked(500, 'Internal error.'), 'robust.never-5xx'],

  ['experiment-exponent-cut',        'update-experiment',       'robust.same-number',  'The exponent of the allocation is not read.',              reads(/\de[+-]?\d/, allocationCut)],
];
