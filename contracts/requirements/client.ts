import { statedPaging, withBody, writes } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/**
 * What binds whoever sends requests: where they go, how they show their key, what their bodies hold. Judged where the
 * traffic of a client is observed, and nowhere else; what is OPEN is noted, and never a breach.
 */
// biome-ignore format: a table
export const clientRequirements = [
  { id: 'client.path', section: '4', level: 'MUST', endpoints: 'all',
    statement: 'A client asks for the paths of section 4, and for no other below `/console/v1`.' },
  { id: 'client.method', section: '4', level: 'MUST', endpoints: 'all',
    statement: 'A client asks for each path by a method that section 4 gives for it.' },
  { id: 'client.key-header', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'A client sends the key header, with a key in it, with every request.' },
  { id: 'client.key-not-in-query', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'A client never puts its key into the query, nor anywhere else in the URL.' },
  { id: 'client.key-not-in-body', section: '5', level: 'MUST', endpoints: writes,
    statement: 'A client never puts its key into the body.' },
  { id: 'client.body-json', section: '1', standard: 'RFC 8259 §2', level: 'MUST', endpoints: withBody,
    statement: 'A client sends bodies that are valid UTF-8 and valid JSON.' },
  { id: 'client.body-constraint', section: '2.1', level: 'MUST', endpoints: withBody,
    statement: 'A client keeps each constraint that is stated for a body: required fields, closed sets, lengths, patterns and bounds.' },
  { id: 'client.body-member', section: '2.7', level: 'SHOULD', endpoints: ['create-metric'],
    statement: 'A client names each metric event that it sends.' },
  { id: 'client.body-type', section: '2.1', level: 'SHOULD', endpoints: withBody,
    statement: 'A client sends each documented field with its documented JSON type, and null only where that is documented.' },
  { id: 'client.query-type', section: '4.11', level: 'SHOULD', endpoints: statedPaging,
    statement: 'A client sends whole numbers as `limit` and `page`.' },
  { id: 'client.content-type', section: '1', standard: 'RFC 9110 §8.3', level: 'SHOULD', endpoints: withBody,
    statement: 'A client sends each body with the content type application/json.' },
  { id: 'client.retry-after', section: '8', standard: 'RFC 9110 §10.2.3', level: 'MUST', endpoints: 'all', conditional: true,
    statement: 'A client that is asked to wait does not come back to the operation with the same key before the time that `Retry-After` gives.' },
  { id: 'client.undocumented-field', section: '4', level: 'OPEN', endpoints: withBody,
    statement: 'What a field that no document names does in a request is not shown.' },
  { id: 'client.undocumented-query', section: '4', level: 'OPEN', endpoints: 'all',
    statement: 'What a query parameter that no document names does is not shown.' },
  { id: 'client.unasked-body', section: '4', level: 'OPEN', endpoints: 'all',
    statement: 'What a body does where the operation has none is not shown.' },
  { id: 'client.followed-link', section: '2.1', level: 'OPEN', endpoints: 'all',
    statement: 'Whether the path of a link between pages can be followed is not shown: its query is what counts.' },
  { id: 'client.unoffered-page', section: '4', level: 'OPEN', endpoints: 'all',
    statement: 'What the page parameters of a list do whose query is not stated is shown by the links of its answers alone.' },
] as const satisfies RequirementTable;

/** Whom a requirement binds: who sends requests, or who answers them. */
export type Side = 'client' | 'server';

/** Whom the requirement of an id binds. */
export const sideOf = (requirement: string): Side => (requirement.startsWith('client.') ? 'client' : 'server');
