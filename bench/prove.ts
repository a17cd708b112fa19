/**
 * Proves what `npm test` proves only in part, or once: `npm run prove` all of it, `npm run prove -- NAME` some of it,
 * `npm run prove -- --changed` the catalogue rows that changed since their last proof.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ledgerFile, ledgerRows } from '../suites/proof/ledger/measured.fixture.ts';
import { countedFile, presentRows } from '../suites/proof/model/observed.fixture.ts';
import { proveMutants } from '../suites/proof/mutants/proven.ts';
import { catalogues } from '../suites/proof/prove/catalogues.ts';
import { round } from '../suites/proof/prove/round.ts';
import { proveRegressions } from '../suites/proof/regressions/regressions.ts';
import { provenBuilds } from './builds.ts';
import { causes, causesOfSets } from './causes.ts';
import { growth } from './growth.ts';
import { timed } from './measure.ts';
import { withoutNumbers, withoutParts, wordProblem } from './prove-words.ts';
import { proxyGrowth } from './proxy-growth.ts';
import { raceWindows } from './race-windows.ts';

/** Tests that `npm test` runs once, repeated here with varied settings; times count from 1. */
interface Repeated {
  /** Their subject, as a sentence. */
  readonly title: string;
  readonly tests: readonly string[];
  readonly times: number;
  readonly settings: (time: number) => Readonly<Record<string, string>>;
}

// biome-ignore format: a table
const repeated: Readonly<Record<string, Repeated>> = {
  races:        { title: 'What depends on the order in which requests, answers and closed connections meet',
                  times: 20, settings: time => ({ UNDER_FIRE_SEED: String(time) }),
                  tests: ['reference-server/proof/under-fire', 'suites/client', 'suites/engine/run.test.ts', 'suites/proof/hostile/part-way.test.ts', 'cli/commands/limits.test.ts'] },
  kills:        { title: 'Runs interrupted or killed at one moment after another; a store killed in a storm of writes',
                  times: 20, settings: time => ({ INTERRUPT_AT: String(150 + 30 * time), KILLS: '50', KILL_SEED: String(time) }),
                  tests: ['cli/interruption.test.ts', 'reference-server/proof/stores/kills.test.ts'] },
  'run-kills':  { title: 'Two hundred runs into one folder that are killed at places drawn by seed; everything is put back',
                  times: 1,  settings: () => ({ RUN_KILLS: '200' }), tests: ['cli/kills.test.ts'] },
  verify:       { title: 'A hundred results that nobody touched: profiles, shards, kills, recordings, and a server of its own each',
                  times: 1,  settings: () => ({ VERIFIED: '100' }), tests: ['cli/verification/untouched.test.ts'] },
  outages:      { title: 'A PostgreSQL that is stopped, frozen and broken off under eight writers',
                  times: 10, settings: time => ({ OUTAGES: '10', OUTAGE_SEED: String(time) }), tests: ['reference-server/proof/stores/outages.test.ts'] },
  scripts:      { title: 'Two hundred scripts over each kind of store, eight clients at once, no step spent twice',
                  times: 1,  settings: () => ({ SCRIPTS: '200' }), tests: ['reference-server/behaviours/scripts.test.ts', 'reference-server/proof/stores/scripts.test.ts'] },
  instances:    { title: 'Two instances of the reference server over one PostgreSQL, behind one address',
                  times: 3,  settings: () => ({ INSTANCES_PROFILE: 'standard' }), tests: ['suites/proof/instances'] },
  clients:      { title: 'What curl, undici, Python, Go and Java see of scripted answers, as far as their tools are here',
                  times: 1,  settings: () => ({ CLIENTS: '1' }), tests: ['reference-server/proof/clients/clients.test.ts'] },
  generators:   { title: 'Clients that four generators make of the OpenAPI document, as far as their tools are here',
                  times: 1,  settings: () => ({ CLIENTS: '1' }), tests: ['tools/typescript-client.test.ts', 'reference-server/proof/clients/generators.test.ts'] },
  runners:      { title: 'The examples for pytest, go test, JUnit, jest and vitest with the built program, as far as their tools are here',
                  times: 1,  settings: () => ({ CLIENTS: '1' }), tests: ['reference-server/proof/clients/runners.test.ts'] },
  'under-fire': { title: 'A hundred thousand hostile requests to one reference server',
                  times: 1,  settings: () => ({ UNDER_FIRE_REQUESTS: '100000' }), tests: ['reference-server/proof/under-fire/under-fire.test.ts'] },
};

/** The part of vitest's JSON report that shows what failed. */
interface Results {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs tests once. Returns the number that passed, and a line for each that failed or was skipped. */
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
    const skipped = testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(test => test.status === 'skipped').map(test => test.fullName),
    );
    // vitest attributes an uncaught error to no test.
    if (failed.length === 0 && code !== 0) failed.push(`exit code ${code}: ${complaints}`);
    return { passed: numPassedTests, failed, skipped };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function repeat(name: string, { tests, times, settings }: Repeated): Promise<number> {
  const sum = { passed: 0, failed: 0, seconds: 0 };
  for (let time = 1; time <= times; time += 1) {
    const given = settings(time);
    const seconds =
      (await timed(async () => {
        const { passed, failed, skipped } = await once(tests, given);
        sum.passed += passed;
        sum.failed += failed.length;
        for (const line of skipped) print(`  skipped: ${line}`);
        for (const line of failed) print(`  failed with ${JSON.stringify(given)}: ${line}`);
      })) / 1000;
    sum.seconds += seconds;
    print(`${name} ${time} of ${times} (${seconds.toFixed(0)} s): ${sum.passed} passed, ${sum.failed} failed so far`);
  }
  return sum.failed;
}

/** Writes the pages that show the results, in another process, which reads them afresh. */
function writePages(): void {
  const generate = fileURLToPath(new URL('../tools/generate.ts', import.meta.url));
  spawnSync(process.execPath, [...process.execArgv, generate], { stdio: 'inherit' });
}

/** The flags and their help texts. */
const flags = {
  '--changed': 'only the rows of catalogues that changed since they were proven',
  '--help': 'this',
} as const;

/** The flags with a number and their help texts. */
const numbers = {
  '--seed': 'of mutants: which sample',
  '--count': 'of mutants: how many',
} as const;

const { words: wordsAndParts, given: numbersGiven } = withoutNumbers(process.argv.slice(2), Object.keys(numbers));
const { words, parts } = withoutParts(wordsAndParts, 'regressions');
const given = new Set(words.filter(word => word.startsWith('-')));
const named = words.filter(word => !word.startsWith('-'));

/** A proof with its name and subject. `prove` returns the number of problems. */
interface Proof {
  readonly name: string;
  readonly title: string;
  readonly prove: () => Promise<number>;
}

/** Returns a proof whose recorded results are shown on pages. */
const noted = (name: string, title: string, measure: () => Promise<number>): Proof => ({
  name,
  title,
  async prove() {
    const wrong = await measure();
    writePages();
    return wrong;
  },
});

const ofCatalogues: readonly Proof[] = catalogues.map(catalogue =>
  noted(catalogue.name, catalogue.title, () => round(catalogue, given.has('--changed') ? 'changed' : 'all', print)),
);

const others: readonly Proof[] = [
  noted('model', 'What one model of the service suspects of each dialect and each fault, which it only watches', () =>
    round({ name: 'model', file: countedFile, present: presentRows }, 'all', print),
  ),
  noted('ledger', 'What the quick and the standard profile fill of the ledger of two sound servers', () =>
    round({ name: 'ledger', file: ledgerFile, present: ledgerRows }, 'all', print),
  ),
  ...Object.entries(repeated).map(([name, proof]) => ({
    name,
    title: `${proof.title}${proof.times === 1 ? '' : `, ${proof.times} times`}`,
    prove: () => repeat(name, proof),
  })),
  noted('mutants', 'What whole runs find of neutral changes to two servers, at places drawn by seed', () => {
    const { '--seed': seed = 1, '--count': count = 200 } = numbersGiven;
    return proveMutants({ seed, count }, print);
  }),
  noted(
    'regressions',
    'What whole runs find of regressions of servers in Python, Go and Java, as far as these are here; regressions:go, regressions:go/r05 a part',
    () => proveRegressions(parts, print),
  ),
  {
    name: 'growth',
    title: 'What grows with the number of requests; needs the built program',
    prove: async () => {
      await growth(print);
      return 0;
    },
  },
  {
    name: 'race-windows',
    title: 'How often lost writes are found whose window is as long as a database takes, and shown again by a replay',
    prove: () => raceWindows(print),
  },
  {
    name: 'builds',
    title:
      'The bundle in the builds of others (go test, pytest, JUnit 5, cargo test), against a sound and a broken server',
    prove: () => provenBuilds(print),
  },
  {
    name: 'causes',
    title: 'How many causes a report tells of one fault, and of ten at once, and what their scripts find',
    prove: () => causes(print),
  },
  {
    name: 'cause-sets',
    title: 'How many causes a report tells of thirty sets of five faults at once, and by which requirements',
    prove: () => causesOfSets(print),
  },
  {
    name: 'proxy-growth',
    title: 'The memory of the proxy over a hundred thousand exchanges, and over a gigabyte each way',
    prove: () => proxyGrowth(print),
  },
];

const proofs: readonly Proof[] = [...ofCatalogues, ...others];
const problem = wordProblem(
  words,
  proofs.map(({ name }) => name),
  Object.keys(flags),
);

/** Runs the chosen proofs. Returns the exit code. */
async function main(): Promise<number> {
  if (problem !== null) {
    process.stderr.write(`${problem}\n`);
    return 2;
  }
  if (given.has('--help')) {
    print('npm run prove -- [NAME…] [FLAG…]');
    for (const { name, title } of proofs) print(`  ${name.padEnd(14)}${title}`);
    for (const [flag, title] of Object.entries({ ...flags, ...numbers })) print(`  ${flag.padEnd(14)}${title}`);
    return 0;
  }
  const due = given.has('--changed') ? ofCatalogues : proofs;
  let failed = 0;
  for (const { name, prove } of due.filter(one => named.length === 0 || named.includes(one.name)))
    failed += await prove().catch((error: Error) => {
      print(`${name}: ${error.message}`);
      return 1;
    });
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
