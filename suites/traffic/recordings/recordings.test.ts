import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { judgedTraffic } from '../../proof/testing/exchanges.ts';
import { BrokenRecording, basesOf, exchangesOf, readRecording, showsKeys } from './index.ts';

const base = 'https://api.example.com/eu';
const key = { name: 'SERVICE-API-KEY', value: 'REDACTED' };
const json = { name: 'Content-Type', value: 'application/json' };
const gate = {
  message: 'Gate updated successfully.',
  data: { id: 'gate_a', isEnabled: true, version: 1, description: 'é' },
};

interface Parts {
  readonly request?: object;
  readonly response?: object;
  readonly entry?: object;
}

/** Returns an entry as a browser writes it. */
const entry = ({ request, response, entry: more }: Parts = {}) => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 5,
  request: {
    method: 'PATCH',
    url: `${base}/console/v1/gates/gate_a`,
    headers: [key, json],
    postData: { mimeType: 'application/json', text: '{"description":"é"}' },
    bodySize: 20,
    ...request,
  },
  response: {
    status: 200,
    headers: [json],
    content: { size: -1, mimeType: 'application/json', text: JSON.stringify(gate) },
    bodySize: -1,
    ...response,
  },
  ...more,
});

const recordingOf = (...entries: unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });
const readOf = (...entries: unknown[]) => exchangesOf(readRecording('a.har', recordingOf(...entries)), base);

/** Returns the findings and counts of a recording. */
function judgedOf(...entries: unknown[]) {
  const read = readOf(...entries);
  const own = read.flatMap(({ exchange, aside }) => (aside === undefined ? [exchange] : []));
  const { found, report } = judgedTraffic(own, { keysSeen: showsKeys(read, 'SERVICE-API-KEY') });
  return { found, judged: report.traffic?.judged, because: report.traffic?.notJudged.map(one => one.because) };
}

test.each([
  [
    'tell what came after what',
    '2026-01-01T00:00:00.100Z',
    '2026-01-01T00:00:10.200Z',
    ['server state.patch-every-sent /data/description'],
  ],
  ['are cut to seconds and leave that open', '2026-01-01T00:00:09Z', '2026-01-01T00:00:10Z', []],
])('times that %s', (_what, written, read, found) => {
  const shown = (description: string) => ({
    content: { text: JSON.stringify({ ...gate, data: { ...gate.data, description } }), mimeType: 'application/json' },
  });
  const reading = { request: { postData: { mimeType: 'application/json', text: '{}' }, bodySize: 2 } };
  const first = entry({ ...reading, response: shown('as it was'), entry: { startedDateTime: '2026-01-01T00:00:00Z' } });
  const write = entry({ response: shown('é'), entry: { startedDateTime: written } });
  const last = entry({ ...reading, response: shown('as it was'), entry: { startedDateTime: read } });
  // Entries may be in any order.
  const own = readOf(last, first, write).map(({ exchange }) => exchange);
  expect(judgedTraffic(own, { soleWriter: true, keysSeen: false, settleMs: 0 }).found).toEqual(found);
});

const base64 = (bytes: Buffer) => ({ size: bytes.length, encoding: 'base64', text: bytes.toString('base64') });
const bytes = Buffer.from(JSON.stringify(gate));

// biome-ignore format: a table
test.each<readonly [what: string, parts: Parts]>([
  ['an entry of a browser',                         {}],
  ['a body in Base64, as mitmproxy writes bytes',   { response: { content: base64(bytes) } }],
  ['a packed body in Base64, as gateways keep it',  { response: { headers: [json, { name: 'content-encoding', value: 'gzip' }], content: base64(gzipSync(bytes)) } }],
  ['members of its own that begin with a line',     { entry: { _initiator: {}, _resourceType: 'fetch', _webSocketMessages: [] } }],
  ['pseudo headers of HTTP/2',                      { request: { headers: [{ name: ':method', value: 'PATCH' }, key, json] } }],
  ['a size that is that of the packed body',        { response: { content: { size: bytes.length, text: JSON.stringify(gate) }, bodySize: 40 } }],
])('%s is judged whole, and draws nothing', (_what, parts) => {
  expect(judgedOf(entry(parts))).toEqual({ found: [], judged: 1, because: [] });
});

// biome-ignore format: a table
test.each<readonly [what: string, parts: Parts, because: readonly string[]]>([
  ['no text of an answer',       { response: { content: { size: 95 } } },                          ['the body of the answer was not recorded']],
  ['an answer that is cut',      { response: { content: { size: 9_000, text: '{"message":"Ga' } } }, ['the body of the answer is not whole: it was too long to be kept, or its coding is broken']],
  ['no answer',                  { response: { status: 0, _error: 'net::ERR_ABORTED', content: {} } }, ['there was no answer: net::ERR_ABORTED']],
])('%s is said, and nothing is guessed', (_what, parts, because) => {
  expect(judgedOf(entry(parts))).toEqual({ found: [], judged: 0, because });
});

test('what a recording leaves out of requests is never missing', () => {
  const source = { method: 'POST', url: `${base}/console/v1/experiments/qualifying_events/a`, bodySize: 120 };
  const answer = { message: 'Qualifying event updated successfully.', data: { name: 'a', sql: 'x' } };
  const response = { content: { size: -1, text: JSON.stringify(answer) } };
  // Without body and key this may be a dry run, whose message may differ.
  const { found } = judgedOf(entry({ request: { ...source, headers: [json], postData: undefined }, response }));
  expect(found.filter(one => !one.includes('presence.named'))).toEqual([]);
});

test('a request without the key stands out where others of the recording have it', () => {
  const { found } = judgedOf(entry(), entry({ request: { headers: [json] }, response: { status: 401, content: {} } }));
  expect(found).toEqual(['client client.key-header header SERVICE-API-KEY']);
});

test('requests to other servers and answers of caches are set aside, and counted in their order', () => {
  const read = readOf(
    entry({ entry: { startedDateTime: '2026-01-01T00:00:09.000Z' } }),
    entry({ request: { url: 'https://cdn.example.com/a.js' } }),
    entry({ entry: { _fromCache: 'disk' } }),
  );
  expect(read.map(({ exchange, aside }) => [exchange.number, exchange.source, aside])).toEqual([
    [1, 'a.har entry 2', 'a request to another server'],
    [2, 'a.har entry 3', 'an answer from the cache of a browser'],
    [3, 'a.har entry 1', undefined],
  ]);
});

test('the servers of a recording are told apart by what stands before the path of the API', () => {
  const other = entry({ request: { url: 'https://api.example.com/us/console/v1/segments' } });
  expect(basesOf(readRecording('a.har', recordingOf(entry(), other)))).toEqual([base, 'https://api.example.com/us']);
});

// biome-ignore format: a table
test.each([
  ['an empty file',         '',                                  'a.har is empty; give a HAR or a journal.ndjson'],
  ['a text',                'GET /console',                      /^a\.har is no JSON: /],
  ['another JSON',          '{"a":1}',                           'a.har is no HAR: it has no list log.entries'],
  ['an entry of nothing',   recordingOf({}),                     'a.har is no HAR: entry 1 has no request with a method and a URL'],
  ['an entry that is null', recordingOf(entry(), null),          'a.har is no HAR: entry 2 has no request with a method and a URL'],
  ['lines of something',    '{"a":1}\n{"b":2}\n',                'a.har is neither a HAR nor a journal: its first line is no run-start'],
  ['a broken line',         '{"event":"run-start"}\nnot\n{}\n',  'a.har: line 2 is no JSON; give a HAR or a journal.ndjson'],
])('%s is one clear line', (_what, text, message) => {
  expect(() => readRecording('a.har', text)).toThrow(BrokenRecording);
  expect(() => readRecording('a.har', text)).toThrow(message);
});

test('the exchanges of the findings of a journal are judged, each once', () => {
  const exchange = {
    id: 'patch-gate/accepts#1',
    request: {
      method: 'PATCH',
      url: `${base}/console/v1/gates/gate_a`,
      headers: [key, json],
      body: { text: '{}', bytes: 2, truncated: false },
    },
    response: {
      status: 200,
      headers: [json],
      body: { text: JSON.stringify(gate), bytes: bytes.length, truncated: false },
    },
    durationMs: 5,
  };
  const lines = [{ event: 'run-start' }, { event: 'check-end', findings: [{ exchange }, { exchange }] }];
  const read = exchangesOf(
    readRecording('journal.ndjson', `${lines.map(one => JSON.stringify(one)).join('\n')}\n`),
    base,
  );
  expect(read.map(one => one.exchange.source)).toEqual(['journal.ndjson line 2']);
  expect(judgedTraffic(read.map(one => one.exchange)).found).toEqual([]);
});

const bodyOf = (text: string, more: object = {}) => ({ response: { content: { size: -1, text, ...more } } });
const keptBack = { ...gate, data: { ...gate.data, description: '[REDACTED]' } };

// biome-ignore format: a table
test.each<readonly [what: string, parts: Parts]>([
  ['that are replaced by a mark',              { request: { postData: { text: '[REDACTED]' }, bodySize: -1 }, ...bodyOf('<omitted>') }],
  ['of which one value is',                    bodyOf(JSON.stringify(keptBack))],
  ['of which one value is a row of stars',     bodyOf(JSON.stringify({ ...gate, data: { ...gate.data, id: '***' } }))],
  ['that are cut, and say so',                 bodyOf('{"message":"Gate upd... (truncated)')],
  ['that are cut, and say how much',           bodyOf('{"message":"Gate upd[+312 bytes]', { size: 32 })],
  ['that end early, of a length nobody knows', bodyOf('{"message":"Gate upd')],
  ['that are packed in a way nobody knows',    { response: { headers: [json, { name: 'content-encoding', value: 'zstd' }], content: base64(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])) } }],
])('bodies %s are nobody’s breach, and counted as not judged', (_what, parts) => {
  const { found, judged } = judgedOf(entry(parts));
  expect({ found, judged }).toEqual({ found: [], judged: 0 });
});

test('words that a client writes itself are no marks', () => {
  for (const description of ['hidden', 'removed', 'masked texts', '**', 'ends with ...']) {
    const text = JSON.stringify({ ...gate, data: { ...gate.data, description } });
    const sent = { postData: { text: JSON.stringify({ description }) }, bodySize: -1 };
    expect(judgedOf(entry({ request: sent, ...bodyOf(text) }))).toMatchObject({ found: [], judged: 1 });
  }
});

test('keys that a recorder emptied are not missing, and one that is empty among others is', () => {
  const empty = entry({ request: { headers: [{ ...key, value: '' }, json] } });
  expect(judgedOf(empty).found).toEqual([]);
  expect(judgedOf(entry(), empty).found).toContain('client client.key-header header SERVICE-API-KEY');
});

test('a recording of this tool marks the keys that it takes out: a request without a mark had none', () => {
  const [keyless, marked] = [[json], [{ ...key, value: '«the API key»' }, json]].map(headers =>
    JSON.stringify({
      log: { version: '1.2', creator: { name: 'console-conformance' }, entries: [entry({ request: { headers } })] },
    }),
  );
  const foundIn = (text = '') => {
    const read = exchangesOf(readRecording('a.har', text), base);
    const keysSeen = showsKeys(read, 'SERVICE-API-KEY');
    return judgedTraffic(
      read.map(({ exchange }) => exchange),
      { keysSeen },
    ).found;
  };
  expect(foundIn(keyless)).toContain('client client.key-header header SERVICE-API-KEY');
  expect(foundIn(marked)).toEqual([]);
});

test('where no request of a recording shows a key, the report says that it is not judged', () => {
  const read = readOf(entry({ request: { headers: [json] } }));
  const { events } = judgedTraffic(
    read.map(({ exchange }) => exchange),
    { keysSeen: showsKeys(read, 'SERVICE-API-KEY') },
  );
  expect(JSON.stringify(events)).toContain('no request of the recording shows a key');
});

test('a byte order mark before a recording is nothing, a status may be a text, and a query only listed', () => {
  expect(readRecording('a.har', `\uFEFF${recordingOf(entry())}`)).toHaveLength(1);
  const listed = { url: `${base}/console/v1/segments`, queryString: [{ name: 'limit', value: '5' }] };
  const [read] = readOf(entry({ request: listed, response: { status: '404' } }));
  expect(read?.exchange).toMatchObject({
    request: { target: '/console/v1/segments?limit=5' },
    response: { status: 404 },
  });
});

test.each([['PK\u0003\u0004x'], ['\u001f\uFFFD\b']])('what is packed is said to be', text => {
  expect(() => readRecording('a.har', text)).toThrow(
    'a.har is packed: unpack it first; what run --record wrote is for diff alone',
  );
});
