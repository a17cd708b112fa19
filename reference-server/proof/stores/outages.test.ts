import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { builtProgram } from '../testing/built.ts';
import { describeStore, places, sharedCluster } from './places.fixture.ts';
import type { Failure } from './postgres.fixture.ts';

/** How often PostgreSQL fails, and with which failure the series begins. */
const outages = Number(process.env.OUTAGES ?? 3);
const seed = Number(process.env.OUTAGE_SEED ?? 1);

/** A minute for each outage only ends what hangs, and so does half of it for an answer. */
const limit = 60_000 * (outages + 1);
const answerLimit = 30_000;

/** How long an instance waits for PostgreSQL, in milliseconds. */
const patience = 3000;

const failures: readonly Failure[] = ['stopped', 'frozen', 'broken off'];

const program = await builtProgram(fileURLToPath(new URL('./instance.fixture.ts', import.meta.url)));

/** A process with four instances of the server, and what it said. */
interface Instances {
  readonly child: ChildProcess;
  readonly urls: readonly string[];
  readonly said: readonly string[];
}

const all: Instances[] = [];
afterEach(() => {
  for (const { child } of all.splice(0)) child.kill('SIGKILL');
});

async function started(address: string, gates: readonly string[]): Promise<Instances> {
  const argv = [program, address, String(patience), gates.join(',')];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.split('\n').filter(Boolean)));
  while (said.length === 0 && child.exitCode === null)
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const urls = JSON.parse(said.shift() ?? '[]') as string[];
  const instances = { child, urls, said };
  all.push(instances);
  expect(urls).toHaveLength(4);
  return instances;
}

/** Sends a request; an answer that does not come in time is an error. */
async function asked(url: string, method: 'GET' | 'PATCH', path: string, body?: object) {
  const answer = await request(url + path, {
    method,
    headers: { 'SERVICE-API-KEY': 'reference-key', 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    headersTimeout: answerLimit,
    bodyTimeout: answerLimit,
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are of several shapes
  return { status: answer.statusCode, headers: answer.headers, json: (await answer.body.json()) as any };
}

/** Writes numbers into a gate of its own, one after another, as long as it is not stopped. */
function writer(url: string, gate: string) {
  const path = `/console/v1/gates/${gate}`;
  const state = { begun: 0, kept: 0, refused: 0, isStopped: false };
  const odd: unknown[] = [];
  const done = (async () => {
    while (!state.isStopped) {
      state.begun += 1;
      const { begun } = state;
      try {
        const { status, headers, json } = await asked(url, 'PATCH', path, { description: String(begun) });
        if (status === 200) state.kept = begun;
        else if (status === 503 && headers['retry-after'] === '1') state.refused += 1;
        else odd.push({ status, json });
      } catch (error) {
        odd.push(String(error));
        state.isStopped = true;
      }
    }
  })();
  const read = async () => (await asked(url, 'PATCH', path, {})).json.data as { description: string; version: number };
  return { gate, state, odd, done, read };
}

/** Looks again and again, as other things happen, until something holds. */
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 10));
};

describeStore(places.shared, make => {
  it(
    `keeps all that was acknowledged to eight writers at eight instances, whose two processes live through ${outages} outages`,
    async () => {
      const address = await make();
      const { fail } = await sharedCluster();
      const gates = Array.from({ length: 8 }, (_, index) => `w${index}`);
      const pair = [await started(address, gates), await started(address, gates)];
      const urls = pair.flatMap(one => one.urls);
      const health = () => Promise.all(urls.map(url => asked(url, 'GET', '/_reference/health')));
      const first = (await asked(urls[0] ?? '', 'PATCH', '/console/v1/gates/w0', {})).json.data.version as number;
      const writers = gates.map((gate, index) => writer(urls[index] ?? '', gate));
      const odd = () => writers.flatMap(one => one.odd);
      const alive = () => pair.map(({ child }) => child.exitCode ?? child.signalCode);
      /** Until each writer has met what is counted once more; sooner where something went wrong. */
      const eachMeets = async (count: 'kept' | 'refused') => {
        const before = writers.map(({ state }) => state[count]);
        await until(
          () => odd().length > 0 || writers.every(({ state }, index) => state[count] > Number(before[index])),
        );
      };
      for (let outage = 1; outage <= outages; outage += 1) {
        const how = failures[(seed + outage) % failures.length] as Failure;
        await eachMeets('kept');
        const mend = await fail(how);
        await eachMeets('refused');
        const told = (await health()).map(({ status, json }) => [status, json.message]);
        await mend();
        await eachMeets('kept');
        expect({ outage, how, odd: odd(), alive: alive() }).toEqual({ outage, how, odd: [], alive: [null, null] });
        for (const one of told) expect(one).toEqual([503, expect.stringMatching(/^The store cannot be used: .+\.$/)]);
      }
      for (const { state } of writers) state.isStopped = true;
      await Promise.all(writers.map(({ done }) => done));
      await until(async () => (await health()).every(({ status }) => status === 200));
      for (const { gate, state, read } of writers) {
        const { description, version } = await read();
        const found = Number(description);
        // What was begun and not acknowledged may have come to be.
        expect({ gate, found, state }).toSatisfy(() => state.kept <= found && found <= state.begun);
        expect({ gate, version, state }).toSatisfy(
          () => state.begun - state.refused <= version - first && version - first <= state.begun,
        );
      }
      expect(odd()).toEqual([]);
      // Each instance told the cause of each outage, and nothing that was none.
      for (const { said } of pair) {
        expect(said.length).toBeGreaterThanOrEqual(outages);
        expect(said.filter(line => !line.startsWith('StoreError: cannot use the store at '))).toEqual([]);
      }
      const sum = (count: 'kept' | 'refused') => writers.reduce((all, { state }) => all + state[count], 0);
      console.info(`${outages} outages: kept up to ${sum('kept')}, refused ${sum('refused')}`);
    },
    limit,
  );
});
