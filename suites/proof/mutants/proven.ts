import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inProcesses } from '../prove/processes.ts';
import { type ServerName, servers } from './changes.ts';
import { besideSound, judged, type Outcome, type Sound, soundOf } from './judged.ts';
import { type Mutant, sampleOf } from './mutant.ts';
import { isFound, note, type Row, type Sample } from './rows.ts';

/** The task of a worker: run a server without a mutant, or judge a mutant. */
type Task = { readonly sound: ServerName } | { readonly mutant: Mutant };

/** Carries out the task of a worker. */
export async function measureMutant(text: string): Promise<unknown> {
  const task = JSON.parse(text) as Task;
  return 'sound' in task ? soundOf(task.sound) : judged(task.mutant);
}

const folder = fileURLToPath(new URL('../../../node_modules/.cache/prove/', import.meta.url));
const soundFile = `${folder}mutants-sound.json`;

/** Few, because each worker also runs a server process. */
const workers = 2;

type EachServer = Readonly<Record<ServerName, Sound>>;

/** Returns the results of both sound servers, measured only once. */
async function soundServers(): Promise<EachServer> {
  if (existsSync(soundFile)) return JSON.parse(readFileSync(soundFile, 'utf8')) as EachServer;
  const found: Partial<Record<ServerName, Sound>> = {};
  const tasks = servers.map(sound => JSON.stringify({ sound }));
  await inProcesses('mutants', tasks, workers, (text, sound) => {
    found[(JSON.parse(text) as { sound: ServerName }).sound] = sound as Sound;
  });
  writeFileSync(soundFile, JSON.stringify(found));
  return found as EachServer;
}

/** Reads the earlier outcomes, one per line. Drops the last line, which may be cut off if the process was killed. */
function outcomesIn(file: string): Map<string, Outcome> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return new Map(
    lines.map(line => {
      const { id, outcome } = JSON.parse(line) as { readonly id: string; readonly outcome: Outcome };
      return [id, outcome];
    }),
  );
}

/** Judges the mutants of a sample that are not yet judged, and notes all. Returns how many were not found. */
export async function proveMutants(sample: Sample, tell: (line: string) => void): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const file = `${folder}mutants-${sample.seed}.ndjson`;
  const sound = await soundServers();
  const mutants = sampleOf(sample.seed, sample.count, server => sound[server].differing);
  const outcomes = outcomesIn(file);
  const left = mutants.filter(({ id }) => !outcomes.has(id));
  tell(`mutants: ${mutants.length} with seed ${sample.seed}, ${mutants.length - left.length} of them judged before`);
  const tasks = left.map(mutant => JSON.stringify({ mutant }));
  await inProcesses('mutants', tasks, workers, (text, outcome) => {
    const { id } = (JSON.parse(text) as { readonly mutant: Mutant }).mutant;
    outcomes.set(id, outcome as Outcome);
    appendFileSync(file, `${JSON.stringify({ id, outcome })}\n`);
    tell(`  ${(outcome as Outcome).judgement.padEnd(14)} ${id}`);
  });
  const rows = mutants.flatMap(({ id, server, kind, title, mutant }): [string, Row][] => {
    const outcome = outcomes.get(id);
    if (outcome === undefined) return [];
    const operator = 'operator' in mutant ? { operator: mutant.operator } : {};
    return [[id, { server, kind, ...operator, title, ...besideSound(outcome, sound[server]) }]];
  });
  note({ sample, rows: Object.fromEntries(rows) });
  const found = rows.filter(([, row]) => isFound(row)).length;
  tell(`mutants: ${found} of ${rows.length} found; the others want a reason in suites/proof/mutants/reasons.json`);
  return 0;
}
