import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Told } from '../model/interpret.ts';
import { kinds } from '../model/resources.ts';
import type { Suspicion } from '../model/suspicion.ts';
import type { Session } from '../protocol/check.ts';

/** What holding the answers of a session against what is known of the service has told. */
interface Held {
  /** What a session tells of it. */
  readonly told: Required<Pick<Session, 'covered' | 'mayBeBehind' | 'wasBehind'>>;
  note(told: Told | undefined): void;
}

/** So many answers of a run that may be late are remembered. */
const mostLate = 200;

/** Begins without an answer. `ofRun` gathers what may be no more than late, of all sessions of a run. */
export function createHeld(ofRun = new Set<Suspicion>()): Held {
  const covers = new Map<EndpointId, Set<RequirementId>>();
  const late: Suspicion[] = [];
  const mayBeBehind = (): boolean => late.some(({ excuses, isExplained }) => excuses.has('lag') && !isExplained);
  return {
    note(told) {
      for (const [endpoint, requirements] of told?.covers ?? []) {
        const known = covers.get(endpoint) ?? new Set();
        covers.set(endpoint, known);
        for (const one of requirements) known.add(one);
      }
      for (const one of (told?.suspicions ?? []).filter(({ excuses }) => excuses.has('lag'))) {
        late.push(one);
        if (ofRun.size < mostLate) ofRun.add(one);
      }
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
      mayBeBehind,
      wasBehind: () => mayBeBehind() || [...ofRun].some(({ isExplained }) => isExplained),
    },
  };
}
