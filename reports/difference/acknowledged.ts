import type { EndpointId } from '../../contracts/endpoints.ts';
import { isWithin } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import type {
  Acknowledged,
  AcknowledgedDifference,
  DifferenceLimit,
  DifferencePlace,
  DifferenceReport,
  Noise,
} from '../../contracts/report/difference.ts';
import { failsAt } from '../../contracts/report/difference-verdict.ts';
import { type Changes, entriesText, judgeEntries, whyNotSeen } from '../baseline/entries.ts';

/** The members that distinguish one place of a difference from another. */
type DifferenceKey = Pick<DifferencePlace, 'endpoint' | 'pointer' | 'aspect' | 'label' | 'requirement'>;

/** Returns a text that two entries share if they are about one difference. */
export const differenceKey = ({ endpoint, pointer, aspect, label, requirement = '' }: DifferenceKey): string =>
  JSON.stringify([endpoint, pointer, aspect, label, requirement]);

// biome-ignore format: a table
const labelWords = { 'a-breaks': 'A breaks', 'b-breaks': 'B breaks', open: 'left open', unsaid: 'nothing is said' } as const satisfies Record<DifferencePlace['label'], string>;

/** Returns a difference in one line: `patch-gate status /data/name (B breaks gate.name.pattern)`. */
export function differenceName({ endpoint, pointer, aspect, label, requirement }: DifferenceKey): string {
  const at = pointer === aspect ? pointer : `${aspect}${pointer === '' ? '' : ` ${pointer}`}`;
  return `${endpoint} ${at} (${labelWords[label]}${requirement === undefined ? '' : ` ${requirement}`})`;
}

/** How much a comparison covered, which decides whether the absence of a difference proves anything. */
export interface ComparedExtent extends Pick<DifferenceReport, 'profile' | 'seed'> {
  readonly isFiltered: boolean;
  readonly isComplete: boolean;
  /** The endpoints with compared answers. */
  readonly endpoints: ReadonlySet<EndpointId>;
  /** Places where a server differs from itself. */
  readonly noise: readonly Pick<Noise, 'endpoint' | 'pointer'>[];
}

/** The file of acknowledged differences as read, with the place of each entry: `line 5`. */
export interface AcknowledgedFile {
  readonly name: string;
  readonly acknowledged: Acknowledged;
  readonly lines: readonly string[];
}

/** Returns why a comparison without a difference does not prove that it is gone; undefined if it does. */
function whySilent(entry: AcknowledgedDifference, extent: ComparedExtent): string | undefined {
  if (!extent.isComplete) return 'the comparison did not come to its end';
  if (!extent.endpoints.has(entry.endpoint)) return 'nothing of its endpoint was compared';
  if (extent.isFiltered) return 'the comparison was filtered (--only or --skip)';
  if (extent.noise.some(({ endpoint, pointer }) => endpoint === entry.endpoint && pointer === entry.pointer))
    return 'a server differs from itself there';
  return whyNotSeen(entry, extent);
}

const isBreach = ({ label }: DifferenceKey): boolean => label.endsWith('breaks');

/** True if a clause is broken at the place of an entry: the entry is then not judged. */
function isInPlaceOf(broken: DifferenceKey, entry: DifferenceKey): boolean {
  const isOfAnswer = !broken.pointer.startsWith('/') && !entry.pointer.startsWith('/');
  const isThere = isWithin(broken.pointer, entry.pointer) || isWithin(entry.pointer, broken.pointer);
  return broken.endpoint === entry.endpoint && (isOfAnswer || isThere);
}

/**
 * Judges a comparison by the acknowledged differences. An entry fails the comparison if it has expired or its
 * difference is gone. Otherwise it would stay longer than needed. Places that were not compared are not judged.
 */
export function judgeAcknowledged(
  places: readonly DifferencePlace[],
  { name, acknowledged: { acknowledged }, lines }: AcknowledgedFile,
  extent: ComparedExtent,
  today: string,
) {
  const shown = new Set(places.map(differenceKey));
  const entries = new Set(acknowledged.map(differenceKey));
  const broken = places.filter(one => isBreach(one) && !entries.has(differenceKey(one)));
  const isBehind = (entry: AcknowledgedDifference): boolean =>
    !isBreach(entry) && broken.some(one => isInPlaceOf(one, entry));
  const { known, stale, unjudged } = judgeEntries(
    acknowledged,
    {
      nameOf: differenceName,
      isShown: entry => shown.has(differenceKey(entry)),
      whySilent: entry => (isBehind(entry) ? 'a clause is broken there' : whySilent(entry, extent)),
      whyGone: () => 'is there no more',
    },
    lines,
    today,
  );
  return {
    report: {
      file: name,
      known: known.length,
      stale: stale.map(({ place, ...one }) => ({ ...one, line: place })),
      unjudged,
    },
    known: new Map(known.map(entry => [differenceKey(entry), entry])),
  };
}

/**
 * Returns the acknowledged differences for a comparison: an entry for each difference that fails it. Entries that stay
 * keep what a user wrote; new ones get the given reason. Entries that the comparison shows, or cannot judge, stay.
 */
export function updatedAcknowledged(
  before: Acknowledged,
  places: readonly DifferencePlace[],
  extent: ComparedExtent,
  { reason, failOn }: { readonly reason: string; readonly failOn: DifferenceLimit },
): Changes & { readonly acknowledged: Acknowledged } {
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

function newEntry(
  { endpoint, pointer, aspect, label, requirement }: DifferencePlace,
  reason: string,
  { profile, seed }: ComparedExtent,
): AcknowledgedDifference {
  return { endpoint, pointer, aspect, label, ...present({ requirement }), reason, found: { profile, seed } };
}

/** Returns the acknowledged differences as the text of their file, one entry a line, to remove when stale. */
export const acknowledgedText = ({ acknowledged, ...head }: Acknowledged): string =>
  entriesText(head, 'acknowledged', acknowledged);
