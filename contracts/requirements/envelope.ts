import { type EndpointId, type EndpointTable, endpoints, endpointsWhere } from '../endpoints.ts';
import { lists } from './bindings.ts';
import { type Requirement, requirementTable } from './requirement.ts';

/** Sections 1 and 4: how the service is reached, and the envelope of every successful answer. */
// biome-ignore format: a table
export const envelopeRequirements = requirementTable([
  ['service.route', 'MUST', '4', 'all',
    'Each operation of section 4 is served at its own method and path below the base address and the prefix `/console/v1`.'],
  ['service.request-content-type', 'MUST', '1', 'all',
    'A client sends every body as JSON and says so in the content type.',
    { unverified: 'It binds the client, not the target; the suite keeps it in all that it sends to be accepted.' }],
  ['envelope.status-200', 'MUST', '4', endpointsWhere(row => row.success === 200),
    'Success is status 200, exactly, for the two operations whose code is given (4.6 and 4.10).'],
  ['envelope.success-2xx', 'MUST', '4', 'all',
    'A request that is accepted gets a 2xx status and a body that carries the result.'],
  ['envelope.json', 'MUST', '1', 'all',
    'The body of a successful answer is valid UTF-8 and valid JSON.', { standard: 'RFC 8259 §8.1' }],
  ['envelope.content-type', 'SHOULD', '1', 'all',
    'An answer that carries JSON names a JSON media type as its content type.', { standard: 'RFC 9110 §8.3' }],
  ['envelope.object', 'MUST', '1', 'all',
    'The root of a successful answer is an object.'],
  ['envelope.message', 'MUST', '1', 'all',
    'A successful answer has a `message`, and it is a string.'],
  ['envelope.message-readable', 'MUST', '1', 'all',
    'The `message` tells a person how the operation ended.',
    { unverified: 'No rule tells a text that people understand from one that they do not; exact texts are rows of their own.' }],
  ['envelope.data', 'MUST', '1', 'all',
    'A successful answer has `data`.'],
  ['envelope.data-shape', 'MUST', '1', 'all',
    '`data` is one object, or on list operations an array of objects, and never the other way round.'],
  ['envelope.pagination', 'MUST', '1', lists,
    'The answer of every list operation has a `pagination` object beside `data`.'],
]);

/** An endpoint with a stated message of success. */
type WithMessage = { [Id in EndpointId]: EndpointTable[Id]['message'] extends string ? Id : never }[EndpointId];

/** Section 1: the exact messages of success from the endpoint table. */
export const messageRequirements = (endpointsWhere(row => row.message !== null) as readonly WithMessage[]).map(
  (id): Requirement<`message.${WithMessage}`> => ({
    id: `message.${id}`,
    section: '1',
    level: 'MUST',
    endpoints: [id],
    statement: `Success of *${endpoints[id].title}* says exactly "${endpoints[id].message}" in \`message\`.`,
  }),
);
