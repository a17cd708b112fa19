import type { RequirementTable } from './requirement.ts';

/** Section 1: the eight texts of success, which nine operations share. */
// biome-ignore format: a table
export const messageRequirements = [
  { id: 'message.update-environments', section: '1', level: 'MUST', endpoints: ['update-environments'],
    statement: 'The `message` of updated environments is exactly the constant that is given for them.' },
  { id: 'message.update-qualifying-event', section: '1', level: 'MUST', endpoints: ['update-qualifying-event'],
    statement: 'The `message` of an updated qualifying event is exactly the constant that is given for it.' },
  { id: 'message.patch-gate', section: '1', level: 'MUST', endpoints: ['patch-gate'],
    statement: 'The `message` of a patched gate is exactly the constant that is given for gates.' },
  { id: 'message.disable-gate', section: '1', level: 'MUST', endpoints: ['disable-gate'],
    statement: 'The `message` of a disabled gate is exactly the constant that a patched one has.' },
  { id: 'message.create-metric', section: '1', level: 'MUST', endpoints: ['create-metric'],
    statement: 'The `message` of a created metric is exactly the constant that is given for it.' },
  { id: 'message.list-qualifying-events', section: '1', level: 'MUST', endpoints: ['list-qualifying-events'],
    statement: 'The `message` over the list of qualifying events is exactly the constant that is given for it.' },
  { id: 'message.list-segments', section: '1', level: 'MUST', endpoints: ['list-segments'],
    statement: 'The `message` over the list of segments is exactly the constant that is given for it.' },
  { id: 'message.list-event-metrics', section: '1', level: 'MUST', endpoints: ['list-event-metrics'],
    statement: 'The `message` over the metrics of an event is exactly the constant that is given for listed metrics.' },
  { id: 'message.list-events', section: '1', level: 'MUST', endpoints: ['list-events'],
    statement: 'The `message` over logged events is exactly the constant that is given for listed event values.' },
] as const satisfies RequirementTable;
