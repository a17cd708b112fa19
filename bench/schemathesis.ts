import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import type { EndpointId } from '../contracts/endpoints.ts';
import { dialects, faults, referenceTarget } from '../reference-server/index.ts';
import { targetOf } from '../suites/sut/target.ts';
import { perSecond } from './measure.ts';
import { writeSetup } from './schemathesis-setup.ts';
import { conformTool, missing, schemathesisTool, type Tool, type ToolResult } from './schemathesis-tools.ts';
import type { ServerVariant } from './server-process.ts';
import { apiKey, startServer } from './servers.ts';

/** Measures every twenty-third fault and every fourth dialect; all of them would take more than an hour. */
const everyFault = 23;
const everyDialect = 4;

/** The result of a tool, and the number of requests that the server received. */
interface Measured extends ToolResult {
  readonly requests: number;
}

/** Runs a tool against a new server in a process of its own. */
async function measured(
  tool: Tool,
  variant: ServerVariant,
  endpoints: readonly EndpointId[] | null,
): Promise<Measured> {
  const server = await startServer(null, variant);
  const directory = mkdtempSync(join(tmpdir(), 'conform-bench-'));
  try {
    writeSetup(directory, targetOf(referenceTarget(), server.url, apiKey));
    const result = await tool(server.url, endpoints, directory);
    const { body } = await request(new URL('/_reference/requests', server.url));
    const { requests } = (await body.json()) as { readonly requests: readonly { readonly number: number }[] };
    return { ...result, requests: requests.at(-1)?.number ?? 0 };
  } finally {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A tool, with the cost of its runs and the failures that it reports of the sound server. */
class MeasuredTool {
  readonly name: string;
  readonly #tool: Tool;
  readonly #sound = new Map<string, ReadonlySet<string>>();
  #requests = 0;
  #milliseconds = 0;

  constructor(name: string, tool: Tool) {
    this.name = name;
    this.#tool = tool;
  }

  async on(variant: ServerVariant, endpoints: readonly EndpointId[] | null): Promise<Measured> {
    const result = await measured(this.#tool, variant, endpoints);
    this.#requests += result.requests;
    this.#milliseconds += result.milliseconds;
    return result;
  }

  /** Returns the failures that it reports of a server, and which of them it does not report of the sound one. */
  async failuresOf(
    variant: ServerVariant,
    endpoints: readonly EndpointId[],
  ): Promise<{ all: string[]; new: string[] }> {
    const key = endpoints.join();
    const sound = this.#sound.get(key) ?? (await this.on({}, endpoints)).reported;
    this.#sound.set(key, sound);
    const all = [...(await this.on(variant, endpoints)).reported];
    return { all, new: all.filter(failure => !sound.has(failure)) };
  }

  /** Returns the cost of all runs since the last call, in a line. */
  spent(): string {
    const line = `${this.#requests} requests in ${(this.#milliseconds / 1000).toFixed(0)} s, ${perSecond(this.#requests, this.#milliseconds).toFixed(0)} a second`;
    [this.#requests, this.#milliseconds] = [0, 0];
    return line;
  }
}

type Print = (line: string) => void;

async function onTheSoundServer(tools: readonly MeasuredTool[], print: Print): Promise<void> {
  for (const tool of tools) {
    const { reported, requests, milliseconds } = await tool.on({}, null);
    print(
      `${`sound server, ${tool.name}`.padEnd(32)}${perSecond(requests, milliseconds).toFixed(0)} requests/s (${requests} in ${(milliseconds / 1000).toFixed(1)} s, from start to exit), ${reported.size} false accusations`,
    );
    for (const failure of [...reported].sort()) print(`  accused: ${failure}`);
    tool.spent();
  }
}

async function onFaults(tools: readonly MeasuredTool[], print: Print): Promise<void> {
  const sample = faults.filter((_, index) => index % everyFault === 0);
  const foundBy = new Map(tools.map(tool => [tool, new Set<string>()]));
  for (const { id, endpoints } of sample)
    for (const [tool, found] of foundBy)
      if ((await tool.failuresOf({ faults: [id] }, endpoints)).new.length > 0) found.add(id);
  for (const [tool, found] of foundBy) {
    const missed = sample.filter(({ id }) => !found.has(id)).map(({ id }) => id);
    print(`${`faults found, ${tool.name}`.padEnd(32)}${found.size} of ${sample.length} (${tool.spent()})`);
    print(`  missed: ${missed.join(', ') || 'none'}`);
  }
  print(`  every ${everyFault}th fault of the catalogue, each tool on the operations of the fault alone`);
  print('  found: the run reports an operation and check that the same run on the sound server does not report');
}

async function onDialects(tools: readonly MeasuredTool[], print: Print): Promise<void> {
  const lawful = dialects.filter(({ warns, capabilities }) => warns === undefined && capabilities === undefined);
  const sample = lawful.filter((_, index) => index % everyDialect === 0);
  const countsBy = new Map(tools.map(tool => [tool, { accused: 0, unfounded: [] as string[] }]));
  for (const { id, endpoints } of sample)
    for (const [tool, count] of countsBy) {
      const failures = await tool.failuresOf({ dialects: [id] }, [endpoints?.[0] ?? 'patch-gate']);
      if (failures.all.length > 0) count.accused += 1;
      if (failures.new.length > 0) count.unfounded.push(`${id} (${failures.new.join('; ')})`);
    }
  for (const [tool, { accused, unfounded }] of countsBy) {
    print(
      `${`dialects accused, ${tool.name}`.padEnd(32)}${accused} of ${sample.length}, ${unfounded.length} of them of more than the sound server is (${tool.spent()})`,
    );
    for (const dialect of unfounded) print(`  ${dialect}`);
  }
  print(
    `  every ${everyDialect}th dialect that breaks no SHOULD and has all features, each tool on one operation of it`,
  );
}

/** Prints requests per second, faults found and false accusations of both tools, or how to install Schemathesis. */
export async function schemathesis(print: Print): Promise<void> {
  const reason = missing();
  if (reason !== null) return print(`conform over Schemathesis       not measured: ${reason}`);
  const tools = [new MeasuredTool('conform', conformTool), new MeasuredTool('Schemathesis', schemathesisTool)];
  await onTheSoundServer(tools, print);
  await onFaults(tools, print);
  await onDialects(tools, print);
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
