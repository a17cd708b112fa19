import { readFileSync } from 'node:fs';
import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import type { RunRecord } from '../testing/reference-run.ts';
import { due, findingsOf, isFoundIn, runAgainst, type SingleCase } from './detection.fixture.ts';
import { firstFindings } from './first-findings.fixture.ts';

/** Where the cases stand that find faults which a quick run does not; `npm run kill-matrix` writes it. */
export const tellingCasesFile = new URL('telling-cases.json', import.meta.url);

/** Those cases, by the id of the fault. */
const known: Readonly<Record<string, SingleCase>> = JSON.parse(readFileSync(tellingCasesFile, 'utf8'));

/** Whether a row may do with its telling case: a longer run of one endpoint, of which no test holds every finding. */
const mayDoWithOne = ({ id, profile, endpoints }: Fault): boolean =>
  profile !== undefined && endpoints.length === 1 && firstFindings[id] === undefined;

/** The case by which a run found its fault; undefined where a quick run finds it, or no case does alone. */
export function tellingCase(record: RunRecord, fault: Fault): SingleCase | undefined {
  if (!mayDoWithOne(fault)) return undefined;
  const rows: readonly string[] = due(fault);
  const found = findingsOf(record).find(
    ({ requirement, level, counterexample }) =>
      rows.includes(requirement) &&
      level === requirementById(requirement).level &&
      counterexample?.path.includes(':') === false,
  );
  if (found?.counterexample === undefined) return undefined;
  return { unit: found.counterexample.unit ?? found.unit, path: found.counterexample.path };
}

/**
 * Runs that show that a fault is found, and nothing else accused: a run of its profile; or, where the case is known
 * that finds it, that case alone beside a quick run of everything. The long run is made where the case finds it no
 * more, and where runs are made whole for proof.
 */
export async function runsAgainst(fault: Fault): Promise<readonly RunRecord[]> {
  const telling = known[fault.id];
  if (telling === undefined || !mayDoWithOne(fault) || process.env.KILL_MATRIX_WHOLE !== undefined)
    return [await runAgainst(fault)];
  const alone = await runAgainst(fault, telling);
  return isFoundIn(alone, fault)
    ? [await runAgainst({ ...fault, profile: 'quick' }), alone]
    : [await runAgainst(fault)];
}
