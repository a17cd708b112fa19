import type { Fields } from './checks.ts';
import { type Call, missing, type Operation, type Outcome } from './outcome.ts';

/**
 * The five lists (sections 4.2, 4.11, 4.12, 4.14 and 4.15). Their links differ in form: the specification asks for
 * little of them.
 */

/** How a list is cut and where its links point. */
interface Cut {
  readonly usual: number;
  /** The target of the page links, without its query. */
  readonly path: string;
  /** The link to the whole list; may be empty (section 2.1). */
  readonly all: string;
}

const largestPage = 50;

/** One page of a list (section 2.1). A page past the end is empty; a limit above 50 counts as 50. */
function list({ query }: Call, items: readonly Fields[], message: string, { usual, path, all }: Cut): Outcome {
  const page = whole(query.getAll('page'), 1);
  const asked = whole(query.getAll('limit'), usual);
  if (page === undefined || asked === undefined)
    return { status: 422, reason: 'page and limit are whole numbers from 1' };
  const limit = Math.min(asked, largestPage);
  const link = (to: number) => `${path}?limit=${limit}&page=${to}`;
  const pagination = {
    itemsPerPage: limit,
    pageNumber: page,
    totalItems: items.length,
    nextPage: page * limit < items.length ? link(page + 1) : null,
    previousPage: page > 1 ? link(page - 1) : null,
    all,
    cursor: null,
  };
  return { status: 200, message, data: items.slice((page - 1) * limit, page * limit), pagination };
}

function whole(sent: readonly string[], usual: number): number | undefined {
  if (sent.length === 0) return usual;
  const [only = '', ...rest] = sent;
  return rest.length === 0 && /^[1-9]\d{0,8}$/.test(only) ? Number(only) : undefined;
}

/** Section 4.2, the newest first; its links stand relative to the address called. */
export const listVersions: Operation = call => {
  const versions = call.state.configs.get(call.names[0] ?? '');
  if (versions === undefined) return missing('dynamic config');
  return list(call, versions, 'Here they are.', { usual: 7, path: 'versions', all: '' });
};

/** Section 4.11; the links lead elsewhere, as in the sample of section 2.1. */
export const listSources: Operation = call =>
  list(call, [...call.state.sources.values()], 'Qualifying events listed successfully.', {
    usual: 10,
    path: '/v2/sources',
    all: 'https://console.example.test/v2/sources/all',
  });

/** Section 4.12; the links are nothing but a query. */
export const listSegments: Operation = call =>
  list(call, call.state.segments, 'Segments listed successfully.', { usual: 10, path: '', all: '/v2/segments' });

/** Section 4.14: the metrics whose lineage has the event. */
export const listEventMetrics: Operation = call => {
  const [event = ''] = call.names;
  if (!call.state.events.has(event)) return missing('event');
  const metrics = [...call.state.metrics.values()].filter(metric => lineageEvents(metric).includes(event));
  return list(call, metrics, 'Metrics listed successfully.', { usual: 6, path: '../../metrics', all: '' });
};

const lineageEvents = ({ lineage }: Fields): readonly unknown[] =>
  typeof lineage === 'object' && lineage !== null && 'events' in lineage && Array.isArray(lineage.events)
    ? lineage.events
    : [];

/** Section 4.15: nextPage and all are paths under the event's own. */
export const listEventValues: Operation = call => {
  const [event = ''] = call.names;
  const records = call.state.events.get(event);
  if (records === undefined) return missing('event');
  const path = `/console/v1/events/${encodeURIComponent(event)}`;
  return list(call, records, 'Event values listed successfully.', { usual: 12, path, all: `${path}/everything` });
};
