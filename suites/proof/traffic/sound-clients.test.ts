import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { referenceTarget } from '../../../reference-server/index.ts';
import { judgedTraffic } from '../testing/exchanges.ts';
import { type Call, driven, serverKey } from './driven.fixture.ts';

const gate = referenceTarget().fixtures?.gates?.[0] ?? '';
const packed = gzipSync('{"description":"packed"}');

/** How common HTTP clients write the same requests. */
// biome-ignore format: a table
const shapes: readonly (readonly [name: string, headers: Record<string, string | null>, calls: readonly Call[]])[] = [
  ['fetch',  { 'SERVICE-API-KEY': null, 'service-api-key': serverKey, accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node', 'accept-encoding': 'gzip, deflate' }, []],
  ['undici', { 'SERVICE-API-KEY': null, 'service-api-key': serverKey, accept: null }, []],
  ['axios',  { 'SERVICE-API-KEY': null, 'Service-Api-Key': serverKey, accept: 'application/json, text/plain, */*', 'content-type': 'application/json;charset=utf-8', expect: '100-continue', 'accept-encoding': 'gzip, compress, deflate, br' },
             [{ endpoint: 'patch-gate', param: gate, raw: packed, headers: { 'content-encoding': 'gzip', 'content-length': String(packed.length) } }]],
];

test.each(shapes)('a sound client that writes as %s does draws nothing', async (_name, headers, more) => {
  const calls: readonly Call[] = [
    { endpoint: 'list-segments', query: { limit: 5 } },
    { endpoint: 'patch-gate', param: gate, body: { description: 'é 🎉', isEnabled: true } },
    { endpoint: 'disable-gate', param: gate },
    { endpoint: 'archive-config', param: referenceTarget().fixtures?.dynamicConfigs?.at(-1) ?? '', body: {} },
    ...more,
  ];
  const { exchanges } = await driven({}, async ({ send }) => {
    for (const call of calls) {
      const isBodied = call.body !== undefined || call.raw !== undefined;
      const own = Object.fromEntries(
        Object.entries(headers).filter(([name]) => isBodied || !['content-type', 'expect'].includes(name)),
      );
      await send({ ...call, headers: { ...own, ...call.headers } });
    }
  });
  const { found, notes, report } = judgedTraffic(exchanges, { apiKey: serverKey, soleWriter: true });
  expect({ found, notes }).toEqual({ found: [], notes: [] });
  expect(report.traffic?.judged).toBe(calls.length);
});
