import { onBody } from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const says = (reworded: (text: string, entity: { id?: string; name?: string }) => string) =>
  onBody(body => ({
    ...body,
    message: reworded(String(body.message), (body.data ?? {}) as { id?: string; name?: string }),
  }));

/** The exact texts of section 1. */
// biome-ignore format: a table
export const messageFaults: FaultTable = [
  ['message-environments-singular',     'update-environments',     'message.update-environments',     'The message speaks of one environment.',                     says(() => 'Environment updated successfully.')],
  ['message-source-no-full-stop',       'update-qualifying-event', 'message.update-qualifying-event', 'The message of an updated source has no full stop.',         says(text => text.slice(0, -1))],
  ['message-gate-named',                'patch-gate',              'message.patch-gate',              'The message of a patched gate names the gate.',              says((_, { id }) => `Gate ${id} updated successfully.`)],
  ['message-gate-disabled',             'disable-gate',            'message.disable-gate',            'The message of a disabled gate says disabled, not updated.', says(() => 'Gate disabled successfully.')],
  ['message-metric-upper-case',         'create-metric',           'message.create-metric',           'The message of a created metric is spelled Successfully.',   says(text => text.replace('successfully', 'Successfully'))],
  ['message-sources-capital-events',    'list-qualifying-events',  'message.list-qualifying-events',  'The message of the list spells Events with a capital.',      says(text => text.replace('events', 'Events'))],
  ['message-segments-trailing-blank',   'list-segments',           'message.list-segments',           'The message of the list of segments ends in a blank.',       says(text => `${text} `)],
  ['message-event-metrics-of-creation', 'list-event-metrics',      'message.list-event-metrics',      'The list of metrics has the message of a creation.',         says(() => 'Metric created successfully.')],
  ['message-events-listed',             'list-events',             'message.list-events',             'The message speaks of events instead of event values.',      says(() => 'Events listed successfully.')],
  ['message-events-later-pages',        'list-events',             'message.list-events',             'From the second page on the message is another one.',        onBody(body => ({ ...body, message: (body.pagination as { pageNumber: number }).pageNumber > 1 ? 'More event values listed successfully.' : body.message }))],
];
