import type { EndpointId } from '../../../contracts/endpoints.ts';
import { type AlignedPair, align, type Unaligned } from '../align/align.ts';
import { counterpartsOf } from '../align/counterparts.ts';
import type { Recording } from '../record/recording.ts';
import { compareAnswers, notComparable } from './answers.ts';
import type { Located } from './located.ts';
import { originsOf } from './origins.ts';
import { itemsOn, PagesShown } from './pages.ts';

/** A difference, and the aligned pair that shows it; none where it is of all items of a list together. */
export interface PairDifference {
  readonly endpoint: EndpointId;
  readonly located: Located;
  readonly pair: AlignedPair | null;
  /** Where it is of all items of a list together: a pair that has items of both. */
  readonly shownBy?: AlignedPair | undefined;
}

/** Two recordings compared, before anything is said of noise and of whose a difference is. */
export interface RawComparison {
  readonly compared: number;
  readonly pairs: readonly AlignedPair[];
  readonly differences: readonly PairDifference[];
  readonly unaligned: readonly Unaligned[];
  /** Values that were there before the run and differ: endpoint, pointer, how often. */
  readonly start: ReadonlyMap<string, number>;
}

/** The text by which a place of an operation is known. */
export const placeOf = (endpoint: string, pointer: string): string => `${endpoint} ${pointer}`;

/** Compares two recordings, request by request; `isSelf`: both are of one server, to learn what moves by itself. */
export function compareRecordings(a: Recording, b: Recording, sameStart: boolean, isSelf = false): RawComparison {
  const { pairs, unaligned } = align(a, b);
  const pages = new PagesShown();
  const counterparts = counterpartsOf(a, b, pairs);
  const input = { counterparts, originsA: originsOf(a), originsB: originsOf(b), sameStart, isSelf, pages };
  const differences: PairDifference[] = [];
  const start = new Map<string, number>();
  const left: Unaligned[] = [...unaligned];
  let compared = 0;
  for (const pair of pairs) {
    const because = notComparable(pair, a.outcome, b.outcome);
    if (because !== null) {
      left.push({ exchange: pair.a, because });
      continue;
    }
    compared += 1;
    const { endpoint } = pair.a;
    const found = compareAnswers(pair, input);
    for (const located of found.differences) differences.push({ endpoint, located, pair });
    for (const pointer of found.start) {
      const place = placeOf(endpoint, pointer);
      start.set(place, (start.get(place) ?? 0) + 1);
    }
  }
  const known = new Set(differences.map(({ endpoint, located }) => placeOf(endpoint, located.pointer)));
  for (const { endpoint, located } of pages.differences())
    if (!known.has(placeOf(endpoint, located.pointer)))
      differences.push({
        endpoint: endpoint as EndpointId,
        located,
        pair: null,
        shownBy: shortestPages(pairs, endpoint),
      });
  return { compared, pairs, differences, unaligned: left, start };
}

/** The pair of pages of an operation with the fewest items of which both have some. */
function shortestPages(pairs: readonly AlignedPair[], endpoint: string): AlignedPair | undefined {
  const pages = pairs.flatMap(pair => {
    const [ofA, ofB] = [itemsOn(pair.a).length, itemsOn(pair.b).length];
    return pair.a.endpoint === endpoint && ofA > 0 && ofB > 0 ? [{ pair, items: ofA + ofB }] : [];
  });
  return pages.toSorted((one, other) => one.items - other.items)[0]?.pair;
}
