import { type EndpointId, type EndpointTable, endpoints, endpointsWhere } from '../endpoints.ts';
import { lists } from './bindings.ts';
import type { Requirement, RequirementTable } from './requirement.ts';

/** Sections 1 and 4: how the service is reached, and the frame of every successful answer. */
// biome-ignore format: a table
export const envelopeRequirements = [
  { id: 'service.route', section: '4', level: 'MUST', endpoints: 'all',
    statement: 'Each of the fifteen operations is served at its own method and path below the base address and the prefix `/console/v1`.' },
  { id: 'service.request-content-type', section: '1', level: 'MUST', endpoints: 'all',
    statement: 'A client sends every body as JSON and says so in the content type.',
    unverified: 'It binds the client, not the target; the suite keeps it in all that it sends to be accepted.' },
  { id: 'envelope.status-200', section: '4', level: 'MUST', endpoints: endpointsWhere(row => row.success === 200),
    statement: 'Success is status 200, exactly, for the two operations whose code is given (4.6 and 4.10).' },
  { id: 'envelope.success-2xx', section: '4', level: 'MUST', endpoints: 'all',
    statement: 'A request that is accepted gets a 2xx status and a body that carries the result.' },
  { id: 'envelope.json', section: '1', standard: 'RFC 8259 §8.1', level: 'MUST', endpoints: 'all',
    statement: 'The body of a successful answer is valid UTF-8 and valid JSON.' },
  { id: 'envelope.content-type', section: '1', standard: 'RFC 9110 §8.3', level: 'SHOULD', endpoints: 'all',
    statement: 'An answer that carries JSON names a JSON media type as its content type.' },
  { id: 'envelope.object', section: '1', level: 'MUST', endpoints: 'all',
    statement: 'The root of a successful answer is an object.' },
  { id: 'envelope.message', section: '1', level: 'MUST', endpoints: 'all',
    statement: 'A successful answer has a `message`, and it is a string.' },
  { id: 'envelope.message-readable', section: '1', level: 'MUST', endpoints: 'all',
    statement: 'The `message` tells a person how the operation ended.',
    unverified: 'No rule tells a text that people understand from one that they do not; exact texts are rows of their own.' },
  { id: 'envelope.data', section: '1', level: 'MUST', endpoints: 'all',
    statement: 'A successful answer has `data`.' },
  { id: 'envelope.data-shape', section: '1', level: 'MUST', endpoints: 'all',
    statement: '`data` is one object, or on list operations an array of objects, and never the other way round.' },
  { id: 'envelope.pagination', section: '1', level: 'MUST', endpoints: lists,
    statement: 'The answer of every list operation has a `pagination` object beside `data`.' },
] as const satisfies RequirementTable;

/** An endpoint whose message of success is stated. */
type WithMessage = { [Id in EndpointId]: EndpointTable[Id]['message'] extends string ? Id : never }[EndpointId];

/** Section 1: the exact messages of success, as the endpoint table has them. */
export const messageRequirements = (endpointsWhere(row => row.message !== null) as readonly WithMessage[]).map(
  (id): Requirement<`message.${WithMessage}`> => ({
    id: `message.${id}`,
    section: '1',
    level: 'MUST',
    endpoints: [id],
    statement: `Success of *${endpoints[id].title}* says exactly "${endpoints[id].message}" in \`message\`.`,
  }),
);
