import type { Check, CheckRole } from '../protocol/check.ts';
import { accepts } from './active/accepts.ts';
import { authentication } from './active/authentication.ts';
import { combinations } from './active/combinations.ts';
import { malformedBodies } from './active/malformed-bodies.ts';
import { metricTypes } from './active/metric-types.ts';
import { oddRequests } from './active/odd-requests.ts';
import { pagination } from './active/pagination.ts';
import { rejects } from './active/rejects.ts';
import { spellings } from './active/spellings.ts';
import { values } from './active/values.ts';
import { violations } from './active/violations.ts';
import { disclosure } from './passive/disclosure.ts';
import { echo } from './passive/echo.ts';
import { envelope } from './passive/envelope.ts';
import { identity } from './passive/identity.ts';
import { message } from './passive/message.ts';
import { pages } from './passive/pages.ts';
import { presence } from './passive/presence.ts';
import { refusals } from './passive/refusals.ts';
import { schema } from './passive/schema.ts';
import { tableNotes } from './passive/table-notes.ts';
import { archiveReason } from './scenarios/archive-reason.ts';
import { endedConfigs } from './scenarios/ended-configs.ts';
import { atOnce } from './stimuli/at-once.ts';
import { courses } from './stimuli/courses.ts';
import { disables } from './stimuli/disables.ts';
import { disposable } from './stimuli/disposable.ts';
import { eventStored } from './stimuli/event-stored.ts';
import { experimentNeighbours } from './stimuli/experiment-neighbours.ts';
import { experimentNoTrace } from './stimuli/experiment-no-trace.ts';
import { frame } from './stimuli/frame.ts';
import { lineage } from './stimuli/lineage.ts';
import { lists } from './stimuli/lists.ts';
import { metricStored } from './stimuli/metric-stored.ts';
import { neighbours } from './stimuli/neighbours.ts';
import { noTrace } from './stimuli/no-trace.ts';
import { races } from './stimuli/races.ts';
import { refusedName } from './stimuli/refused-name.ts';
import { restUnchanged } from './stimuli/rest-unchanged.ts';
import { sequences } from './stimuli/sequences.ts';

/** All checks. Active ones run in this order within an endpoint; passive ones judge the answers of all of them. */
export const checks: readonly Check[] = [
  // Run first: these checks need the fixtures' original state.
  frame,
  disables,
  neighbours,
  experimentNeighbours,
  accepts,
  metricTypes,
  spellings,
  combinations,
  values,
  lists,
  courses,
  sequences,
  eventStored,
  metricStored,
  lineage,
  atOnce,
  restUnchanged,
  races,
  pagination,
  rejects,
  violations,
  noTrace,
  experimentNoTrace,
  refusedName,
  authentication,
  malformedBodies,
  oddRequests,
  endedConfigs,
  archiveReason,
  // What may be locked or ended afterwards is written last.
  disposable,
  envelope,
  message,
  schema,
  presence,
  identity,
  pages,
  echo,
  tableNotes,
  refusals,
  disclosure,
] as readonly Check[];

/** Returns the check that has a role; a test ensures that exactly one does. */
export const checkOf = (role: Exclude<CheckRole, 'acceptance'>): Check =>
  checks.find(check => check.role === role) as Check;
