import type { EndpointId } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import type { RequirementTable } from './requirement.ts';

function exactly(id: EndpointId): string {
  return `Success of *${endpoints[id].title}* says exactly "${endpoints[id].message}" in \`message\`.`;
}

/** Section 1: the eight texts of success, which nine operations share. The texts themselves stand in the endpoint table. */
// biome-ignore format: a table
export const messageRequirements = [
  { id: 'message.update-environments',     section: '1', level: 'MUST', endpoints: ['update-environments'],     statement: exactly('update-environments') },
  { id: 'message.update-qualifying-event', section: '1', level: 'MUST', endpoints: ['update-qualifying-event'], statement: exactly('update-qualifying-event') },
  { id: 'message.patch-gate',              section: '1', level: 'MUST', endpoints: ['patch-gate'],              statement: exactly('patch-gate') },
  { id: 'message.disable-gate',            section: '1', level: 'MUST', endpoints: ['disable-gate'],            statement: exactly('disable-gate') },
  { id: 'message.create-metric',           section: '1', level: 'MUST', endpoints: ['create-metric'],           statement: exactly('create-metric') },
  { id: 'message.list-qualifying-events',  section: '1', level: 'MUST', endpoints: ['list-qualifying-events'],  statement: exactly('list-qualifying-events') },
  { id: 'message.list-segments',           section: '1', level: 'MUST', endpoints: ['list-segments'],           statement: exactly('list-segments') },
  { id: 'message.list-event-metrics',      section: '1', level: 'MUST', endpoints: ['list-event-metrics'],      statement: exactly('list-event-metrics') },
  { id: 'message.list-events',             section: '1', level: 'MUST', endpoints: ['list-events'],             statement: exactly('list-events') },
] as const satisfies RequirementTable;
