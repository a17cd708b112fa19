import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Told } from '../model/interpret.ts';
import { kinds } from '../model/resources.ts';
import type { Suspicion } from '../model/suspicion.ts';
import { entryOf } from '../protocol/entries.ts';

/** Maximum number of remembered answers of a run that may be late. */
const mostLate = 200;

/**
 * Collects the results of comparing a session's answers with the model. `ofRun` collects, over all sessions of a run,
 * suspicions that lag may explain.
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
    /** The results that a session exposes. */
    told: {
      covered(endpoint: EndpointId): readonly RequirementId[] {
        const { resource, action } = endpointRow(endpoint);
        const { stored, kept } = kinds[resource].effects[action] ?? {};
        const known = covers.get(endpoint) ?? new Set();
        // Only an effective write proves that the other fields stay unchanged.
        const isVain = stored !== undefined && !known.has(stored);
        return [...known].filter(one => one !== kept || !isVain);
      },
      mayBeBehind,
      wasBehind: () => mayBeBehind() || [...ofRun].some(({ isExplained }) => isExplained),
    },
  };
}
