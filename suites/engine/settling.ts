import fc from 'fast-check';
import type { CaseDescription, Draft } from '../checks/check.ts';
import type { Grievance } from './casebook.ts';
import type { Attempt } from './trial.ts';

const mostShrinkTrials = 120;
/** How often a case that failed is sent again before it is reported. */
const confirmations = 2;

/** What shrinking needs of the unit whose case it is. */
export interface Shrinking {
  /** `endpoint/check`. */
  readonly unit: string;
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly seed: number;
  readonly attempt: Attempt;
}

/**
 * Looks for the smallest case that shows the same, and gives it to the grievance in place of the one that was found. An error that ends the run, or
 * this unit, is thrown, and leaves the grievance as it was.
 */
export async function shrink(grievance: Grievance, { unit, arbitrary, seed, attempt }: Shrinking): Promise<void> {
  let trials = 0;
  let smallest: { draft: Draft; description: CaseDescription } | null = null;
  let broken: { error: unknown } | null = null;
  const property = fc.asyncProperty(arbitrary, async value => {
    trials += 1;
    if (trials > mostShrinkTrials || broken !== null) return true;
    try {
      const { complaints, description } = await attempt(value, `${grievance.source.path}~`, false);
      // The field that the case is about may change while it shrinks; the broken requirement and its place may not.
      const again = complaints.find(({ draft, owner, signature }) =>
        owner === unit ? draft.requirement === grievance.draft.requirement : signature === grievance.signature,
      );
      if (again !== undefined) smallest = { draft: again.draft, description };
      return again === undefined;
    } catch (error) {
      // To fast-check an exception is a failure like any other, to be shrunk.
      broken = { error };
      return true;
    }
  });
  const details = await fc.check(property, { seed, path: grievance.source.path, numRuns: 1 });
  const failure = broken as { error: unknown } | null;
  if (failure !== null) throw failure.error;
  const found = smallest as { draft: Draft; description: CaseDescription } | null;
  if (!details.failed || details.counterexamplePath === null || found === null) return;
  grievance.draft = { ...found.draft, answer: { ...found.draft.answer, id: `${unit}#${details.counterexamplePath}` } };
  grievance.source = { ...grievance.source, path: details.counterexamplePath, description: found.description };
  grievance.shrinks = details.numShrinks;
}

/** Sends the case of a grievance again and notes in it how often it showed the same. */
export async function confirm(grievance: Grievance, value: unknown, attempt: Attempt): Promise<void> {
  let times = 1;
  for (let round = 0; round < confirmations; round += 1) {
    const { complaints } = await attempt(value, grievance.source.path, false);
    if (complaints.some(({ draft }) => draft.requirement === grievance.draft.requirement)) times += 1;
  }
  grievance.seen = { times, of: confirmations + 1 };
}
