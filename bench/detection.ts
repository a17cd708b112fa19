import { type Fault, type FaultKind, faultKinds } from '../reference-server/index.ts';
import { detectionOf, runAgainst } from '../suites/proof/kill-matrix/detection.fixture.ts';
import { median, percentile } from './measure.ts';

/** Number of requests until a fault was found; null if it was not. */
type Outcome = number | null;

async function outcomesOf(faults: readonly Fault[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const fault of faults) outcomes.push(detectionOf(await runAgainst(fault), fault)?.requests ?? null);
  return outcomes;
}

function inLine(outcomes: readonly Outcome[]): string {
  const requests = outcomes.filter(outcome => outcome !== null);
  const found = `found ${requests.length} of ${outcomes.length}`.padEnd(20);
  if (requests.length === 0) return found.trimEnd();
  const [middle, most] = [median(requests), Math.max(...requests)];
  return `${found}median ${middle}, 90 % within ${percentile(requests, 90)}, at most ${most}`;
}

/** Prints how many faults of the catalogue are found, and after how many requests: of all, then of each kind. */
export async function detection(print: (line: string) => void): Promise<void> {
  const byKind: [FaultKind, Outcome[]][] = [];
  for (const kind of Object.keys(faultKinds) as FaultKind[]) byKind.push([kind, await outcomesOf(faultKinds[kind])]);
  print(`requests until detection        ${inLine(byKind.flatMap(([, outcomes]) => outcomes))}`);
  for (const [kind, outcomes] of byKind) print(`  ${kind.padEnd(30)}${inLine(outcomes)}`);
  print(
    '  every fault by itself, seed 1, the checks of its endpoints; requests of the lane until the first finding that cites it',
  );
}
