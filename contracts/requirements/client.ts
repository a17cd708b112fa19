import { statedPaging, withBody, writes } from './bindings.ts';
import { requirementTable } from './requirement.ts';

/**
 * The requirements for clients: destination, key and bodies of requests. Judged only in observed traffic. OPEN ones are
 * noted, and are never violations.
 */
// biome-ignore format: a table
export const clientRequirements = requirementTable([
  ['client.path', 'MUST', '4', 'all',
    'A client asks for the paths of section 4, and for no other below `/console/v1`.'],
  ['client.method', 'MUST', '4', 'all',
    'A client asks for each path by a method that section 4 gives for it.'],
  ['client.key-header', 'MUST', '5', 'all',
    'A client sends the key header, with a key in it, with every request.'],
  ['client.key-in-one-header', 'MUST', '5', 'all',
    'A client puts its key into no other header.'],
  ['client.key-not-in-query', 'MUST', '5', 'all',
    'A client never puts its key into the query, nor anywhere else in the URL.'],
  ['client.key-not-in-body', 'MUST', '5', writes,
    'A client never puts its key into the body.'],
  ['client.body-json', 'MUST', '1', withBody,
    'A client sends bodies that are valid UTF-8 and valid JSON.', { standard: 'RFC 8259 §2' }],
  ['client.body-constraint', 'MUST', '2.1', withBody,
    'A client keeps each constraint that is stated for a body: required fields, closed sets, lengths, patterns and bounds.'],
  ['client.body-member', 'SHOULD', '2.7', ['create-metric'],
    'A client names each metric event that it sends.'],
  ['client.body-type', 'SHOULD', '2.1', withBody,
    'A client sends each documented field with its documented JSON type, and null only where that is documented.'],
  ['client.query-type', 'SHOULD', '4.11', statedPaging,
    'A client sends whole numbers as `limit` and `page`.'],
  ['client.content-type', 'SHOULD', '1', withBody,
    'A client sends each body with the content type application/json.', { standard: 'RFC 9110 §8.3' }],
  ['client.retry-after', 'MUST', '8', 'all',
    'A client that is asked to wait does not come back to the operation with the same key before the time that `Retry-After` gives.',
    { standard: 'RFC 9110 §10.2.3', conditional: true }],
  ['client.undocumented-field', 'OPEN', '4', withBody,
    'What a field that no document names does in a request is not shown.'],
  ['client.undocumented-query', 'OPEN', '4', 'all',
    'What a query parameter that no document names does is not shown.'],
  ['client.unasked-body', 'OPEN', '4', 'all',
    'What a body does where the operation has none is not shown.'],
  ['client.followed-link', 'OPEN', '2.1', 'all',
    'Whether the path of a link between pages can be followed is not shown: its query is what counts.'],
  ['client.unoffered-page', 'OPEN', '4', 'all',
    'What the page parameters of a list do whose query is not stated is shown by the links of its answers alone.'],
]);

/** The side that a requirement binds: who sends requests, or who answers them. */
export type Side = 'client' | 'server';

/** Returns the side that a requirement binds. */
export const sideOf = (requirement: string): Side => (requirement.startsWith('client.') ? 'client' : 'server');
