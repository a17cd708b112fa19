import { isOperation } from '../../../contracts/endpoint.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { brokenRequests, refusedWrites } from './no-trace.ts';
import { liveness, type NamedScenario, planOf } from './scenario.ts';

/** So many broken updates are sent: one reading afterwards shows what any of them has left. */
const most = 8;

/** Some of many, from the first to the last at equal distances. */
const spread = <T>(all: readonly T[], count: number): readonly T[] =>
  all.length <= count
    ? all
    : Array.from({ length: count }, (_, at) => all[Math.floor((at * (all.length - 1)) / (count - 1))] as T);

/**
 * Section 4.4: a refused update of an experiment changes nothing of it. No operation reads an experiment: enabling its
 * first group again shows it, where the target lets it. Untested, the check keeps no endpoint from conforming.
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
    const { row } = context;
    if (row.body === null) return { because: 'the operation has no body' };
    const broken = spread(brokenRequests(context, row.body), Math.min(most, context.amounts.walks * 2));
    return planOf([{ title: 'broken updates beside valid changes, then the experiment', run: refusedWrites(broken) }])(
      context,
    );
  },
};
