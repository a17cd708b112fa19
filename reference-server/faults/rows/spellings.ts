import { gzipSync } from 'node:zlib';
import { onHeaders, onSentText } from '../../decorators/sent-text.ts';
import { type Outgoing, onWire } from '../../decorators/wire.ts';
import type { FaultTable } from '../fault.ts';

const json = { 'Content-Type': 'application/json' };
const refused = (status: number, message: string): Outgoing => ({
  status,
  headers: json,
  body: JSON.stringify({ message }),
});
const refusesText = (when: (text: string) => boolean) =>
  onSentText(text => (when(text) ? refused(400, 'This cannot be read.') : text));
const reads = (when: RegExp, change: (text: string) => string) =>
  onSentText(text => (when.test(text) ? change(text) : text));
const escapedName = /"[^"]*\\u[0-9a-f]{4}[^"]*"\s*:/;
/** What stands outside of texts, changed. */
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
const chunked = (respond: Outgoing) =>
  onHeaders(({ headers }) => (headers['transfer-encoding'] === undefined ? undefined : respond));
const noAccept = onHeaders(({ headers }) =>
  headers.accept === undefined ? refused(406, 'Accept is missing.') : undefined,
);
const anyAccept = onHeaders(({ headers }) =>
  headers.accept === '*/*' ? refused(406, 'Accept names no type.') : undefined,
);
const notCapital = onHeaders(({ rawHeaders }) =>
  rawHeaders.includes('CONTENT-TYPE') ? refused(415, 'There is no content type.') : undefined,
);
const notSmall = onHeaders(({ rawHeaders }) =>
  rawHeaders.includes('accept') && rawHeaders.includes('accept-encoding')
    ? refused(400, 'A header is missing.')
    : undefined,
);
const packed = (pack: (body: Buffer) => Buffer) =>
  onWire((outgoing, { headers }) => {
    const isAsked = /gzip/.test(headers['accept-encoding'] ?? '');
    if (!isAsked || outgoing.body === undefined) return outgoing;
    const body = pack(Buffer.from(outgoing.body));
    return { ...outgoing, headers: { ...outgoing.headers, 'Content-Encoding': 'gzip' }, body };
  });

/** The same request, written in another way, taken for another one (RFC 8259, RFC 9110, RFC 9112). */
// biome-ignore format: a table
export const spellingFaults: FaultTable = [
  { id: 'gate-escaped-names-lost',        requirement: 'robust.same-json',    endpoints: ['patch-gate'],              title: 'Members whose names are escaped are not known.',            decorator: reads(escapedName, () => '{}') },
  { id: 'experiment-escaped-names-lost',  requirement: 'robust.same-json',    endpoints: ['update-experiment'],       title: 'Required members whose names are escaped are missed.',      decorator: reads(escapedName, () => '{}') },
  { id: 'source-escapes-kept',            requirement: 'robust.same-json',    endpoints: ['update-qualifying-event'], title: 'Escaped characters of texts stay as they were written.',    decorator: onSentText(text => text.replace(/(?<=:\s*)"(?:[^"\\]|\\.)*"/g, value => value.replaceAll('\\u', '\\\\u'))), alsoAs: ['echo.sent-field', 'echo.outside-shape'] },
  { id: 'experiment-white-space-refused',     requirement: 'robust.same-json',    endpoints: ['update-experiment'],   title: 'White space before the body is refused.',                   decorator: refusesText(text => /^\s/.test(text)) },
  { id: 'metric-tabs-refused',            requirement: 'robust.same-json',    endpoints: ['create-metric'],           title: 'Tabs between tokens are refused.',                          decorator: refusesText(text => isOutside(text, /\t/)) },
  { id: 'environments-cr-refused',        requirement: 'robust.same-json',    endpoints: ['update-environments'],     title: 'Carriage returns between tokens are refused.',              decorator: refusesText(text => isOutside(text, /\r/)) },
  { id: 'groups-line-break-refused',      requirement: 'robust.same-json',    endpoints: ['enable-groups'],           title: 'A line break after the body is refused.',                   decorator: refusesText(text => text.endsWith('\n')) },
  { id: 'gate-first-member-alone',        requirement: 'robust.same-json',    endpoints: ['patch-gate'],              title: 'The description of a gate is lost unless it comes first.',  decorator: reads(/^(?!\s*\{\s*"(description|d\\|\\u0064))/, lost('description')), alsoAs: ['state.patch-every-sent', 'echo.sent-field'] },
  { id: 'metric-type-after-name',         requirement: 'robust.same-json',    endpoints: ['create-metric'],           title: 'The name of a metric must be the first member.',            decorator: refusesText(text => text.includes('\r') && !/^\s*\{\s*"(name|\\u006e)/.test(text)) },
  { id: 'source-sql-before-columns',      requirement: 'robust.same-json',    endpoints: ['update-qualifying-event'], title: 'The columns must come after the query that has them.',      decorator: refusesText(text => text.search(/"(sql|\\u0073q\\u006c)"/) > text.search(/"(timestampColumn|\\u0074i\\u006d)/)) },

  { id: 'segments-want-accept',           requirement: 'robust.same-headers', endpoints: ['list-segments'],           title: 'Without `Accept` there is no answer (406).',                decorator: noAccept },
  { id: 'gate-wants-accept',              requirement: 'robust.same-headers', endpoints: ['patch-gate'],              title: 'A patch without `Accept` is refused (406).',                decorator: noAccept },
  { id: 'events-any-accept-refused',      requirement: 'robust.same-headers', endpoints: ['list-events'],             title: '`Accept: */*` names nothing that is served (406).',         decorator: anyAccept },
  { id: 'prompt-any-accept-refused',      requirement: 'robust.same-headers', endpoints: ['update-environments'],     title: 'A write with `Accept: */*` is refused (406).',              decorator: anyAccept },
  { id: 'experiment-header-capitals',     requirement: 'robust.same-headers', endpoints: ['update-experiment'],       title: 'A content type in a header in capitals is not found.',      decorator: notCapital },
  { id: 'sources-header-small',           requirement: 'robust.same-headers', endpoints: ['list-qualifying-events'],  title: 'Headers in small letters are not found.',                   decorator: notSmall },
  { id: 'versions-not-packed',            requirement: 'robust.same-headers', endpoints: ['list-config-versions'],    title: 'Answers are said to be packed, and are not.',               decorator: packed(body => body), alsoAs: ['envelope.json'] },
  { id: 'event-metrics-packed-cut',       requirement: 'robust.same-headers', endpoints: ['list-event-metrics'],      title: 'Packed answers are cut short.',                             decorator: packed(body => gzipSync(body).subarray(0, -9)), alsoAs: ['envelope.json'] },

  { id: 'gate-chunks-ignored',            requirement: 'robust.chunked',      endpoints: ['patch-gate'],              title: 'A body in chunks is taken for none.',                       decorator: onSentText((text, { headers }) => (headers['transfer-encoding'] === undefined ? text : '')) },
  { id: 'source-chunks-refused',          requirement: 'robust.chunked',      endpoints: ['update-qualifying-event'], title: 'A body in chunks is refused as an empty one.',              decorator: chunked(refused(400, 'The body is empty.')) },
  { id: 'groups-chunks-half',             requirement: 'robust.chunked',      endpoints: ['enable-groups'],           title: 'Of a body in chunks the first is read.',                    decorator: onSentText((text, { headers }) => (headers['transfer-encoding'] === undefined ? text : text.slice(0, Math.ceil(text.length / 2)))) },
  { id: 'metric-chunks-500',              requirement: 'robust.chunked',      endpoints: ['create-metric'],           title: 'A body in chunks is a 500.',                                decorator: chunked(refused(500, 'Internal error.')), alsoAs: ['robust.never-5xx'] },

  { id: 'experiment-exponent-cut',        requirement: 'robust.same-number',  endpoints: ['update-experiment'],       title: 'The exponent of the allocation is not read.',               decorator: reads(/\de[+-]?\d/, allocationCut) },
];
