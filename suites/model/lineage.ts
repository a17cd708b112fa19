import type { lineageOf } from '../state/reading.ts';

/** The events and metrics that a metric names. */
export type Lineage = ReturnType<typeof lineageOf>;

/** Maximum number of steps from metric to metric. */
const deepest = 8;

/** True if a metric names the event, itself or through metrics; undefined if one of those cannot be looked up. */
export function hasEvent(
  { events, metrics }: Lineage,
  event: string,
  shown: ReadonlyMap<string, Lineage>,
  depth = 0,
): boolean | undefined {
  if (events.includes(event)) return true;
  if (depth > deepest) return undefined;
  const through = metrics.map(id => {
    const named = shown.get(id);
    return named === undefined ? undefined : hasEvent(named, event, shown, depth + 1);
  });
  if (through.includes(true)) return true;
  return through.includes(undefined) ? undefined : false;
}

/** Returns a name without letter case, signs and compatibility forms: services may look entities up like that. */
export const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
