import { same } from '../../contracts/pointer.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { withoutEffect } from '../model/causes.ts';
import { isFirm, type Suspicion } from '../model/suspicion.ts';
import { isReading } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { isFailing, type Source } from './findings.ts';
import { groupsOf, type LaneState, tellOfRun } from './lane-state.ts';
import { type Sent, type Sighting, type Told, violationOf } from './suspected.ts';

/**
 * Returns the unit that reports a violation: it cites the requirement at the operation that violated it, or that showed
 * it.
 */
function ownerOf(
  requirement: RequirementId,
  { suspicion }: Sighting,
  write: Sent | undefined,
  lane: LaneState,
): Unit | undefined {
  const units =
    lane.run.config.path === undefined ? lane.units : allUnits().filter(({ lane: own }) => own === lane.units[0]?.lane);
  const citing = units.filter(({ check, endpoint }) => citedBy(check, endpoint).includes(requirement));
  for (const id of [write?.request.endpoint, suspicion.endpoint]) {
    const own = citing.find(({ endpoint }) => endpoint === id);
    if (own !== undefined) return own;
  }
  return citing[0];
}

/**
 * True if an answer shows a text that only a request without effect sent. No lost or misreported value explains that.
 */
const isUnmistakable = ({ kind, certainBy }: Suspicion): boolean => kind === 'trace' && certainBy === 'mark';

/** True if a violation states the same two values the other way round: its wrong value is the suspicion's known one. */
const isContrary = ({ fault }: Violation, { expected, got }: Suspicion): boolean =>
  fault !== undefined && same(fault.expected ?? null, got ?? null) && same(fault.got ?? null, expected.at(-1) ?? null);

/** Matches a pointer to a member of an entity. The others concern the entity as a whole, or a list of them. */
const toMember = /^\/data\/((\d+|\*)\/)?[a-z]/i;

/**
 * Returns the requirements that checks of a lane report as violated, those that they report of no other field, and the
 * operations at which they report the field.
 */
function toldIn(lane: LaneState, suspicion: Suspicion) {
  const { field, kind } = suspicion;
  const told = lane.units.flatMap(unit =>
    groupsOf(lane, [unit]).map(({ violation }) => ({ endpoint: unit.endpoint, violation })),
  );
  const isOfField = ({ violation: { pointer, requirement } }: (typeof told)[number]): boolean =>
    field !== '' &&
    pointer.split('/').includes(field) &&
    (!isUnmistakable(suspicion) || withoutEffect.has(requirement));
  const ofField = told.filter(isOfField);
  // A server that loses one field may lose others for the same reason.
  const isOfOther = (one: (typeof told)[number]): boolean =>
    field !== '' && kind !== 'lost' && toMember.test(one.violation.pointer) && !ofField.includes(one);
  return {
    requirements: new Set<string>(told.map(({ violation }) => violation.requirement)),
    ofNoOther: new Set<string>(told.filter(one => !isOfOther(one)).map(({ violation }) => violation.requirement)),
    endpoints: new Set(ofField.map(({ endpoint }) => endpoint)),
    contrary: new Set(ofField.filter(({ violation }) => isContrary(violation, suspicion)).map(one => one.endpoint)),
  };
}

/**
 * True if all requirements that a suspicion may violate have been reported, or those that they rest on, unless of
 * another field.
 */
const areTold = (suspicion: Suspicion, { requirements, ofNoOther }: ReturnType<typeof toldIn>): boolean =>
  suspicion.requirements.every(
    id =>
      requirements.has(id) ||
      (!isUnmistakable(suspicion) && (requirementById(id).restsOn ?? []).some(one => ofNoOther.has(one))),
  );

/** True if a check reports the same: all its requirements, or the same field of any answer. */
export function isTold({ suspicion }: Sighting, lane: LaneState): boolean {
  const told = toldIn(lane, suspicion);
  return areTold(suspicion, told) || told.endpoints.size > 0;
}

/**
 * True if an investigation would find nothing new. Either all its requirements are reported, or the same field is
 * reported of the write whose answer shows it, or of every possible culprit. If only some culprits are reported,
 * another may have its own defect. Also true if the known value is reported as wrong.
 */
export function isExplained({ suspicion, culprits, known, answer: { request } }: Sighting, lane: LaneState): boolean {
  const told = toldIn(lane, suspicion);
  const { endpoints, contrary } = told;
  if (areTold(suspicion, told) || (!isReading(request) && endpoints.has(request.endpoint))) return true;
  if (known !== undefined && contrary.has(known.request.endpoint)) return true;
  return culprits.length === 0
    ? endpoints.has(suspicion.endpoint)
    : culprits.every(one => endpoints.has(one.request.endpoint));
}

/** True if the field is already reported of the operation that was found to be the cause. */
export const isToldOfCause = ({ telling, write }: Told, lane: LaneState): boolean =>
  toldIn(lane, telling.suspicion).endpoints.has(write?.request.endpoint ?? telling.suspicion.endpoint);

/** True if a check of the lane has proven a defect. */
const hasFailed = (lane: LaneState): boolean =>
  groupsOf(lane, lane.units).some(({ violation }) => isFailing(violation));

/** Returns the case of an exchange. From the second request of a case on, its id carries a number. */
export const caseOf = (lane: LaneState, id: string) =>
  lane.cases.get(id) ?? lane.cases.get(id.replace(/~?(\.\d+)?$/, ''));

/**
 * Returns the case to report with a finding: the one that sent the write, or else the one that showed it. None if
 * several requests together show it.
 */
const sourceOf = (lane: LaneState, { suspicion, answer }: Sighting, write: Sent = answer): Source | undefined =>
  suspicion.lacks === undefined ? (caseOf(lane, write.id) ?? caseOf(lane, answer.id))?.source : undefined;

/** Adds a violation to the findings of the unit that reports it, if one was selected. */
export function tell(lane: LaneState, { telling, violation, write = telling.culprits[0] }: Told): void {
  const owner = ownerOf(violation.requirement, telling, write, lane);
  if (owner !== undefined) tellOfRun(lane, owner, violation, sourceOf(lane, telling, write));
}

/**
 * Records an unfinished investigation and the reason. A firm suspicion becomes a warning, and the unit that would
 * report it has proved nothing.
 */
export function leaveOpen(lane: LaneState, telling: Sighting, { message }: Error): void {
  const violation = violationOf(telling);
  const owner = ownerOf(violation.requirement, telling, telling.culprits[0], lane);
  if (isFirm(telling.suspicion))
    lane.doubtful.push({ telling, violation: { ...violation, doubt: `it could not be tried again: ${message}` } });
  if (owner === undefined) return;
  lane.leftOpen.set(owner.id, `what looked wrong could not be investigated: ${message}`);
  lane.gained.add(owner);
}

/**
 * Adds the warnings of a lane's investigations, once nothing more can be proven. A single occurrence beside a proven
 * defect is attributed to that defect.
 */
export function tellDoubtful(lane: LaneState): void {
  if (hasFailed(lane)) return;
  for (const one of lane.doubtful) if (!isTold(one.telling, lane)) tell(lane, one);
}
