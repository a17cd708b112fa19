import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import type { RunRecord } from '../testing/reference-run.ts';
import { due, findingsOf, isFoundIn, runAgainst, type SingleCase } from './detection.fixture.ts';
import { kills } from './kills.fixture.ts';

/** The case by which a run found a fault of one operation; undefined where none that can be sent alone did. */
export function tellingCase(record: RunRecord, fault: Fault): SingleCase | undefined {
  if (fault.endpoints.length > 1) return undefined;
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
 * Runs that show that a fault is found, and nothing else accused: a quick run; where that did not find it when the
 * matrix was measured, a standard one, or the case alone that finds it, beside the quick run of everything. The long
 * run is made where nothing is known of the fault, where the case finds it no more, and where runs are made whole for
 * proof.
 */
export async function runsAgainst(fault: Fault): Promise<readonly RunRecord[]> {
  const kill = kills()[fault.id];
  const quick = await runAgainst({ ...fault, profile: 'quick' });
  if (isFoundIn(quick, fault)) return [quick];
  const telling = process.env.KILL_MATRIX_WHOLE === undefined ? kill?.telling : undefined;
  const alone = telling === undefined ? [] : [await runAgainst(fault, telling)];
  return alone.some(record => isFoundIn(record, fault))
    ? [quick, ...alone]
    : [await runAgainst({ ...fault, profile: 'standard' })];
}
