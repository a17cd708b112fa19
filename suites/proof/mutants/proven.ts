import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inProcesses } from '../prove/processes.ts';
import { type ServerName, servers } from './changes.ts';
import { differingOf, type Judgement, judged, type Outcome } from './judged.ts';
import { type Mutant, sampleOf } from './mutant.ts';

/** A sample by its seed and size, as a word: `1/200`. */
export interface Sample {
  readonly seed: number;
  readonly count: number;
}

/** What a worker is handed: the server whose answers are watched, or a mutant. */
type Task = { readonly watch: ServerName } | { readonly mutant: Mutant };

const folder = fileURLToPath(new URL('../../../node_modules/.cache/prove/', import.meta.url));
const resultsOf = ({ seed }: Sample): string => `${folder}mutants-${seed}.ndjson`;
const differingFile = `${folder}mutants-differing.json`;

/** A mutant and what came of it. */
export interface Judged {
  readonly id: string;
  readonly title: string;
  readonly outcome: Outcome;
}

/** What was judged before, a line as soon as it is known; the last line of a process that was killed may be half a line. */
function judgedBefore(file: string): ReadonlyMap<string, Judged> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return new Map(lines.map(line => JSON.parse(line) as Judged).map(one => [one.id, one]));
}

/** Does what a worker is handed. */
export async function measureMutant(text: string): Promise<unknown> {
  const task = JSON.parse(text) as Task;
  return 'watch' in task ? differingOf(task.watch) : judged(task.mutant);
}

/** Two, whatever the machine has: each has a server beside it. */
const workers = 2;

async function differing(): Promise<Readonly<Record<ServerName, readonly number[]>>> {
  if (existsSync(differingFile)) return JSON.parse(readFileSync(differingFile, 'utf8'));
  const found: Partial<Record<ServerName, readonly number[]>> = {};
  await inProcesses(
    'mutants',
    servers.map(watch => JSON.stringify({ watch })),
    workers,
    (text, numbers) => {
      const { watch } = JSON.parse(text) as { watch: ServerName };
      found[watch] = numbers as readonly number[];
    },
  );
  mkdirSync(dirname(differingFile), { recursive: true });
  writeFileSync(differingFile, JSON.stringify(found));
  return found as Record<ServerName, readonly number[]>;
}

const counted: readonly (Judgement | string)[] = ['found', 'hangs', 'warned', 'incomplete', 'silent', 'never differs', 'does not start'];

/** Judges what of a sample has not been judged yet, and tells how it went. Returns what was judged, in the sample's order. */
export async function proveMutants(sample: Sample, tell: (line: string) => void): Promise<readonly Judged[]> {
  const file = resultsOf(sample);
  const mutants = sampleOf(sample.seed, sample.count, await differing());
  const known = new Map(judgedBefore(file));
  const left = mutants.filter(({ id }) => !known.has(id));
  tell(`mutants: ${mutants.length} with seed ${sample.seed}, ${mutants.length - left.length} of them judged before`);
  mkdirSync(folder, { recursive: true });
  await inProcesses(
    'mutants',
    left.map(mutant => JSON.stringify({ mutant })),
    workers,
    (text, outcome) => {
      const { id, title } = (JSON.parse(text) as { mutant: Mutant }).mutant;
      const row: Judged = { id, title, outcome: outcome as Outcome };
      known.set(id, row);
      appendFileSync(file, `${JSON.stringify(row)}\n`);
      tell(`${String(known.size).padStart(4)} ${row.outcome.judgement.padEnd(14)} ${id}`);
    },
  );
  const rows = mutants.flatMap(({ id }) => known.get(id) ?? []);
  for (const judgement of counted)
    tell(`${judgement}: ${rows.filter(({ outcome }) => outcome.judgement === judgement).length}`);
  return rows;
}
