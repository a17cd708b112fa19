import { isOperation } from '../../../contracts/endpoint.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { type Broken, between, brokenRequests } from './no-trace.ts';

/** Maximum number of broken updates: a single reading afterwards shows what any of them has left. */
const most = 8;

/**
 * Returns `count` broken requests at equal distances, with those that are cut off or break a rule about several fields.
 * Another seed begins at another one, because a field that is checked after others were stored shows only where it is
 * the one that is broken.
 */
function spread(all: readonly Broken[], count: number, seed: number): readonly Broken[] {
  const last = all.filter(one => one.isCut ?? one.isLate);
  const others = all.filter(one => !last.includes(one));
  const most = count - last.length;
  if (all.length <= count || most < 1) return all.slice(-count);
  const places = Array.from({ length: most }, (_, at) => Math.floor((at * others.length) / most));
  return [...places.flatMap(place => others[(place + Math.abs(seed - 1)) % others.length] ?? []), ...last];
}

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
    const broken = spread(brokenRequests(context), Math.min(most, context.amounts.walks * 2), context.seed);
    const run = between(context, broken);
    return planOf(context, { title: 'broken updates beside valid changes, then the experiment', run });
  },
};
