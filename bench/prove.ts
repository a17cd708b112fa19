import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { causes } from './causes.ts';
import { growth } from './growth.ts';
import { timed } from './measure.ts';
import { proxyGrowth } from './proxy-growth.ts';
import { raceWindows } from './race-windows.ts';

/**
 * Tests that prove a property once for `npm test`, and again here: how often, and what differs from time to time (from
 * 1).
 */
interface Proof {
  readonly tests: readonly string[];
  readonly times: number;
  readonly settings: (time: number) => Readonly<Record<string, string>>;
}

// biome-ignore format: a table
const proofs: Readonly<Record<string, Proof>> = {
  /** What depends on the order in which requests, answers and closed connections meet. */
  races:        { times: 20, settings: time => ({ UNDER_FIRE_SEED: String(time) }),
                  tests: ['reference-server/proof/under-fire', 'suites/client', 'suites/engine/run.test.ts', 'suites/proof/hostile/part-way.test.ts', 'cli/commands/limits.test.ts'] },
  /** A run that is interrupted, or killed, at one moment after another; a store in a folder that is killed at a thousand moments of a storm of writes. */
  kills:        { times: 20, settings: time => ({ INTERRUPT_AT: String(150 + 30 * time), KILLS: '50', KILL_SEED: String(time) }),
                  tests: ['cli/interruption.test.ts', 'reference-server/proof/stores/kills.test.ts'] },
  /** A PostgreSQL that is stopped, frozen and broken off a hundred times under eight writers. */
  outages:      { times: 10, settings: time => ({ OUTAGES: '10', OUTAGE_SEED: String(time) }), tests: ['reference-server/proof/stores/outages.test.ts'] },
  /** Two instances of the reference server over one PostgreSQL, behind one address: the whole suite. */
  instances:    { times: 3,  settings: () => ({ INSTANCES_PROFILE: 'standard' }), tests: ['suites/proof/instances'] },
  /** Every dialect, with seeds beside that of `npm test`, and twice in a row on the same server. */
  dialects:     { times: 2,  settings: time => ({ DIALECT_SEED: String(1 + time), DIALECT_RUNS: '2' }), tests: ['suites/proof/dialects'] },
  /** Every fault with the whole run of its profile, where `npm test` sends the case that finds it beside a quick run. */
  'kill-matrix': { times: 1, settings: () => ({ KILL_MATRIX_WHOLE: '1' }), tests: ['suites/proof/kill-matrix'] },
  /** Every dialect and every fault beside the reference server, where `npm test` takes every tenth. */
  differences:  { times: 1, settings: () => ({ DIFFERENCE_STEP: '1' }), tests: ['suites/proof/diff'] },
  /** A hundred thousand hostile requests to one reference server. */
  'under-fire': { times: 1,  settings: () => ({ UNDER_FIRE_REQUESTS: '100000' }), tests: ['reference-server/proof/under-fire/under-fire.test.ts'] },
};

/** As much of the JSON report of vitest as tells what failed. */
interface Results {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs tests once: how many passed, and what did not, a line each. */
async function once(tests: readonly string[], settings: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'conform-prove-'));
  const results = join(folder, 'results.json');
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--reporter=json', `--outputFile=${results}`];
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...settings },
  });
  let complaints = '';
  child.stderr.on('data', chunk => {
    complaints += String(chunk);
  });
  try {
    const code = await new Promise<number | null>(done => child.on('close', done));
    const { numPassedTests, testResults } = JSON.parse(readFileSync(results, 'utf8')) as Results;
    const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
      const named = assertionResults.filter(test => test.status === 'failed').map(test => test.fullName);
      return named.length > 0 || status !== 'failed' ? named : [`${name}: ${message}`];
    });
    // An error that no test caught fails none.
    if (failed.length === 0 && code !== 0) failed.push(`exit code ${code}: ${complaints}`);
    return { passed: numPassedTests, failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function prove(name: string, { tests, times, settings }: Proof): Promise<number> {
  const sum = { passed: 0, failed: 0, seconds: 0 };
  for (let time = 1; time <= times; time += 1) {
    const given = settings(time);
    const seconds =
      (await timed(async () => {
        const { passed, failed } = await once(tests, given);
        sum.passed += passed;
        sum.failed += failed.length;
        for (const line of failed) print(`  failed with ${JSON.stringify(given)}: ${line}`);
      })) / 1000;
    sum.seconds += seconds;
    print(`${name} ${time} of ${times} (${seconds.toFixed(0)} s): ${sum.passed} passed, ${sum.failed} failed so far`);
  }
  return sum.failed;
}

const named = process.argv.slice(2);
const measured: Readonly<Record<string, (print: (line: string) => void) => Promise<number>>> = {
  /** What grows with the number of requests. */
  growth: async tell => {
    await growth(tell);
    return 0;
  },
  /** How often lost writes are found whose window is as long as a database takes, and shown again by a replay. */
  'race-windows': raceWindows,
  /** How many causes a report tells of one fault, and of ten at once, and what the scripts find that reproduce them. */
  causes,
  /** The memory of the proxy over a hundred thousand exchanges, and over a gigabyte each way. */
  'proxy-growth': proxyGrowth,
};
const all = [...Object.keys(proofs), ...Object.keys(measured)];
const unknown = named.filter(name => !all.includes(name));
if (unknown.length > 0) throw new Error(`there is no proof ${unknown.join(', ')}; there are ${all.join(', ')}`);
const chosen = named.length > 0 ? named : all;
let failed = 0;
for (const name of chosen) {
  const proof = proofs[name];
  failed += proof === undefined ? ((await measured[name]?.(print)) ?? 0) : await prove(name, proof);
}
process.exitCode = failed === 0 ? 0 : 1;
