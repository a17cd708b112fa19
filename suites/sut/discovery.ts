import type { EndpointId } from '../../contracts/endpoints.ts';
import { type Members, objectsIn } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import { redactedValue } from '../../contracts/redaction/values.ts';
import { type Naming, specificationNaming, type TargetFile } from '../../contracts/target.ts';
import { readPage } from '../judge/page.ts';
import { outcomeOf } from '../protocol/answer.ts';
import { RunStopped } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { type Listing, readList } from '../state/reading.ts';
import { type EventSearch, type FoundEvent, searchEvents } from './event-search.ts';
import { hindranceOf } from './hindrance.ts';
import { type IsName, namesFor } from './learning/lessons.ts';
import { openReadOnlyClient, type ReadOnlyClient } from './read-only-client.ts';
import { secretsOf } from './target-secrets.ts';

/** The result of reading a target, in the form of a target file without base URL and key. */
export interface Discovery {
  /** The whole file with every list; lists for which nothing was found are empty. */
  readonly file: TargetFile & { readonly fixtures: object; readonly vocabulary: object };
  /** Number of items read per list, and the outcome if a page could not be read. */
  readonly read: readonly { readonly endpoint: EndpointId; readonly items: number; readonly unread?: string }[];
  /** Given event names that the target does not have, or of which it tells nothing. */
  readonly unknownEvents: readonly string[];
  /** Operations that were asked no further because they do not answer, and what came instead. */
  readonly silent: EventSearch['silent'];
  readonly requests: number;
}

/** Why nothing could be read, and a remedy if known. */
export interface NoAnswers {
  readonly unreachable: string;
  readonly remedy?: string;
}

/** Maximum number of names per kind in the file. Two metric sources are written to; the others are only referred to. */
const most = { sources: 2, metricSources: 10, events: 4, metrics: 5, words: 10 } as const;

/** Returns the target's own names in its answers: the unit-id field beside `column`, the placeholders in SQL. */
function namingOf(sources: readonly Members[], header: string, isName: IsName): Partial<Naming> {
  const mapping = sources.flatMap(source => objectsIn(source.idTypeMapping));
  const fields = mapping.flatMap(({ column: _column, ...others }) => Object.keys(others));
  const unitIdField = fields.includes(specificationNaming.unitIdField) ? undefined : fields.find(isName);
  const sql = sources.map(source => (typeof source.sql === 'string' ? source.sql : '')).join('\n');
  const placeholder = (kind: string): string | undefined =>
    new RegExp(`\\{[A-Za-z_]{0,60}${kind}\\}`).exec(sql)?.find(isName);
  const found = present({
    apiKeyHeader: header,
    unitIdField,
    startDatePlaceholder: placeholder('start_date'),
    endDatePlaceholder: placeholder('end_date'),
  });
  return Object.fromEntries(
    Object.entries(found).filter(([name, value]) => value !== specificationNaming[name as keyof Naming]),
  );
}

/** Returns the columns that all given metric sources are known to have. */
function sharedColumns(sources: readonly Members[]): unknown[] {
  const columnsOf = (source: Members) => [
    source.timestampColumn,
    ...objectsIn(source.idTypeMapping).map(entry => entry.column),
  ];
  const [first, ...others] = sources.map(columnsOf);
  return (first ?? []).filter(column => others.every(columns => columns.includes(column)));
}

/**
 * Returns the events to name: all that the owner gave, and a few others. Events with two lists long enough to walk come
 * first.
 */
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
  const words = (values: readonly unknown[], limit: number = most.words): string[] =>
    [...new Set(values.filter(isName))].slice(0, limit);
  const names = words(
    sources.map(source => source.name),
    sources.length,
  );
  const metrics = events.flatMap(event => event.metrics);
  const units = [
    ...usable.flatMap(source => objectsIn(source.idTypeMapping).map(entry => entry[unitIdField])),
    ...metrics.flatMap(metric => (Array.isArray(metric.unitTypes) ? metric.unitTypes : [])),
  ];
  const listed = metrics.filter(
    (metric): metric is Members & { name: string; type: string } =>
      isName(metric.name) && isName(metric.type) && metric.id === `${metric.name}::${metric.type}`,
  );
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
      // Owners and members are sent wherever the file names them, and would get mail.
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

/** Returns the summary of a plain list. */
const readOf = (endpoint: EndpointId, { answer, items }: Listing): Discovery['read'][number] => ({
  endpoint,
  items: objectsIn(items).length,
  ...(readPage(answer) === null && { unread: outcomeOf(answer) }),
});

/** The input of further reading, after the plain lists. */
export interface PlainLists {
  readonly client: ReadOnlyClient;
  /** True if a text of the target may be used as a name. */
  readonly isName: IsName;
  /** The metric sources. */
  readonly sources: Listing;
  readonly segments: Listing;
  /** Searches for logged events, beginning with given names. */
  search(given: readonly string[]): Promise<EventSearch>;
}

/** Reads the lists that need no name, then calls `work` if the target can be read. It may go away at any time. */
export async function readPlainLists<T>(
  target: Target,
  mode: Parameters<typeof openReadOnlyClient>[1],
  timeoutMs: number,
  work: (lists: PlainLists) => Promise<T>,
): Promise<T | NoAnswers> {
  const client = openReadOnlyClient(target, mode, timeoutMs);
  const isName = namesFor(target.apiKey, text => redactedValue(text, secretsOf(target)));
  try {
    const sources = await readList(client, { endpoint: 'list-qualifying-events' });
    const segments = await readList(client, { endpoint: 'list-segments' });
    const answers = [sources.answer, segments.answer];
    const hindrance = await hindranceOf({ target, answers, timeoutMs, read: client.send });
    if (hindrance !== null) return { unreachable: hindrance.text, remedy: hindrance.remedy };
    const names = sources.items.flatMap(source => [source.name, source.tableName]).filter(isName);
    const search = (given: readonly string[]) => searchEvents(client, given, names, isName);
    return await work({ client, isName, sources, segments, search });
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    return { unreachable: error.message, ...present({ remedy: error.remedy }) };
  } finally {
    await client.close();
  }
}

/**
 * Reads from a target, by `GET` alone, what a target file can hold. That is its metric sources (section 4.11), and the
 * logged events that can be found (section 4.15) with their metrics (section 4.14). The segments (section 4.12) only
 * show whether lists can be read. Lists without a source stay empty.
 *
 * @param events names of logged events that the owner gave
 */
export const discover = (
  target: Target,
  events: readonly string[],
  timeoutMs: number,
): Promise<Discovery | NoAnswers> =>
  readPlainLists<Discovery | NoAnswers>(
    target,
    'reads',
    timeoutMs,
    async ({ client, isName, sources, segments, search }) => {
      const first = [sources.answer, segments.answer];
      if (!first.some(answer => answer.success))
        return { unreachable: `neither plain list can be read (${[...new Set(first.map(outcomeOf))].join(', ')})` };
      const { found, silent } = await search(events);
      return {
        file: describe(objectsIn(sources.items), found, events, target.naming.apiKeyHeader, isName),
        read: [readOf('list-qualifying-events', sources), readOf('list-segments', segments)],
        unknownEvents: events.filter(name => found.every(event => event.name !== name)),
        silent,
        requests: client.sent(),
      };
    },
  );
