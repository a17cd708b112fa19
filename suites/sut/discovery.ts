import type { EndpointId } from '../../contracts/endpoints.ts';
import { isObject, type Members, membersOf } from '../../contracts/json.ts';
import { redactedValue } from '../../contracts/redaction/values.ts';
import { type Naming, specificationNaming, type TargetFile } from '../../contracts/target.ts';
import { readPage } from '../judge/page.ts';
import { type Answer, outcomeOf } from '../protocol/answer.ts';
import type { Target } from '../protocol/sut.ts';
import { type Listing, readList } from '../state/reading.ts';
import { hindranceOf } from './hindrance.ts';
import { type IsName, namesFor } from './learning/lessons.ts';
import { openReadOnlyClient, type ReadOnlyClient } from './read-only-client.ts';
import { secretsOf } from './target-secrets.ts';

/** A logged event that exists: the metrics over it that were read, and how many records of it there are. */
interface FoundEvent {
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
  isName: (value: unknown) => value is string,
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
    let read = 0;
    const request = { endpoint: 'list-event-metrics', param: name } as const;
    const listing = await readList(client, request, () => {
      read += 1;
      return read > bounds.metrics;
    });
    const total = Math.max(readPage(listing.answer)?.totalItems ?? 0, listing.items.length);
    // Some services answer for a name that they do not know, with empty lists.
    if (records === 0 && listing.items.length === 0) continue;
    found.push({ name, metrics: listing.items, totals: { metrics: total, records } });
    for (const event of listing.items.flatMap(eventsOf)) if (isName(event)) named.add(event);
  }
  return found;
}

/** What was read from a target, in the shape of a target file without base URL and key. */
export interface Discovery {
  /** The whole file with every list; those of which nothing could be found are empty. */
  readonly file: TargetFile & { readonly fixtures: object; readonly vocabulary: object };
  /** How many items of each list were read, and the outcome at which a page of it could not be. */
  readonly read: readonly { readonly endpoint: EndpointId; readonly items: number; readonly unread?: string }[];
  /** Names of events that were given and that the target does not have. */
  readonly unknownEvents: readonly string[];
  readonly requests: number;
}

/** Why nothing could be read, and what can be done about it, where that is known. */
export interface NoAnswers {
  readonly unreachable: string;
  readonly remedy?: string;
}

/** How many names of a kind go into the file. Two metric sources are written to; the others are only referred to. */
const most = { sources: 2, metricSources: 10, events: 4, metrics: 5, words: 10 } as const;

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** The target's own names in its answers: the unit-id field next to `column`, the placeholders in SQL. */
function namingOf(sources: readonly Members[], header: string, isName: IsName): Partial<Naming> {
  const mapping = sources.flatMap(source => objectsIn(source.idTypeMapping));
  const fields = mapping.flatMap(entry => Object.keys(entry).filter(key => key !== 'column'));
  const unitIdField = fields.includes(specificationNaming.unitIdField) ? undefined : fields.find(isName);
  const sql = sources.map(source => (typeof source.sql === 'string' ? source.sql : '')).join('\n');
  const placeholder = (kind: string): string | undefined =>
    new RegExp(`\\{[A-Za-z_]{0,60}${kind}\\}`).exec(sql)?.find(isName);
  const found = {
    apiKeyHeader: header,
    unitIdField,
    startDatePlaceholder: placeholder('start_date'),
    endDatePlaceholder: placeholder('end_date'),
  };
  return Object.fromEntries(
    Object.entries(found).filter(
      ([name, value]) => value !== undefined && value !== specificationNaming[name as keyof Naming],
    ),
  );
}

/** The columns that every one of some metric sources is known to have. */
function sharedColumns(sources: readonly Members[]): unknown[] {
  const columnsOf = (source: Members) => [
    source.timestampColumn,
    ...objectsIn(source.idTypeMapping).map(entry => entry.column),
  ];
  const [first, ...others] = sources.map(columnsOf);
  return (first ?? []).filter(column => others.every(columns => columns.includes(column)));
}

/** The events to name: all that the owner gave, and a few others; those whose two lists are long enough to walk over first. */
function namesOf(events: readonly FoundEvent[], given: readonly string[]): readonly string[] {
  const lists = ({ totals }: FoundEvent): number => Number(totals.metrics >= 14) + Number(totals.records >= 14);
  const names = [...events].sort((a, b) => lists(b) - lists(a)).map(({ name }) => name);
  const others = names.filter(name => !given.includes(name));
  const room = Math.max(0, most.events - (names.length - others.length));
  const left = new Set(others.slice(room));
  return names.filter(name => !left.has(name));
}

function describe(
  sources: readonly Members[],
  events: readonly FoundEvent[],
  given: readonly string[],
  header: string,
  isName: IsName,
): Discovery['file'] {
  const naming = namingOf(sources, header, isName);
  const unitIdField = naming.unitIdField ?? specificationNaming.unitIdField;
  const usable = sources.filter(source => isName(source.name));
  const names = distinct(usable.map(source => source.name as string));
  const metrics = events.flatMap(event => event.metrics);
  const units = [
    ...usable.flatMap(source => objectsIn(source.idTypeMapping).map(entry => entry[unitIdField])),
    ...metrics.flatMap(metric => (Array.isArray(metric.unitTypes) ? metric.unitTypes : [])),
  ];
  const listed = metrics.filter(
    (metric): metric is Members & { name: string; type: string } =>
      isName(metric.name) && isName(metric.type) && metric.id === `${metric.name}::${metric.type}`,
  );
  const words = (values: readonly unknown[], limit: number = most.words): string[] =>
    distinct(values.filter(isName)).slice(0, limit);
  return {
    fixtures: {
      gates: [],
      dynamicConfigs: [],
      experiments: [],
      qualifyingEvents: names.slice(0, most.sources),
      prompts: [],
      events: [...namesOf(events, given)],
      environments: [],
    },
    vocabulary: {
      idTypes: words(units),
      metrics: [...new Map(listed.map(({ id, name, type }) => [id, { name, type }])).values()].slice(0, most.metrics),
      models: [],
      providers: [],
      // Whom and what others belong to: sent wherever the file names it, and they would get mail.
      teams: [],
      users: [],
      apps: [],
      pipelines: [],
      reviewGroups: [],
      metricSources: names.slice(most.sources, most.sources + most.metricSources),
      columns: words(sharedColumns(usable.slice(0, most.sources + most.metricSources))),
      environments: [],
    },
    capabilities: [],
    ...(Object.keys(naming).length === 0 ? {} : { naming }),
  };
}

const unreadOf = ({ answer }: Listing): { unread?: string } =>
  readPage(answer) === null ? { unread: outcomeOf(answer) } : {};

/**
 * Reads from a target, by `GET` alone, what can stand in a target file: its metric sources (section 4.11) and, as far
 * as they can be found, its logged events (section 4.15) with their metrics (section 4.14); the segments (section 4.12)
 * show whether lists can be read. What no list shows stays empty.
 *
 * @param events names of logged events that the owner gave
 */
export async function discover(
  target: Target,
  events: readonly string[],
  timeoutMs: number,
): Promise<Discovery | NoAnswers> {
  const client = openReadOnlyClient(target, 'reads', timeoutMs);
  const secrets = secretsOf(target);
  const isName = namesFor(target.apiKey, text => redactedValue(text, secrets));
  try {
    const sources = await readList(client, { endpoint: 'list-qualifying-events' });
    const segments = await readList(client, { endpoint: 'list-segments' });
    const first: readonly Answer[] = [sources.answer, segments.answer];
    const hindrance = await hindranceOf({ target, answers: first, timeoutMs, read: client.send });
    if (hindrance !== null) return { unreachable: hindrance.text, remedy: hindrance.remedy };
    if (!first.some(answer => answer.success)) {
      return { unreachable: `neither plain list can be read (${[...new Set(first.map(outcomeOf))].join(', ')})` };
    }
    const items = objectsIn(sources.items);
    const names = items.flatMap(source => [source.name, source.tableName]).filter(isName);
    const found = await searchEvents(client, events, names, isName);
    return {
      file: describe(items, found, events, target.naming.apiKeyHeader, isName),
      read: [
        { endpoint: 'list-qualifying-events', items: items.length, ...unreadOf(sources) },
        { endpoint: 'list-segments', items: segments.items.length, ...unreadOf(segments) },
      ],
      unknownEvents: events.filter(name => found.every(event => event.name !== name)),
      requests: client.sent(),
    };
  } finally {
    await client.close();
  }
}
