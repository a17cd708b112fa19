import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import type { EndpointId } from '../contracts/endpoints.ts';
import { dialects, faults, referenceTarget } from '../reference-server/index.ts';
import { targetOf } from '../suites/sut/target.ts';
import { perSecond } from './measure.ts';
import { writeSetup } from './schemathesis-setup.ts';
import { conformTool, missing, schemathesisTool, type Told, type Tool } from './schemathesis-tools.ts';
import type { Peculiarities } from './server-process.ts';
import { apiKey, startServer } from './servers.ts';

/** Every how manieth fault and dialect is taken: all of them would take more than an hour. */
const everyFault = 13;
const everyDialect = 4;

/** What a tool said of a server, and how many requests the server saw. */
interface Measured extends Told {
  readonly requests: number;
}

/** Lets a tool loose on a server of its own, in a process of its own, that has just been started. */
async function measured(
  tool: Tool,
  peculiar: Peculiarities,
  endpoints: readonly EndpointId[] | null,
): Promise<Measured> {
  const server = await startServer(null, peculiar);
  const directory = mkdtempSync(join(tmpdir(), 'conform-bench-'));
  try {
    writeSetup(directory, targetOf(referenceTarget(), server.url, apiKey));
    const told = await tool(server.url, endpoints, directory);
    const { body } = await request(new URL('/_reference/requests', server.url));
    const { requests } = (await body.json()) as { readonly requests: readonly { readonly number: number }[] };
    return { ...told, requests: requests.at(-1)?.number ?? 0 };
  } finally {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A tool, what it cost, and what it said, as it goes from server to server. */
class Contestant {
  readonly name: string;
  readonly #tool: Tool;
  readonly #sound = new Map<string, ReadonlySet<string>>();
  #requests = 0;
  #milliseconds = 0;

  constructor(name: string, tool: Tool) {
    this.name = name;
    this.#tool = tool;
  }

  async on(peculiar: Peculiarities, endpoints: readonly EndpointId[] | null): Promise<Measured> {
    const result = await measured(this.#tool, peculiar, endpoints);
    this.#requests += result.requests;
    this.#milliseconds += result.milliseconds;
    return result;
  }

  /** What it says of a server, and of that what it does not say of the sound one. */
  async accusations(
    peculiar: Peculiarities,
    endpoints: readonly EndpointId[],
  ): Promise<{ all: string[]; new: string[] }> {
    const key = endpoints.join();
    const sound = this.#sound.get(key) ?? (await this.on({}, endpoints)).complaints;
    this.#sound.set(key, sound);
    const all = [...(await this.on(peculiar, endpoints)).complaints];
    return { all, new: all.filter(complaint => !sound.has(complaint)) };
  }

  /** What all of its runs cost since this was last asked, in a line. */
  spent(): string {
    const line = `${this.#requests} requests in ${(this.#milliseconds / 1000).toFixed(0)} s, ${perSecond(this.#requests, this.#milliseconds).toFixed(0)} a second`;
    [this.#requests, this.#milliseconds] = [0, 0];
    return line;
  }
}

type Print = (line: string) => void;

async function onTheSoundServer(contestants: readonly Contestant[], print: Print): Promise<void> {
  for (const contestant of contestants) {
    const { complaints, requests, milliseconds } = await contestant.on({}, null);
    print(
      `${`sound server, ${contestant.name}`.padEnd(32)}${perSecond(requests, milliseconds).toFixed(0)} requests/s (${requests} in ${(milliseconds / 1000).toFixed(1)} s, from start to exit), ${complaints.size} false accusations`,
    );
    for (const complaint of [...complaints].sort()) print(`  accused: ${complaint}`);
    contestant.spent();
  }
}

async function onFaults(contestants: readonly Contestant[], print: Print): Promise<void> {
  const sample = faults.filter((_, index) => index % everyFault === 0);
  const foundBy = new Map(contestants.map(contestant => [contestant, new Set<string>()]));
  for (const { id, endpoints } of sample)
    for (const [contestant, found] of foundBy)
      if ((await contestant.accusations({ faults: [id] }, endpoints)).new.length > 0) found.add(id);
  for (const [contestant, found] of foundBy) {
    const missed = sample.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    print(`${`faults found, ${contestant.name}`.padEnd(32)}${found.size} of ${sample.length} (${contestant.spent()})`);
    print(`  missed: ${missed.join(', ') || 'none'}`);
  }
  print(`  every ${everyFault}th fault of the catalogue, each tool on the operations of the fault alone`);
  print('  found: the run reports an operation and check that the same run on the sound server does not report');
}

async function onDialects(contestants: readonly Contestant[], print: Print): Promise<void> {
  const lawful = dialects.filter(({ warns, capabilities }) => warns === undefined && capabilities === undefined);
  const sample = lawful.filter((_, index) => index % everyDialect === 0);
  const saidBy = new Map(contestants.map(contestant => [contestant, { accused: 0, anew: [] as string[] }]));
  for (const { id, endpoints } of sample)
    for (const [contestant, said] of saidBy) {
      const complaints = await contestant.accusations({ dialects: [id] }, [endpoints?.[0] ?? 'patch-gate']);
      if (complaints.all.length > 0) said.accused += 1;
      if (complaints.new.length > 0) said.anew.push(`${id} (${complaints.new.join('; ')})`);
    }
  for (const [contestant, { accused, anew }] of saidBy) {
    print(
      `${`dialects accused, ${contestant.name}`.padEnd(32)}${accused} of ${sample.length}, ${anew.length} of them of more than the sound server is (${contestant.spent()})`,
    );
    for (const dialect of anew) print(`  ${dialect}`);
  }
  print(
    `  every ${everyDialect}th dialect that breaks no SHOULD and has all features, each tool on one operation of it`,
  );
}

/** Prints requests a second, faults found and false accusations of both tools, or how to install Schemathesis where it is not. */
export async function schemathesis(print: Print): Promise<void> {
  const reason = missing();
  if (reason !== null) return print(`conform over Schemathesis       not measured: ${reason}`);
  const contestants = [new Contestant('conform', conformTool), new Contestant('Schemathesis', schemathesisTool)];
  await onTheSoundServer(contestants, print);
  await onFaults(contestants, print);
  await onDialects(contestants, print);
  print(
    '  a server process of its own for each run, the tools in turn, times from start to exit; conform as it is by default',
  );
  print(
    '  Schemathesis: all checks, all phases, its own 100 examples, seed 1, one worker; its OpenAPI document and configuration hold',
  );
  print(
    '  what our target file holds (ids, an accepted request, words for references), a hook gives each metric a name of its own',
  );
}
