import { type EndpointId, type EndpointTable, endpoints, endpointsWhere } from '../endpoints.ts';
import type { Requirement } from './requirement.ts';

/** The endpoints whose message of success is given. */
type WithMessage = { [Id in EndpointId]: EndpointTable[Id]['message'] extends string ? Id : never }[EndpointId];

/** Section 1: the exact texts of success. They stand in the endpoint table. */
export const messageRequirements = (endpointsWhere(row => row.message !== null) as readonly WithMessage[]).map(
  (id): Requirement<`message.${WithMessage}`> => ({
    id: `message.${id}`,
    section: '1',
    level: 'MUST',
    endpoints: [id],
    statement: `Success of *${endpoints[id].title}* says exactly "${endpoints[id].message}" in \`message\`.`,
  }),
);
