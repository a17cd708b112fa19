import type { Fields } from './checks.ts';
import { type Call, missing, type Operation, type Outcome } from './outcome.ts';
import { type Cut, pageOf } from './paging.ts';

/** The five lists (sections 4.2, 4.11, 4.12, 4.14 and 4.15). Their links differ in form: the specification asks for little of them. */

function list(call: Call, items: readonly Fields[], message: string, cut: Cut): Outcome {
  const page = pageOf(items, call.query, cut);
  return 'reason' in page ? page : { status: 200, message, ...page };
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
