import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { ScriptedAnswer } from '../../../contracts/behaviour.ts';
import { createReferenceServer } from '../../server.ts';

const run = promisify(execFile);
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
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

const has = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;
const python = process.env.PYTHON ?? 'python3';

/** Each client, and whether it can be tried here. Toolchains of other languages only where they are asked for. */
const foreign = process.env.CLIENTS === '1';
// biome-ignore format: a table
const clients: readonly (readonly [name: string, client: Client, isThere: boolean])[] = [
  ['undici',             undici,                                       true],
  ['curl',               curl,                                         has('curl', '--version')],
  ["Python's httpx",     printed(python, file('probe.py')),            foreign && has(python, '-c', 'import httpx')],
  ["Go's net/http",      printed('go', 'run', file('probe.go')),       foreign && has('go', 'version')],
  ["Java's HttpClient",  printed('java', file('Probe.java')),          foreign && has('java', '--version')],
];

for (const [name, client, isThere] of clients)
  test.skipIf(!isThere)(`${name} sees exactly what was scripted`, async () => {
    const server = createReferenceServer();
    onTestFinished(() => server.close());
    const { url } = await server.listen();
    await server.control.behaviours.add({ match: { operation: 'list-segments' }, then: rows.map(([step]) => step) });
    const seen = await client(`${url}/console/v1/segments`, server.apiKey, rows.length);
    expect(seen).toEqual(rows.map(([, what]) => what));
  });
