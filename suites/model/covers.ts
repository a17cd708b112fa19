import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { entryOf } from '../protocol/entries.ts';
import { type Culprit, isUnstated, overlapOf, type Place, rivalsOf, wouldSet, writes } from './causes.ts';
import { agrees, isAsSent } from './compare.ts';
import { strictly, type Write } from './knowledge.ts';
import { kinds } from './resources.ts';

/** The requirements that an answer could have shown to be broken, by operation. */
export type Covers = ReadonlyMap<EndpointId, ReadonlySet<RequirementId>>;

/** Collects the covers of one answer. */
export interface Gathered extends Covers {
  add(endpoint: EndpointId, requirement: RequirementId): void;
}

/** Creates empty covers. */
export function gatherCovers(): Gathered {
  const known = new Map<EndpointId, Set<RequirementId>>();
  return Object.assign(known, {
    add(endpoint: EndpointId, requirement: RequirementId): void {
      entryOf(known, endpoint, () => new Set()).add(requirement);
    },
  });
}

/** Maximum number of earlier values that are compared with the one after a write: the last ones. */
const mostCompared = 3;

/** True if the value would differ had the write gone wrong. */
function isTold({ write, kind }: Culprit, { name, field, compared }: Place, got: unknown): boolean {
  if (got === undefined) return false;
  if (kind === 'changed') return write.outcome === 'accepted';
  if (kind === 'trace') {
    const sent = wouldSet(write);
    if (sent === undefined || isUnstated(write)) return true;
    return Object.hasOwn(sent, name) && !isAsSent(sent[name] ?? null, got, compared.asked);
  }
  if (kinds[write.row.resource].created !== undefined) return true;
  // Only a change proves anything: a value that stood there before may never have been stored.
  const before = strictly(field, write.begun)
    .filter(one => one.write !== write && one.how !== 'open' && one.out?.place !== write.begun.place)
    .filter(({ how, write: by, isRead }) => how !== 'sent' || isRead || by === undefined || rivalsOf(by).length === 0)
    .slice(-mostCompared);
  const isOther = before.map(one => !agrees(one, got, compared));
  return isOther.includes(true) && !before.some(({ how }, index) => how === 'shown' && isOther[index] === false);
}

/**
 * Returns the requirement on overlapping writes that an accepted write kept: neither its own field nor one of a rival
 * was lost.
 */
function overlapShown(cause: Culprit, place: Place, got: unknown): RequirementId | undefined {
  const { write, kind } = cause;
  if (write.outcome !== 'accepted' || write.met.every(({ outcome }) => outcome !== 'accepted')) return undefined;
  // A rival's value proves something only if it is shown now and was not there before.
  const isThere = (one: Write): boolean =>
    writes(one, place.name) && isTold({ ...cause, write: one, kind: 'lost' }, place, got);
  return kind === 'lost' || rivalsOf(write).some(isThere) ? overlapOf(cause, place) : undefined;
}

/** Adds the requirements that a correct value shows to be kept by the writes that may have changed it. */
export function addShown(covers: Gathered, causes: readonly Culprit[], place: Place, got: unknown): void {
  for (const cause of causes) {
    const { endpoint } = cause.write;
    const due = [cause.requirement, overlapShown(cause, place, got)].filter(
      one => one !== undefined && covers.get(endpoint)?.has(one) !== true,
    );
    if (due.length > 0 && isTold(cause, place, got)) for (const one of due) covers.add(endpoint, one as RequirementId);
  }
}
