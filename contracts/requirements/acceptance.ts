import { constrained, withBody } from './bindings.ts';
import type { RequirementTable } from './requirement.ts';

/** Sections 2, 4 and 8: what a target accepts. What it may need to look up (names, features, sums) is never part of it. */
// biome-ignore format: a table
export const acceptanceRequirements = [
  { id: 'accept.smallest', section: '4', level: 'MUST', endpoints: 'all',
    statement: 'The smallest sensible request of an operation succeeds.' },
  { id: 'accept.stated-boundary', section: '8', level: 'MUST', endpoints: constrained,
    statement: 'A field on a bound that is stated, a character of a pattern and each value of a closed set are accepted.' },
  { id: 'accept.plain-value', section: '4', level: 'MUST', endpoints: withBody,
    statement: 'A field that names nothing else, alone on top of an accepted request, is accepted with an ordinary value.' },
  { id: 'accept.documented-null', section: '2.5', level: 'MUST', endpoints: ['update-qualifying-event', 'update-experiment', 'patch-gate', 'create-metric'],
    statement: 'Null is accepted in each field that is documented as a type or null.' },
  { id: 'accept.sql-placeholders', section: '2.6', level: 'MUST', endpoints: ['update-qualifying-event'],
    statement: 'The query of a qualifying event may contain the placeholders of the first and the last day.' },
  { id: 'accept.combination', section: '4', level: 'SHOULD', endpoints: withBody,
    statement: 'Fields that are accepted one by one are accepted together, and so are extreme values that nothing forbids.' },
  { id: 'accept.metric-count-types', section: '2.7', level: 'MUST', endpoints: ['create-metric'],
    statement: 'A metric of type event_count_custom or event_user over an event that exists is created.' },
  { id: 'accept.metric-types', section: '2.7', level: 'SHOULD', endpoints: ['create-metric'],
    statement: 'A metric of each other type, with the events or components that the type needs, is created.' },
] as const satisfies RequirementTable;
