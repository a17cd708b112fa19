import { request } from 'undici';
import { referenceTarget } from '../reference-server/index.ts';
import { runDefaults } from '../suites/engine/config.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import { targetOf } from '../suites/sut/target.ts';
import { compared, inLine, perSecond, timed } from './measure.ts';
import { isPrismInstalled, startPrism } from './prism-server.ts';
import { replayed } from './recording.ts';
import { apiKey, startServer } from './servers.ts';
import { steadyRequests } from './steady-requests.ts';

const count = 3000;
const { concurrency } = runDefaults;

/** The endpoints whose minimal request a server answers with success. */
async function answering(origin: URL, requests: ReadonlyMap<string, WireRequest>): Promise<ReadonlySet<string>> {
  const successes = new Set<string>();
  for (const [id, { method, path, headers, body }] of requests) {
    const answer = await request(new URL(path, origin), { method: method as 'GET', headers, body: body ?? null });
    await answer.body.dump();
    if (answer.statusCode >= 200 && answer.statusCode < 300) successes.add(id);
  }
  return successes;
}

/** The ways to start Prism that are measured. */
// biome-ignore format: a table
const ways = [
  { title: "reference over Prism's mock",    how: 'as it starts: it logs each request, here to nowhere', flags: [] },
  { title: 'reference over Prism, no log',   how: 'its log off',                                         flags: ['--verboseLevel', 'silent'] },
  { title: 'reference over Prism --dynamic', how: 'its log off, each answer generated anew',             flags: ['--verboseLevel', 'silent', '--dynamic'] },
] as const;

/** Requests per second of the reference server over those of Prism, on requests that both answer with success. */
async function over(reference: URL, { title, how, flags }: (typeof ways)[number]): Promise<string[]> {
  const prism = await startPrism(flags);
  try {
    const requests = steadyRequests(targetOf(referenceTarget(), reference, apiKey));
    const ours = await answering(reference, requests);
    const theirs = await answering(prism.url, requests);
    const both = [...requests].filter(([id]) => ours.has(id) && theirs.has(id)).map(([, wire]) => wire);
    if (both.length === 0) throw new Error('there is no request that both servers answer with success');
    const all = Array.from({ length: Math.ceil(count / both.length) }, () => both).flat();
    const speed = (url: URL) => async () =>
      perSecond(all.length, await timed(async () => void (await replayed(url, all, concurrency))));
    const result = await compared(speed(reference), speed(prism.url));
    return [
      `${title.padEnd(32)}${inLine(result)}`,
      `  reference server ${result.first.toFixed(0)} requests/s, Prism ${result.second.toFixed(0)} requests/s (${how})`,
      `  2xx to the minimal requests of ${requests.size} endpoints: reference server ${ours.size}, Prism ${theirs.size}; measured with the ${both.length} that both answer so`,
    ];
  } finally {
    prism.close();
  }
}

/** Prints the ratios, or how to install Prism where it is not. */
export async function prism(print: (line: string) => void): Promise<void> {
  if (!isPrismInstalled())
    return print("reference over Prism's mock     not measured: `npm ci --prefix bench` installs Prism");
  const reference = await startServer(null);
  try {
    for (const way of ways) for (const line of await over(reference.url, way)) print(line);
    print(
      `  ${count} requests a time, ${concurrency} in flight, one client loop for both, each server in a process of its own`,
    );
  } finally {
    reference.close();
  }
}
