import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { curveOf } from '../suites/proof/kill-matrix/curve.fixture.ts';
import { curveSteps, curveText } from '../suites/proof/kill-matrix/curve-page.fixture.ts';
import { faultGroups } from '../suites/proof/kill-matrix/groups.fixture.ts';
import { learnAndWrite } from '../suites/proof/kill-matrix/learned.fixture.ts';
import type { SoundRun, ToldFault } from '../suites/proof/kill-matrix/told.fixture.ts';
import { inProcesses } from '../suites/proof/prove/processes.ts';
import { openProgress, progressFile } from '../suites/proof/prove/rows.ts';
import { withSection } from './section.ts';

/** What a child process of its own answers: it reads the order of cases as it is written now. */
async function answerOf<T>(task: string, id: string): Promise<T> {
  const answers: T[] = [];
  await inProcesses(task, [id], 1, (_id, answer) => answers.push(answer as T));
  return answers[0] as T;
}

/** Which cases show which fault, group by group; an interrupted learning goes on where it was. */
async function toldFaults(print: (line: string) => void): Promise<readonly ToldFault[]> {
  const groups = faultGroups().map(group => ({ id: group[0]?.id ?? '', hash: group.map(({ id }) => id).join() }));
  const progress = openProgress(progressFile('told'), groups);
  const told = new Map(
    Object.entries(progress.rows).map(([id, row]) => [id, (row as unknown as { all: readonly ToldFault[] }).all]),
  );
  const left = groups.filter(({ id }) => !told.has(id));
  print(`learning: ${left.length} of ${groups.length} groups of faults`);
  await inProcesses(
    'told',
    left.map(({ id }) => id),
    availableParallelism(),
    (id, result) => {
      const all = result as readonly ToldFault[];
      told.set(id, all);
      progress.add(id, { hash: groups.find(group => group.id === id)?.hash ?? '', ...{ all } });
    },
  );
  progress.end();
  return groups.flatMap(({ id }) => told.get(id) ?? []);
}

/** Learns which cases show which fault, writes the order of cases that runs follow, and draws its curve. */
export async function learn(print: (line: string) => void): Promise<void> {
  const told = await toldFaults(print);
  const sound = await answerOf<SoundRun>('sound', 'standard');
  const order = await learnAndWrite(told, sound, profile => answerOf<number>('requests', profile));
  const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
  const curve = curveText(curveOf(told, sound, curveSteps, order), told.length);
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), 'curve', curve));
}
