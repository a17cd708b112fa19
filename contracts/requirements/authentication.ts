import { writes } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/** Section 5: the key that every operation requires. */
// biome-ignore format: a table
export const authenticationRequirements = [
  { id: 'auth.missing-key', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'A request without the key header does not succeed.' },
  { id: 'auth.empty-key', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'A request whose key header is empty does not succeed.' },
  { id: 'auth.wrong-key', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'A request with another key does not succeed.' },
  { id: 'auth.near-miss-key', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'A key that is nearly right, by a missing or added character or by letter case, does not succeed.' },
  { id: 'auth.key-in-query', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'The right key in the query alone does not succeed.' },
  { id: 'auth.key-in-body', section: '5', level: 'MUST', endpoints: writes,
    statement: 'The right key in the body alone does not succeed.' },
  { id: 'auth.bearer', section: '5', level: 'MUST', endpoints: 'all',
    statement: 'The right key as a bearer token alone does not succeed.' },
  { id: 'auth.header-case', section: '5', standard: 'RFC 9110 §5.1', level: 'MUST', endpoints: 'all',
    statement: 'The right key succeeds whatever the letter case of the name of its header.' },
  { id: 'auth.no-effect', section: '5', level: 'MUST', endpoints: writes,
    statement: 'A write without the right key in its header has no effect.' },
] as const satisfies RequirementTable;
