import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { referenceTarget } from '../reference-server/index.ts';
import { targetOf } from '../suites/sut/target.ts';
import { startProxyProcess } from './proxy.ts';
import { speedOf } from './recording.ts';
import { apiKey, startServer } from './servers.ts';
import { steadyRequests } from './steady-requests.ts';

const exchanges = 100_000;
const body = 1_000_000_000;

/** Maximum ratio of the proxy's memory after the second half to that after the first. */
const mostGrowth = 1.25;

function* parts(size: number): Generator<Buffer> {
  const part = Buffer.alloc(65_536, 0x20);
  for (let left = size; left > 0; left -= part.length) yield part.subarray(0, Math.min(left, part.length));
}

/** Starts a server that reads whatever it receives, and answers with a gigabyte. */
async function bulky() {
  const server = createServer((incoming, response) => {
    let received = 0;
    incoming.on('data', part => {
      received += (part as Buffer).length;
    });
    incoming.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-received': received, 'content-length': body });
      Readable.from(parts(body)).pipe(response);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), close: () => server.close() };
}

/** Sends a gigabyte each way in one exchange. Returns the numbers of bytes that arrived. */
async function large(url: URL): Promise<{ sent: number; received: number }> {
  const { headers, body: answer } = await request(new URL('/console/v1/metrics', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': String(body) },
    body: Readable.from(parts(body)),
  });
  let received = 0;
  for await (const part of answer) received += (part as Buffer).length;
  return { sent: Number(headers['x-received']), received };
}

/** Measures the memory of the proxy over many exchanges, and over long ones. Returns the number of failures. */
export async function proxyGrowth(print: (line: string) => void): Promise<number> {
  let failed = 0;
  const server = await startServer(null);
  const many = await startProxyProcess('conform', server.url);
  try {
    const all = [...steadyRequests(targetOf(referenceTarget(), server.url, apiKey)).values()];
    const memory: number[] = [];
    for (let half = 0; half < 2; half += 1) {
      await speedOf(many.url, all, exchanges / 2, 8)();
      const usage = await many.usage();
      memory.push(usage.heapMb);
      print(
        `proxy, ${usage.exchanges} exchanges: heap ${usage.heapMb.toFixed(1)} MB, resident ${usage.rssMb.toFixed(0)} MB, ${usage.remembered} entries remembered, ${usage.keptBytes} bytes of bodies kept`,
      );
      if (usage.keptBytes > 0) failed += 1;
    }
    if ((memory[1] ?? 0) > mostGrowth * (memory[0] ?? 0)) failed += 1;
  } finally {
    many.close();
    server.close();
  }
  const source = await bulky();
  const long = await startProxyProcess('conform', source.url);
  try {
    const before = await long.usage();
    const { sent, received } = await large(long.url);
    const after = await long.usage();
    print(
      `proxy, 1 GB each way in one exchange: ${sent} and ${received} bytes arrived, heap ${before.heapMb.toFixed(1)} to ${after.heapMb.toFixed(1)} MB, resident ${after.rssMb.toFixed(0)} MB, ${after.keptBytes} bytes kept`,
    );
    if (sent !== body || received !== body || after.keptBytes > 0 || after.rssMb > 400) failed += 1;
  } finally {
    long.close();
    source.close();
  }
  return failed;
}
