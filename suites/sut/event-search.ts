import type { EndpointId } from '../../contracts/endpoints.ts';
import { type Members, membersOf, objectsIn } from '../../contracts/json.ts';
import { readPage } from '../judge/page.ts';
import { type Answer, type ApiRequest, isSilence, outcomeOf } from '../protocol/answer.ts';
import { count } from '../protocol/entries.ts';
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

/** The result of a search. */
export interface EventSearch {
  readonly found: readonly FoundEvent[];
  /** For each operation that was asked no further because it does not answer: what came instead. */
  readonly silent: ReadonlyMap<EndpointId, string>;
}

/**
 * Maximum number of names tried, of events read beside the given ones, of metrics per event, and of names for which one
 * operation may leave a request unanswered: each costs the time limit.
 */
const bounds = { tries: 60, events: 8, metrics: 60, silent: 2 } as const;

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

/** Counts the requests of each operation that got no answer. */
function createSilences() {
  const times = new Map<EndpointId, number>();
  const silent = new Map<EndpointId, string>();
  return {
    silent,
    /** Returns what comes of asking an operation; undefined if it is not asked any more. */
    async ask<T extends { readonly answer: Answer }>(
      request: ApiRequest,
      work: (request: ApiRequest) => Promise<T>,
    ): Promise<T | undefined> {
      const { endpoint } = request;
      if (silent.has(endpoint)) return undefined;
      const came = await work(request);
      const { answer } = came;
      if (isSilence(answer) && count(times, endpoint) >= bounds.silent) silent.set(endpoint, outcomeOf(answer));
      return came;
    },
  };
}

/**
 * Searches for logged events. The API does not list them (section 4 names none). So it tries the given names, then
 * names derived from the metric sources, and follows the lineage of each event's metrics. Asks an operation no further
 * that does not answer.
 *
 * @param isName true if a text of the target may be used as a name
 */
export async function searchEvents(
  client: ReadOnlyClient,
  given: readonly string[],
  sources: readonly string[],
  isName: IsName,
): Promise<EventSearch> {
  const named = new Set(given);
  const guessed = new Set(guesses(sources).filter(name => !named.has(name)));
  const found: FoundEvent[] = [];
  const tried = new Set<string>();
  const { silent, ask } = createSilences();
  const next = (): string | undefined => [...named, ...guessed].find(name => !tried.has(name) && isName(name));
  for (let name = next(); name !== undefined; name = next()) {
    if (tried.size >= bounds.tries || (found.length >= bounds.events && !given.includes(name))) break;
    if (silent.size === 2) break;
    tried.add(name);
    // Both at once: where neither answers, that costs the time limit once.
    const [records, listing] = await Promise.all([
      ask({ endpoint: 'list-events', param: name }, async request => ({ answer: await client.send(request) })),
      ask({ endpoint: 'list-event-metrics', param: name }, request => readList(client, request, after(bounds.metrics))),
    ]);
    const metrics = listing?.items ?? [];
    const totals = {
      metrics: Math.max((listing && readPage(listing.answer)?.totalItems) ?? 0, metrics.length),
      records: (records && readPage(records.answer)?.totalItems) ?? 0,
    };
    // Some services answer unknown names with empty lists.
    if (totals.records === 0 && metrics.length === 0) continue;
    found.push({ name, metrics, totals });
    for (const event of metrics.flatMap(eventsOf)) if (isName(event)) named.add(event);
  }
  return { found, silent };
}
