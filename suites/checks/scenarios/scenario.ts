import type { Members } from '../../../contracts/json.ts';
import type { ActiveCheck, CheckContext, CheckResult, Session } from '../../protocol/check.ts';
import { type Attribution, createAttribution } from '../../state/attribution.ts';
import { createEventually, type Eventually } from '../../state/eventually.ts';

/** What keeps a check from accusing the target of what is late, or of what others did. One for the whole check. */
export interface Care {
  readonly eventually: Eventually;
  readonly attribute: Attribution;
  /** Each entity as the check last saw it. */
  readonly seen: Map<string, Members>;
}

/** The care of a check that waits so many milliseconds for what may be late. */
export const createCare = (settleMs: number): Care => ({
  eventually: createEventually(settleMs),
  attribute: createAttribution(settleMs),
  seen: new Map(),
});

/** What every valid request of a scenario can break beside what the scenario is about. */
export const liveness = ['robust.never-5xx', 'robust.no-hang', 'robust.no-drop'] as const;

/** Sends the requests of one scenario and judges what they did. */
export type Scenario = (context: CheckContext, session: Session, care: Care) => Promise<CheckResult>;

/** A scenario as a row of a check's table. */
export interface NamedScenario {
  /** What is sent, in words. */
  readonly title: string;
  readonly run: Scenario;
}

/** The plan of a check that is a table of scenarios: one after another, for each reads back what it wrote. */
export const planOf =
  (scenarios: readonly NamedScenario[]): ActiveCheck<NamedScenario>['plan'] =>
  context => {
    const care = createCare(context.settleMs);
    return {
      cases: scenarios,
      parallel: false,
      describe: ({ title }) => ({ title, pointer: '' }),
      run: (scenario, session) => scenario.run(context, session, care),
    };
  };
