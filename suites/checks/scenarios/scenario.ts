import type { ActiveCheck, CheckContext, CheckResult } from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import { createEventually, type Eventually } from '../../state/eventually.ts';

/** Sends the requests of one scenario and judges what they did. The `eventually` is that of the whole check. */
export type Scenario = (context: CheckContext, session: Session, eventually: Eventually) => Promise<CheckResult>;

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
    const eventually = createEventually(context.settleMs);
    return {
      cases: scenarios,
      parallel: false,
      describe: ({ title }) => ({ title, pointer: '' }),
      run: (scenario, session) => scenario.run(context, session, eventually),
    };
  };
