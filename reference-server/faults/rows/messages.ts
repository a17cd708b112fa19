import { onBody } from '../../decorators/responses.ts';
import type { FaultTable } from '../fault.ts';

const says = (reworded: (text: string, entity: { id?: string; name?: string }) => string) =>
  onBody(body => ({
    ...body,
    message: reworded(String(body.message), (body.data ?? {}) as { id?: string; name?: string }),
  }));

/** The exact texts of section 1. */
// biome-ignore format: a table
export const messageFaults: FaultTable = [
  { id: 'message-environments-singular',      requirement: 'message.update-environments',     endpoints: ['update-environments'],     title: 'The message speaks of one environment.',                    decorator: says(() => 'Environment updated successfully.') },
  { id: 'message-source-no-full-stop',        requirement: 'message.update-qualifying-event', endpoints: ['update-qualifying-event'], title: 'The message of an updated source has no full stop.',        decorator: says(text => text.slice(0, -1)) },
  { id: 'message-gate-named',                 requirement: 'message.patch-gate',              endpoints: ['patch-gate'],              title: 'The message of a patched gate names the gate.',             decorator: says((_, { id }) => `Gate ${id} updated successfully.`) },
  { id: 'message-gate-disabled',              requirement: 'message.disable-gate',            endpoints: ['disable-gate'],            title: 'The message of a disabled gate says disabled, not updated.', decorator: says(() => 'Gate disabled successfully.') },
  { id: 'message-metric-upper-case',          requirement: 'message.create-metric',           endpoints: ['create-metric'],           title: 'The message of a created metric is spelled Successfully.',  decorator: says(text => text.replace('successfully', 'Successfully')) },
  { id: 'message-sources-capital-events',     requirement: 'message.list-qualifying-events',  endpoints: ['list-qualifying-events'],  title: 'The message of the list spells Events with a capital.',     decorator: says(text => text.replace('events', 'Events')) },
  { id: 'message-segments-trailing-blank',    requirement: 'message.list-segments',           endpoints: ['list-segments'],           title: 'The message of the list of segments ends in a blank.',      decorator: says(text => `${text} `) },
  { id: 'message-event-metrics-of-creation',  requirement: 'message.list-event-metrics',      endpoints: ['list-event-metrics'],      title: 'The list of metrics has the message of a creation.',        decorator: says(() => 'Metric created successfully.') },
  { id: 'message-events-listed',              requirement: 'message.list-events',             endpoints: ['list-events'],             title: 'The message speaks of events instead of event values.',     decorator: says(() => 'Events listed successfully.') },
  { id: 'message-events-later-pages',          requirement: 'message.list-events',             endpoints: ['list-events'],             title: 'From the second page on the message is another one.',       decorator: onBody(body => ({ ...body, message: (body.pagination as { pageNumber: number }).pageNumber > 1 ? 'More event values listed successfully.' : body.message })) },
];
