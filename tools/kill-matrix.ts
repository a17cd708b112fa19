/**
 * Measures the kill matrix, and writes its data and its pages: `npm run kill-matrix`. With `--learn` it first learns
 * which cases show which fault, and writes the order of cases that runs follow; lines of an earlier, interrupted
 * learning are taken from the file that is named (`--learn FILE`) and added to it. With `--missed` it measures again those
 * faults alone that the quick profile did not find. All take a while, on all processors: each child process is given its share as `PART/PARTS` and tells a line at a time.
 */
import { fork } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../contracts/report/journal.ts';
import { type Fault, faults } from '../reference-server/index.ts';
import { curveOf } from '../suites/proof/kill-matrix/curve.fixture.ts';
import { curveSteps, curveText } from '../suites/proof/kill-matrix/curve-page.fixture.ts';
import { faultGroups } from '../suites/proof/kill-matrix/groups.fixture.ts';
import { type Kill, kills, killsFile, measureKill } from '../suites/proof/kill-matrix/kills.fixture.ts';
import { learnAndWrite } from '../suites/proof/kill-matrix/learned.fixture.ts';
import {
  requestsOf,
  type SoundRun,
  soundRun,
  type ToldFault,
  toldAlone,
} from '../suites/proof/kill-matrix/told.fixture.ts';
import { withSection } from './section.ts';

/** What a child process does, by the first of its words; it tells each line to its parent. */
const work: Readonly<Record<string, (words: readonly string[], tell: (line: unknown) => void) => Promise<void>>> = {
  /** `PART/PARTS [missed]`: how the suite finds each fault of a share; of those that the quick profile missed. */
  async kills([share = '0/1', which], tell) {
    const isDue = ({ id }: Fault): boolean => which !== 'missed' || kills()[id]?.profile !== 'quick';
    for (const fault of inShare(faults.filter(isDue), share)) tell([fault.id, await measureKill(fault)]);
  },
  /** `PART/PARTS SEED FILE`: which cases show each fault of a share that the file does not know. */
  async told([share = '0/1', seed = '1', file = ''], tell) {
    const known = new Set(linesOf(file).map(({ id }) => id));
    const groups = faultGroups().map(group => group.filter(({ id }) => !known.has(id)));
    for (const group of inShare(
      groups.filter(({ length }) => length > 0),
      share,
    ))
      for (const one of await toldAlone(group, Number(seed))) tell(one);
  },
  /** What the standard profile holds for a sound server. */
  async sound(_words, tell) {
    tell(await soundRun());
  },
  /** `PROFILE`: how many requests a run sends to a sound server. */
  async requests([profile = 'standard'], tell) {
    tell(await requestsOf(profile as Profile));
  },
};

function inShare<T>(all: readonly T[], share: string): readonly T[] {
  const [part = 0, parts = 1] = share.split('/').map(Number);
  return all.filter((_one, index) => index % parts === part);
}

const linesOf = (file: string): readonly ToldFault[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as ToldFault)
    : [];

/** Starts a child process, and calls back with each line that it tells. */
const started = (words: readonly string[], onLine: (line: unknown) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [...words]);
    child.on('message', onLine);
    child.on('exit', code =>
      code === 0 ? resolve() : reject(new Error(`${words.join(' ')} of the kill matrix ended with code ${code}`)),
    );
  });

/** Does work in as many child processes as there are processors. */
async function shared(name: string, more: readonly string[], onLine: (line: unknown) => void): Promise<void> {
  const parts = availableParallelism();
  let lines = 0;
  const count = (line: unknown): void => {
    lines += 1;
    if (lines % 50 === 0) process.stderr.write(`${name}: ${lines}\n`);
    onLine(line);
  };
  await Promise.all(Array.from({ length: parts }, (_, part) => started([name, `${part}/${parts}`, ...more], count)));
}

/** The one line that a child process tells. */
async function answerOf<T>(...words: readonly string[]): Promise<T> {
  const lines: T[] = [];
  await started(words, line => lines.push(line as T));
  return lines[0] as T;
}

/** Learns the order of cases, and draws its curve. */
async function learn(file = join(tmpdir(), `conform-told-${process.pid}.ndjson`)): Promise<void> {
  await shared('told', ['1', file], line => appendFileSync(file, `${JSON.stringify(line)}\n`));
  const told = linesOf(file);
  const sound = await answerOf<SoundRun>('sound');
  const order = await learnAndWrite(told, sound, profile => answerOf<number>('requests', profile));
  const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
  const curve = curveText(curveOf(told, sound, curveSteps, order), told.length);
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), 'curve', curve));
}

async function measure(which: 'all' | 'missed'): Promise<void> {
  const measured = new Map<string, Kill | null>(which === 'all' ? [] : Object.entries(kills()));
  await shared('kills', [which], line => {
    const [id, kill] = line as [string, Kill | null];
    measured.set(id, kill);
  });
  const known = Object.fromEntries(faults.map(({ id }) => [id, measured.get(id) ?? null]));
  writeFileSync(killsFile, `${JSON.stringify(known, null, 1)}\n`);
  await started(['pages'], () => {});
  const missed = faults.filter(({ id }) => known[id] === null);
  const quick = faults.filter(({ id }) => known[id]?.profile === 'quick');
  process.stdout.write(
    `${faults.length} faults, ${quick.length} found by the quick profile, ${missed.length} missed\n`,
  );
  for (const { id } of missed) process.stdout.write(`  ${id}\n`);
}

const [first, ...words] = process.argv.slice(2);
const mine = first === undefined ? undefined : work[first];
if (mine !== undefined) await mine(words, line => process.send?.(line));
else if (first === 'pages') await import('./generate.ts');
else {
  if (first === '--learn') await learn(words[0]);
  await measure(first === '--missed' ? 'missed' : 'all');
}
