import type {
  Acknowledged,
  AcknowledgedDifference,
  DifferenceLimit,
  DifferencePlace,
} from '../../contracts/report/difference.ts';
import { failsAt } from '../../contracts/report/difference-verdict.ts';
import { entriesText } from '../baseline/entries.ts';
import { type ComparedExtent, differenceKey, differenceName, judgeAcknowledged } from './acknowledged.ts';

/** The acknowledged differences written anew, and the entries that were added, kept and removed, a line each. */
interface AcknowledgedUpdate {
  readonly acknowledged: Acknowledged;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Returns the acknowledged differences for a comparison: an entry for each difference for which it fails. What somebody
 * wrote of those that stay is kept; new entries get the given reason. Entries that the comparison shows, or of which it
 * says nothing, stay.
 */
export function updatedAcknowledged(
  before: Acknowledged,
  places: readonly DifferencePlace[],
  extent: ComparedExtent,
  { reason, failOn }: { readonly reason: string; readonly failOn: DifferenceLimit },
): AcknowledgedUpdate {
  const old = new Map(before.acknowledged.map(entry => [differenceKey(entry), entry]));
  const file = { name: '', acknowledged: before, lines: [] };
  const silent = new Set(judgeAcknowledged(places, file, extent, '').report.unjudged.map(({ entry }) => entry));
  const shown = new Set(places.map(differenceKey));
  const fresh = new Map(
    places
      .filter(place => failsAt(place, failOn) && !old.has(differenceKey(place)))
      .map(place => [differenceKey(place), newEntry(place, reason, extent)] as const),
  );
  const stays = (entry: AcknowledgedDifference) => shown.has(differenceKey(entry)) || silent.has(differenceName(entry));
  const kept = before.acknowledged.filter(stays);
  return {
    acknowledged: { ...before, acknowledged: [...kept, ...fresh.values()] },
    added: [...fresh.values()].map(differenceName),
    kept: kept.map(differenceName),
    removed: before.acknowledged.filter(entry => !stays(entry)).map(differenceName),
  };
}

function newEntry(place: DifferencePlace, reason: string, { profile, seed }: ComparedExtent): AcknowledgedDifference {
  const { endpoint, pointer, aspect, label, requirement } = place;
  return {
    endpoint,
    pointer,
    aspect,
    label,
    ...(requirement === undefined ? {} : { requirement }),
    reason,
    found: { profile, seed },
  };
}

/** Returns the acknowledged differences as the text of their file, each on the line to remove when it is stale. */
export const acknowledgedText = ({ acknowledged, ...head }: Acknowledged): string =>
  entriesText(head, 'acknowledged', acknowledged);
