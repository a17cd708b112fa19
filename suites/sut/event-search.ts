import { type Members, membersOf, objectsIn } from '../../contracts/json.ts';
import { readPage } from '../judge/page.ts';
import { readList } from '../state/reading.ts';
import type { IsName } from './learning/lessons.ts';
import { after } from './learning/reading.ts';
import type { ReadOnlyClient } from './read-only-client.ts';

/** A logged event that exists, the metrics over it that were read, and its number of records. */
export interface FoundEvent {
  readonly name: string;
  readonly metrics: readonly Members[];
  /** As in the pagination of the first page. */
  readonly totals: { readonly metrics: number; readonly records: number };
}

/** Maximum number of names tried, of events read beside the given ones, and of metrics per event. */
const bounds = { tries: 60, events: 8, metrics: 60 } as const;

/** Returns event names in a metric: in its lineage, its events, the steps of its funnel (section 2.7). */
function eventsOf(metric: Members): readonly unknown[] {
  const { events } = membersOf(metric.lineage);
  return [
    ...(Array.isArray(events) ? events : []),
    ...[...objectsIn(metric.metricEvents), ...objectsIn(metric.funnelEventList)].map(event => event.name),
  ];
}

/** Derive an event name from a metric source (`purchases_daily` to `purchase`), the likeliest first. */
const derivations: readonly ((name: string) => string)[] = [
  name => name.replace(/_[^_]*$/, '').replace(/s$/, ''),
  name => name.replace(/_[^_]*$/, ''),
  name => name.replace(/s$/, ''),
  name => name,
];

function guesses(sources: readonly string[]): readonly string[] {
  const names = [...new Set(sources.map(name => name.split('.').at(-1) ?? name))];
  return derivations.flatMap(derive => names.map(derive));
}

/**
 * Searches for logged events. The API does not list them (section 4 names none). So it tries the given names, then
 * names derived from the metric sources, and follows the lineage of each event's metrics.
 *
 * @param isName true if a text of the target may be used as a name
 */
export async function searchEvents(
  client: ReadOnlyClient,
  given: readonly string[],
  sources: readonly string[],
  isName: IsName,
): Promise<readonly FoundEvent[]> {
  const named = new Set(given);
  const guessed = new Set(guesses(sources).filter(name => !named.has(name)));
  const found: FoundEvent[] = [];
  const tried = new Set<string>();
  const next = (): string | undefined => [...named, ...guessed].find(name => !tried.has(name) && isName(name));
  for (let name = next(); name !== undefined; name = next()) {
    if (tried.size >= bounds.tries || (found.length >= bounds.events && !given.includes(name))) break;
    tried.add(name);
    const records = readPage(await client.send({ endpoint: 'list-events', param: name }))?.totalItems ?? 0;
    const listing = await readList(client, { endpoint: 'list-event-metrics', param: name }, after(bounds.metrics));
    const total = Math.max(readPage(listing.answer)?.totalItems ?? 0, listing.items.length);
    // Some services answer unknown names with empty lists.
    if (records === 0 && listing.items.length === 0) continue;
    found.push({ name, metrics: listing.items, totals: { metrics: total, records } });
    for (const event of listing.items.flatMap(eventsOf)) if (isName(event)) named.add(event);
  }
  return found;
}
