import { readFileSync, writeFileSync } from 'node:fs';
import { judgedByProfiles, type Outcome } from '../mutants/judged.ts';
import { isFound, type Reason } from '../mutants/rows.ts';
import { inProcesses } from '../prove/processes.ts';
import { startPython } from './server.fixture.ts';

/** A way in which the server in Python can be broken: each was chosen from the specification, before any run. */
export interface Regression {
  readonly id: string;
  /** The sections that state otherwise. */
  readonly section: string;
  readonly breaks: string;
  /** The requests, below `/console/v1`, whose answers show it. */
  readonly shownBy: string;
}

const here = (name: string): URL => new URL(name, import.meta.url);
const read = <T>(name: string): T => JSON.parse(readFileSync(here(name), 'utf8')) as T;

/** All of them. */
export const regressions = (): readonly Regression[] => read('regressions.json');

/** How whole runs judged each when it was last measured. */
export const outcomes = (): Readonly<Record<string, Outcome>> => read('noted.json');

/** Why those that were not found were not, by hand. */
export const unfound = (): Readonly<Record<string, Reason>> => read('reasons.json');

/** How whole runs judge a regression: a quick one, and where that does not fail a standard one. */
export const measureRegression = (id: string): Promise<Outcome> => judgedByProfiles(() => startPython(id));

/** A worker has a server in a process beside it. */
const workers = 2;

/** Measures every regression anew and notes it. Returns 0: what is not found wants a reason, and the tests say so. */
export async function proveRegressions(tell: (line: string) => void): Promise<number> {
  const found = new Map<string, Outcome>();
  const ids = regressions().map(({ id }) => id);
  await inProcesses('regressions', ids, workers, (id, outcome) => {
    found.set(id, outcome as Outcome);
    tell(`  ${(outcome as Outcome).judgement.padEnd(10)} ${id}`);
  });
  const lines = ids.map(id => `  ${JSON.stringify(id)}: ${JSON.stringify(found.get(id))}`);
  writeFileSync(here('noted.json'), `{\n${lines.join(',\n')}\n}\n`);
  tell(`regressions: ${[...found.values()].filter(isFound).length} of ${ids.length} found`);
  return 0;
}
