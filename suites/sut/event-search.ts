import { isObject, type Members, membersOf } from '../../contracts/json.ts';
import { readPage } from '../judge/page.ts';
import { readList } from '../state/reading.ts';
import type { IsName } from './learning/lessons.ts';
import { after } from './learning/reading.ts';
import type { ReadOnlyClient } from './read-only-client.ts';

/** A logged event that exists: the metrics over it that were read, and how many records of it there are. */
export interface FoundEvent {
  readonly name: string;
  readonly metrics: readonly Members[];
  /** As the pagination of the first page has them. */
  readonly totals: { readonly metrics: number; readonly records: number };
}

/** How many names a search tries, how many events it reads beside those that were given, and how many metrics of each. */
const bounds = { tries: 60, events: 8, metrics: 60 } as const;

/** The objects in a list; none where the value is no list. */
export const objectsIn = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Names of events in a metric: its lineage, its events, the steps of its funnel (section 2.7). */
function eventsOf(metric: Members): readonly unknown[] {
  const { events } = membersOf(metric.lineage);
  return [
    ...(Array.isArray(events) ? events : []),
    ...[...objectsIn(metric.metricEvents), ...objectsIn(metric.funnelEventList)].map(event => event.name),
  ];
}

/** Turn the name of a metric source into that of an event (`purchases_daily` into `purchase`), the likeliest first. */
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
 * Looks for logged events. The API has no list of them (section 4 names none), so it begins with the names that were
 * given, tries those derived from the metric sources, and goes on from event to event through the lineage of their
 * metrics.
 *
 * @param isName whether a text of the target may be used as a name
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
    // Some services answer for a name that they do not know, with empty lists.
    if (records === 0 && listing.items.length === 0) continue;
    found.push({ name, metrics: listing.items, totals: { metrics: total, records } });
    for (const event of listing.items.flatMap(eventsOf)) if (isName(event)) named.add(event);
  }
  return found;
}
