import type { Members } from '../../../contracts/json.ts';
import type { CaseDescription, CheckContext, CheckPlan, CheckResult, Session } from '../../protocol/check.ts';
import { type Attribution, createAttribution } from '../../state/attribution.ts';
import { createEventually, type Eventually } from '../../state/eventually.ts';

/** Keeps a check from blaming the target for late results or for what others did. One per check. */
export interface Care {
  readonly eventually: Eventually;
  readonly attribute: Attribution;
  /** Each entity as the check last saw it. */
  readonly seen: Map<string, Members>;
}

/** Makes the care of a check that waits up to `settleMs` milliseconds for late results. */
export const createCare = (settleMs: number): Care => ({
  eventually: createEventually(settleMs),
  attribute: createAttribution(settleMs),
  seen: new Map(),
});

/** The requirements that every valid request of a scenario can break, in addition to the scenario's own. */
export const liveness = ['robust.never-5xx', 'robust.no-hang', 'robust.no-drop'] as const;

/** Sends the requests of one scenario and judges their effect. */
export type Scenario = (context: CheckContext, session: Session, care: Care) => Promise<CheckResult>;

/** A scenario as a row of a check's table, described by its requests in words. */
export interface NamedScenario extends Partial<CaseDescription> {
  readonly title: string;
  readonly run: Scenario;
}

/** Plans a table of scenarios, one after another, because each reads back what it wrote. */
export function planOf(context: CheckContext, ...cases: readonly NamedScenario[]): CheckPlan<NamedScenario> {
  const care = createCare(context.settleMs);
  return {
    cases,
    parallel: false,
    describe: ({ run: _, ...description }) => ({ pointer: '', ...description }),
    run: (scenario, session) => scenario.run(context, session, care),
  };
}
