import { isOperation } from '../../../contracts/endpoint.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { between, brokenRequests } from './no-trace.ts';

/** Maximum number of broken updates: a single reading afterwards shows what any of them has left. */
const most = 8;

/** Returns `count` items at equal distances, including the first and the last. */
const spread = <T>(all: readonly T[], count: number): readonly T[] =>
  all.length <= count
    ? all
    : Array.from({ length: count }, (_, at) => all[Math.floor((at * (all.length - 1)) / (count - 1))] as T);

/**
 * Section 4.4: a refused update of an experiment changes nothing. No operation reads an experiment, so an update sets a
 * known state, and enabling the first group shows it. A SHOULD: untested, the check keeps no endpoint from conforming.
 */
export const experimentNoTrace: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'experiment-no-trace',
  level: 'SHOULD',
  title: 'A refused update of an experiment leaves no trace',
  detects: 'A handler that stores field by field and stops at the first fault; a validation after the write.',
  requirements: () => ['reject.no-trace', ...liveness],
  appliesTo: row => isOperation(row, 'experiment', 'update'),
  plan(context) {
    const broken = spread(brokenRequests(context), Math.min(most, context.amounts.walks * 2));
    const run = between(context, broken);
    return planOf(context, { title: 'broken updates beside valid changes, then the experiment', run });
  },
};
