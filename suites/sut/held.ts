import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Told } from '../model/interpret.ts';
import { kinds } from '../model/resources.ts';
import type { Suspicion } from '../model/suspicion.ts';
import type { Session } from '../protocol/check.ts';

/** What holding the answers of a session against what is known of the service has told. */
export interface Held {
  /** What a session tells of it. */
  readonly told: Required<Pick<Session, 'covered' | 'mayBeBehind'>>;
  note(told: Told | undefined): void;
}

/** Begins without an answer. */
export function createHeld(): Held {
  const covers = new Map<EndpointId, Set<RequirementId>>();
  const late: Suspicion[] = [];
  return {
    note(told) {
      for (const [endpoint, requirements] of told?.covers ?? []) {
        const known = covers.get(endpoint) ?? new Set();
        covers.set(endpoint, known);
        for (const one of requirements) known.add(one);
      }
      late.push(...(told?.suspicions ?? []).filter(({ excuses }) => excuses.has('lag')));
    },
    told: {
      covered(endpoint) {
        const { resource, action } = endpointRow(endpoint);
        const { stored, kept } = kinds[resource].effects[action] ?? {};
        const known = covers.get(endpoint) ?? new Set();
        // That the rest stays is shown by a write that did something.
        const isVain = stored !== undefined && !known.has(stored);
        return [...known].filter(one => one !== kept || !isVain);
      },
      mayBeBehind: () => late.some(({ excuses, isExplained }) => excuses.has('lag') && !isExplained),
    },
  };
}
