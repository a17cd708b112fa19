import type { lineageOf } from '../state/reading.ts';

/** The events and metrics that a metric names. */
export type Lineage = ReturnType<typeof lineageOf>;

/** Maximum number of steps from metric to metric, and of names that are looked up for one metric. */
const [deepest, mostLookups] = [8, 10_000] as const;

/**
 * Returns a function that tells whether a metric names the event, itself or through metrics; undefined if one of those
 * cannot be looked up. Each lineage is looked through once, because an answer may name all its metrics in each.
 */
export function eventFinder(
  event: string,
  shown: ReadonlyMap<string, Lineage>,
): (lineage: Lineage) => boolean | undefined {
  const known = new Map<Lineage, boolean>();
  return own => {
    const met = new Set<Lineage>();
    let lookups = 0;
    const look = (lineage: Lineage, depth: number): boolean | undefined => {
      if (lineage.events.includes(event)) return true;
      // A metric that was met before is known, or leads in a circle.
      if (known.has(lineage) || met.has(lineage) || depth > deepest || lookups > mostLookups) return known.get(lineage);
      met.add(lineage);
      lookups += lineage.metrics.length;
      const through = lineage.metrics.map(id => {
        const named = shown.get(id);
        return named === undefined ? undefined : look(named, depth + 1);
      });
      const found = through.includes(true) || (through.includes(undefined) ? undefined : false);
      if (found !== undefined) known.set(lineage, found);
      return found;
    };
    return look(own, 0);
  };
}

/** Returns a name without letter case, signs and compatibility forms: services may look entities up like that. */
export const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
