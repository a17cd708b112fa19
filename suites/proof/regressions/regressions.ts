import { readFileSync, writeFileSync } from 'node:fs';
import { judgedByProfiles, type Outcome } from '../mutants/judged.ts';
import { isFound, type Reason } from '../mutants/rows.ts';
import { inProcesses } from '../prove/processes.ts';
import { startServer } from './server.fixture.ts';
import { fileOf, type Stack, stackOf, stacks } from './stacks.ts';

/** A way in which a server can be broken: each was chosen from the specification, before any run. */
export interface Regression {
  readonly id: string;
  /** The sections that state otherwise. */
  readonly section: string;
  readonly breaks: string;
  /** The requests, below `/console/v1`, whose answers show it. */
  readonly shownBy: string;
}

const read = <T>({ name }: Stack, file: string): T => JSON.parse(readFileSync(fileOf(name, file), 'utf8')) as T;

/** All of a stack. */
export const regressionsOf = (stack: Stack): readonly Regression[] => read(stack, 'regressions.json');

/** How whole runs judged each when it was last measured. */
export const outcomesOf = (stack: Stack): Readonly<Record<string, Outcome>> => read(stack, 'noted.json');

/** Why those that were not found were not, by hand. */
export const unfoundOf = (stack: Stack): Readonly<Record<string, Reason>> => read(stack, 'reasons.json');

/** A regression of a stack in one word: `go/r05`. */
const placeOf = ({ name }: Stack, { id }: Regression): string => `${name}/${id}`;

/** What stands for a regression where the server has none. */
const sound = 'sound';

/** How whole runs judge the regression of a place: a quick one, and where that does not fail a standard one. */
export function measureRegression(place: string): Promise<Outcome> {
  const [name = '', id] = place.split('/');
  const stack = stackOf(name);
  return judgedByProfiles(() => startServer(stack, id === sound ? undefined : id));
}

/** What is wrong with how the sound server of a stack was judged; the empty text where nothing is. */
function wrongOfSound({ name, warned }: Stack, { judgement, causes = [] }: Outcome): string {
  if (judgement === 'silent' || (judgement === 'warned' && warned !== undefined)) return '';
  return `regressions: the sound server in ${name} is ${judgement}: ${causes.map(({ title }) => title).join('; ')}`;
}

/** A worker has a server in a process beside it. */
const workers = 2;

/**
 * Measures regressions anew and notes them: those of the stacks and places that are given, or all, each stack beside its
 * sound server. Returns the number of sound servers that were accused and of what is given and is none: what is not found
 * wants a reason, and the tests say so.
 */
export async function proveRegressions(given: readonly string[], tell: (line: string) => void): Promise<number> {
  const isAsked = (stack: Stack, row: Regression): boolean =>
    given.length === 0 || given.includes(stack.name) || given.includes(placeOf(stack, row));
  const known = stacks.flatMap(stack => [stack.name, ...regressionsOf(stack).map(row => placeOf(stack, row))]);
  const lost = given.filter(place => !known.includes(place));
  for (const place of lost) tell(`regressions: there is no ${place}`);
  let wrong = lost.length;
  for (const stack of stacks) {
    const rows = regressionsOf(stack);
    const asked = rows.filter(row => isAsked(stack, row)).map(row => placeOf(stack, row));
    if (asked.length === 0) continue;
    if (!stack.isThere()) {
      tell(`regressions: ${stack.name} is left out, for it needs ${stack.needs}`);
      continue;
    }
    const found = new Map(Object.entries(outcomesOf(stack)));
    await inProcesses('regressions', [`${stack.name}/${sound}`, ...asked], workers, (place, measured) => {
      const outcome = measured as Outcome;
      tell(`  ${outcome.judgement.padEnd(10)} ${place}`);
      const id = place.slice(stack.name.length + 1);
      if (id !== sound) return void found.set(id, outcome);
      const problem = wrongOfSound(stack, outcome);
      if (problem === '') return;
      tell(problem);
      wrong += 1;
    });
    const lines = rows.map(({ id }) => `  ${JSON.stringify(id)}: ${JSON.stringify(found.get(id))}`);
    writeFileSync(fileOf(stack.name, 'noted.json'), `{\n${lines.join(',\n')}\n}\n`);
    tell(`regressions: ${[...found.values()].filter(isFound).length} of ${rows.length} found in ${stack.name}`);
  }
  return wrong;
}
