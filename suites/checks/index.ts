import type { Check, CheckRole } from '../protocol/check.ts';
import { accepts, combinations } from './active/accepts.ts';
import { authentication } from './active/authentication.ts';
import { malformed } from './active/malformed.ts';
import { metricTypes } from './active/metric-types.ts';
import { oddRequests } from './active/odd-requests.ts';
import { pagination } from './active/pagination.ts';
import { rejects, violations } from './active/rejects.ts';
import { disclosure } from './passive/disclosure.ts';
import { echo } from './passive/echo.ts';
import { envelope } from './passive/envelope.ts';
import { identity } from './passive/identity.ts';
import { message } from './passive/message.ts';
import { presence } from './passive/presence.ts';
import { refusals } from './passive/refusals.ts';
import { schema } from './passive/schema.ts';
import { enableGroupsFrame } from './scenarios/enable-groups.ts';
import { gateDisable } from './scenarios/gate-disable.ts';
import { gateFrame } from './scenarios/gate-frame.ts';
import { creationsAtOnce, gateNeighbours } from './scenarios/gate-neighbours.ts';
import { gateSequences } from './scenarios/gate-sequences.ts';
import { lineageTruth, metricState } from './scenarios/metric-state.ts';
import { noTrace } from './scenarios/no-trace.ts';
import { qualifyingEventState } from './scenarios/qualifying-event.ts';

/** Every check there is. Active ones run in this order within an endpoint; passive ones judge the answers of all of them. */
export const checks: readonly Check[] = [
  // On gates as they were found: later checks leave nothing in them that could still be lost.
  gateFrame,
  gateDisable,
  accepts,
  metricTypes,
  combinations,
  gateSequences,
  gateNeighbours,
  qualifyingEventState,
  metricState,
  lineageTruth,
  creationsAtOnce,
  enableGroupsFrame,
  pagination,
  rejects,
  violations,
  noTrace,
  authentication,
  malformed,
  oddRequests,
  envelope,
  message,
  schema,
  presence,
  identity,
  echo,
  refusals,
  disclosure,
] as readonly Check[];

/** The one check of a role that one check has (a test holds that it does). */
export const checkOf = (role: Exclude<CheckRole, 'acceptance'>): Check =>
  checks.find(check => check.role === role) as Check;
