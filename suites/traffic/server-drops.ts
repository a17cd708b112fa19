import type { EndpointId } from '../../contracts/endpoints.ts';
import { outcomeOf } from '../protocol/answer.ts';
import { violation } from '../protocol/check.ts';
import type { Breach } from './breach.ts';
import type { SeenExchange } from './seen.ts';
import { refusedCheck } from './server-refusals.ts';

const seenOnce = 'seen once at this operation: a server that is started anew, or a gateway, looks the same';

/** Judges connections that a server drops (section 7): one of an operation is a warning, a second one is sure. */
export interface Drops {
  judge(seen: SeenExchange): readonly Breach[];
}

/** Begins to count. */
export function createDrops(): Drops {
  const dropped = new Set<EndpointId>();
  return {
    judge({ exchange: { response }, operation, answer }) {
      if (!('failure' in response) || response.isDropped !== true || operation === undefined) return [];
      const isFirst = !dropped.has(operation.endpoint);
      dropped.add(operation.endpoint);
      const one = violation(answer, 'robust.no-drop', 'connection', 'an HTTP answer', outcomeOf(answer));
      return [{ side: 'server', check: refusedCheck, violation: isFirst ? { ...one, doubt: seenOnce } : one }];
    },
  };
}
