import { withBody } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/** Sections 2, 4, 7 and 8: what a target does with a request that breaks a stated rule. The single rules are field rows. */
// biome-ignore format: a table
export const rejectionRequirements = [
  { id: 'reject.never-5xx', section: '7', standard: 'RFC 9110 §15.6', level: 'MUST', endpoints: withBody,
    statement: 'A request that breaks a stated rule is refused as the fault of the client, never with a 5xx status.' },
  { id: 'reject.wrong-type', section: '2.1', level: 'SHOULD', endpoints: withBody,
    statement: 'A value of another JSON type than the documented one, or a null that is not documented, is refused.' },
  { id: 'reject.well-typed-if-accepted', section: '2.1', level: 'MUST', endpoints: withBody,
    statement: 'Where a value of a wrong type is accepted after all, the answer is still of the documented types.' },
  { id: 'reject.body-json', section: '1', level: 'MUST', endpoints: 'all',
    statement: 'The body of a refusal on one of the fifteen routes, if it has one, is JSON.' },
  { id: 'reject.no-trace', section: '4', level: 'MUST', endpoints: ['update-qualifying-event', 'patch-gate', 'create-metric'],
    statement: 'A refused write changes nothing, not even the fields of it that were valid.' },
  { id: 'reject.metric-event-members', section: '2.7', level: 'MUST', endpoints: ['create-metric'],
    statement: 'A metric event that lacks its name or its type is refused.' },
  { id: 'reject.ratio-aggregation', section: '2.7', level: 'MUST', endpoints: ['create-metric'],
    statement: 'A ratio metric with an event that is aggregated otherwise than by count or count_distinct is refused.' },
  { id: 'reject.skip-validation-columns', section: '4.3', level: 'MUST', endpoints: ['update-qualifying-event'],
    statement: 'An update that skips the validation of its query is refused without the names and types of all columns.' },
] as const satisfies RequirementTable;
