import { readFileSync, writeFileSync } from 'node:fs';
import { judgedByProfiles, type Outcome } from '../mutants/judged.ts';
import { isFound, type Reason } from '../mutants/rows.ts';
import { inProcesses } from '../prove/processes.ts';
import { startServer } from './server.fixture.ts';
import { fileOf, type Stack, stackOf, stacks } from './stacks.ts';

/** A defect of a server, chosen from the specification before any run. */
export interface Regression {
  readonly id: string;
  /** The sections that it breaks. */
  readonly section: string;
  readonly breaks: string;
  /** The requests, below `/console/v1`, whose answers show it. */
  readonly shownBy: string;
}

const read = <T>({ name }: Stack, file: string): T => JSON.parse(readFileSync(fileOf(name, file), 'utf8')) as T;

/** Returns all regressions of a stack. */
export const regressionsOf = (stack: Stack): readonly Regression[] => read(stack, 'regressions.json');

/** Returns how whole runs last judged each regression. */
export const outcomesOf = (stack: Stack): Readonly<Record<string, Outcome>> => read(stack, 'noted.json');

/** Returns the manually written reasons for those not found. */
export const unfoundOf = (stack: Stack): Readonly<Record<string, Reason>> => read(stack, 'reasons.json');

/** Returns the name of a regression with its stack: `go/r05`. */
const placeOf = ({ name }: Stack, { id }: Regression): string => `${name}/${id}`;

/** The place of the sound server, in place of a regression. */
const sound = 'sound';

/** Judges the regression of a place by a quick run, and if that does not fail by a standard one. */
export function measureRegression(place: string): Promise<Outcome> {
  const [name = '', id] = place.split('/');
  const stack = stackOf(name);
  return judgedByProfiles(() => startServer(stack, id === sound ? undefined : id));
}

/** Returns what is wrong with the judgement of a stack's sound server; empty if nothing is. */
function wrongOfSound({ name, warned }: Stack, { judgement, causes = [] }: Outcome): string {
  if (judgement === 'silent' || (judgement === 'warned' && warned !== undefined)) return '';
  return `regressions: the sound server in ${name} is ${judgement}: ${causes.map(({ title }) => title).join('; ')}`;
}

/** Few, because each worker also runs a server process. */
const workers = 2;

/**
 * Measures and notes the given stacks and regressions, or all, each stack with its sound server. Returns the number of
 * accused sound servers and unknown arguments. Regressions that are not found do not count: tests demand a reason for
 * them.
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
