import { parseArgs } from 'node:util';
import { testsThatReach } from './reach.ts';
import { allMutants, type Described, folderOf, productionFiles, sampled } from './sample.ts';
import { WorkerProcess } from './worker-process.ts';

/**
 * Measures how much the unit tests notice. Some hundred times, it changes a source in one place, runs the tests that
 * load it, the nearest first, and undoes the change. `npm run mutate -- [--seed N] [--count N] [--only GLOB]…`; `--skip
 * N` leaves out the first N mutants. Exit code 1 if fewer than 85 % of them are killed.
 */

/** Number of nearest tests to run: if only a distant test notices a change, the code has no test of its own. */
const nearest = 25;
const aim = 0.85;
/** Longest silence of a test file: `least` milliseconds, or `times` the slowest one's time without a mutant. */
const patience = { least: 60_000, times: 10 };
/** Milliseconds of test time that outweigh one place in the list of the nearest tests. */
const nearness = 300;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    only: { type: 'string', multiple: true },
    skip: { type: 'string', default: '0' },
    workers: { type: 'string', default: '2' },
  },
});

interface Outcome {
  readonly mutant: Described;
  /** The test file that noticed, or `hangs` if one did not end. */
  readonly killedBy: string | undefined;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Makes each worker take the next item of a list until none is left. */
async function shared<T>(
  workers: readonly WorkerProcess[],
  list: readonly T[],
  work: (worker: WorkerProcess, one: T) => Promise<void>,
) {
  const left = list.values();
  await Promise.all(
    workers.map(async worker => {
      for (const one of left) await work(worker, one);
    }),
  );
}

const mutants = sampled(allMutants(productionFiles(values.only)), Number(values.count), Number(values.seed)).slice(
  Number(values.skip),
);
const workers = Array.from({ length: Number(values.workers) }, () => new WorkerProcess());
const began = performance.now();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const worker of workers) worker.stop();
    process.exit(1);
  });
try {
  process.exitCode = (await score()) < aim ? 1 : 0;
} finally {
  for (const worker of workers) worker.stop();
}

/** Returns how long each test takes without a mutant. Throws if one fails, because it could not notice anything. */
async function unchanged(tests: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const took = new Map<string, number>();
  const half = Math.ceil(tests.length / workers.length);
  await shared(workers, [...workers.keys()], async (worker, index) => {
    const mine = tests.slice(index * half, (index + 1) * half);
    const failed = await worker.ask({ tests: mine }, patience.least * 5, (test, time) => took.set(test, time));
    if (failed !== undefined) throw new Error(`${failed} fails without a mutant`);
  });
  return took;
}

async function score(): Promise<number> {
  const [tests = []] = await Promise.all(workers.map(worker => worker.start()));
  const known = new Set(tests);
  const reaching = new Map(mutants.map(({ file }) => [file, testsThatReach(file, known).slice(0, nearest)] as const));
  const took = await unchanged([...new Set([...reaching.values()].flat())]);
  const limit = Math.max(patience.least, patience.times * Math.max(...took.values()));
  print(`${mutants.length} mutants, ${took.size} test files, ready after ${seconds()} s`);
  const outcomes: Outcome[] = [];
  await shared(workers, mutants, async (worker, mutant) => {
    const near = reaching.get(mutant.file) ?? [];
    const cost = (test: string): number => near.indexOf(test) * nearness + (took.get(test) ?? 0);
    const inOrder = [...near.slice(0, 1), ...near.slice(1).sort((one, other) => cost(one) - cost(other))];
    const killedBy = await worker.ask({ tests: inOrder, mutant }, limit);
    outcomes.push({ mutant, killedBy });
    const word = killedBy === undefined ? 'SURVIVES' : killedBy === 'hangs' ? 'hangs   ' : 'killed  ';
    print(`${String(outcomes.length).padStart(4)} ${word} ${mutant.place}  ${mutant.change}`);
  });
  return told(outcomes);
}

function seconds(): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}

/** Prints the score of each folder, and the survivors. Returns the total score. */
function told(outcomes: readonly Outcome[]): number {
  const isKilled = ({ killedBy }: Outcome): boolean => killedBy !== undefined;
  const scored = (name: string, some: readonly Outcome[]): number => {
    const killed = some.filter(isKilled).length;
    const percent = ((100 * killed) / some.length).toFixed(1);
    print(
      `${name.padEnd(24)} ${String(killed).padStart(4)} of ${String(some.length).padStart(4)} killed  ${percent} %`,
    );
    return killed / some.length;
  };
  const survivors = outcomes.filter(one => !isKilled(one)).map(({ mutant }) => `${mutant.place}  ${mutant.change}`);
  print(`\nSurvivors:\n${survivors.sort().join('\n')}\n`);
  for (const folder of new Set(mutants.map(({ file }) => folderOf(file))))
    scored(
      folder,
      outcomes.filter(({ mutant }) => folderOf(mutant.file) === folder),
    );
  const hanging = outcomes.filter(({ killedBy }) => killedBy === 'hangs').length;
  const all = scored(`all, seed ${values.seed}`, outcomes);
  print(`${hanging} did not end; ${seconds()} s`);
  return all;
}
