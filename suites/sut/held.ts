import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Told } from '../model/interpret.ts';
import { kinds } from '../model/resources.ts';
import type { Suspicion } from '../model/suspicion.ts';
import { entryOf } from '../protocol/entries.ts';

/** So many answers of a run that may be late are remembered. */
const mostLate = 200;

/**
 * What holding the answers of a session against what is known of the service has told. Begins without an answer. `ofRun`
 * gathers what may be no more than late, of all sessions of a run.
 */
export function createHeld(ofRun = new Set<Suspicion>()) {
  const covers = new Map<EndpointId, Set<RequirementId>>();
  const late: Suspicion[] = [];
  const mayBeBehind = (): boolean => late.some(({ excuses, isExplained }) => excuses.has('lag') && !isExplained);
  return {
    note(told: Told | undefined): void {
      for (const [endpoint, requirements] of told?.covers ?? [])
        for (const one of requirements) entryOf(covers, endpoint, () => new Set()).add(one);
      for (const one of (told?.suspicions ?? []).filter(({ excuses }) => excuses.has('lag'))) {
        late.push(one);
        if (ofRun.size < mostLate) ofRun.add(one);
      }
    },
    /** What a session tells of it. */
    told: {
      covered(endpoint: EndpointId): readonly RequirementId[] {
        const { resource, action } = endpointRow(endpoint);
        const { stored, kept } = kinds[resource].effects[action] ?? {};
        const known = covers.get(endpoint) ?? new Set();
        // That the rest stays is shown by a write that did something.
        const isVain = stored !== undefined && !known.has(stored);
        return [...known].filter(one => one !== kept || !isVain);
      },
      mayBeBehind,
      wasBehind: () => mayBeBehind() || [...ofRun].some(({ isExplained }) => isExplained),
    },
  };
}
