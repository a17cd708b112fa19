import type { CaseDescription, CheckPlan, Draft } from '../checks/check.ts';
import { signatureOf } from './casebook.ts';
import { openSession } from './session.ts';
import type { UnitInput, UnitOutcome } from './unit-input.ts';

/** A draft, and whose it is: the check's that sent the request, or a watching check's. */
export interface Complaint {
  /** `endpoint/check`. */
  readonly owner: string;
  readonly signature: string;
  readonly draft: Draft;
}

/** What came of one case. */
export interface Trial {
  readonly complaints: readonly Complaint[];
  readonly description: CaseDescription;
}

/** Sends one case of a plan; `path` names it in the evidence. A case is counted once, however often it is sent again. */
export type Attempt = (value: unknown, path: string, counted: boolean) => Promise<Trial>;

/** Sends cases of a plan and writes into the unit's outcome, and into `reasons` how often a case proved nothing for which reason. */
export function attempts(
  { id, context, wire, watching, onSighting }: UnitInput,
  plan: CheckPlan<unknown>,
  outcome: UnitOutcome,
  reasons: Map<string, number>,
): Attempt {
  return async (value, path, counted) => {
    const session = openSession(wire, `${id}#${path}`, watching);
    const description = plan.describe(value);
    const result = await plan.run(value, session);
    outcome.requests += session.answers();
    const complaints: Complaint[] = result.drafts.map(draft => ({
      owner: id,
      signature: signatureOf(id, draft, description),
      draft,
    }));
    for (const sighting of session.sightings) {
      const owner = `${context.endpoint}/${sighting.check.id}`;
      if (counted) onSighting(owner, sighting);
      for (const draft of sighting.drafts)
        complaints.push({ owner, signature: signatureOf(owner, draft, null), draft });
    }
    if (counted) {
      outcome.cases += 1;
      outcome.accepted += session.tally.accepted;
      outcome.refused += session.tally.refused;
      for (const row of result.shows ?? []) outcome.exercised?.add(row);
      if (result.proved) outcome.proved += 1;
      if (result.proved && result.onlyIfAccepted === true) outcome.provisional += 1;
      if (result.because !== undefined) reasons.set(result.because, (reasons.get(result.because) ?? 0) + 1);
    }
    return { complaints, description };
  };
}
