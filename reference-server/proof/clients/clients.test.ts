import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { ScriptedAnswer } from '../../../contracts/behaviour.ts';
import { createReferenceServer } from '../../server.ts';
import { at, foreignTest, has, hasModule, python, run } from './toolchain.fixture.ts';

const file = (name: string): string => at(`reference-server/proof/clients/${name}`);
const hex = (text: string | Buffer): string => Buffer.from(text).toString('hex');
const raw = Buffer.from([0, 255, 1, 254]);
const text = 'grüße';

/** What is scripted, and what every client must see of it: status, Retry-After, the bytes of the body; or `lost`. */
// biome-ignore format: a table
const rows: readonly (readonly [step: ScriptedAnswer, seen: string])[] = [
  [{ status: 500, text: 'a' },                                        `500 - ${hex('a')}`],
  [{ status: 503, text },                                             `503 - ${hex(text)}`],
  [{ status: 429, headers: { 'Retry-After': '1' }, text: 'b' },       `429 1 ${hex('b')}`],
  [{ status: 299, bytes: raw.toString('base64') },                    `299 - ${hex(raw)}`],
  [{ status: 599, body: { why: text } },                              `599 - ${hex(JSON.stringify({ why: text }))}`],
  [{ status: 200, text: 'slow', delay: { ms: 20 } },                  `200 - ${hex('slow')}`],
  [{ status: 200, text: 'drip', bytesPerSecond: 100 },                `200 - ${hex('drip')}`],
  [{ status: 200, text: 'abc', wire: 'cut-utf8' },                    `200 - ${hex(Buffer.from([0x61, 0xe2, 0x82]))}`],
  [{ status: 200, text: 'abcd', wire: 'close-in-body' },              'lost'],
  [{ status: 200, text: 'abcd', wire: 'length-too-long' },            'lost'],
  [{ status: 200, text: 'abcd', wire: 'close-in-head' },              'lost'],
  [{ wire: 'garbage' },                                               'lost'],
];

/** What one client sees of so many requests. */
type Client = (url: string, key: string, count: number) => Promise<readonly string[]>;

const printed =
  (command: string, ...before: readonly string[]): Client =>
  async (url, key, count) =>
    (await run(command, [...before, url, key, String(count)])).stdout.trim().split('\n');

const each = async (count: number, ask: () => Promise<string>): Promise<readonly string[]> => {
  const seen: string[] = [];
  for (let sent = 0; sent < count; sent += 1) seen.push(await ask().catch(() => 'lost'));
  return seen;
};

const curl: Client = (url, key, count) =>
  each(count, async () => {
    const args = ['-sS', '--max-time', '10', '-i', '-H', `SERVICE-API-KEY: ${key}`, url];
    const { stdout } = await run('curl', args, { encoding: 'buffer' });
    const at = stdout.indexOf('\r\n\r\n');
    // curl is content with a head that has no end.
    if (at < 0) return 'lost';
    const head = stdout.subarray(0, at).toString('latin1');
    const after = /retry-after: (\S+)/i.exec(head)?.[1] ?? '-';
    return `${head.slice(9, 12)} ${after} ${hex(stdout.subarray(at + 4))}`;
  });

const undici: Client = (url, key, count) =>
  each(count, async () => {
    const dispatcher = new Agent();
    try {
      const { statusCode, headers, body } = await request(url, { dispatcher, headers: { 'SERVICE-API-KEY': key } });
      return `${statusCode} ${headers['retry-after'] ?? '-'} ${hex(Buffer.from(await body.arrayBuffer()))}`;
    } finally {
      await dispatcher.destroy();
    }
  });

const seesWhatIsScripted = (client: Client) => async (): Promise<void> => {
  const server = createReferenceServer();
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  await server.control.behaviours.add({ match: { operation: 'list-segments' }, then: rows.map(([step]) => step) });
  const seen = await client(`${url}/console/v1/segments`, server.apiKey, rows.length);
  expect(seen).toEqual(rows.map(([, what]) => what));
};

test('undici sees exactly what was scripted', seesWhatIsScripted(undici));
test.skipIf(!has('curl', '--version'))('curl sees exactly what was scripted', seesWhatIsScripted(curl));

// biome-ignore format: a table
const clients: readonly (readonly [name: string, client: Client, needs: string, isThere: () => boolean])[] = [
  ["Python's httpx",     printed(python, file('probe.py')),       'pip install httpx',  () => hasModule('httpx')],
  ["Go's net/http",      printed('go', 'run', file('probe.go')),  'Go',                 () => has('go', 'version')],
  ["Java's HttpClient",  printed('java', file('Probe.java')),     'Java',               () => has('java', '--version')],
];
for (const [name, client, needs, isThere] of clients)
  foreignTest(`${name} sees exactly what was scripted`, needs, isThere, seesWhatIsScripted(client));
