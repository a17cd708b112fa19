import type { Json } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { withoutEffect } from '../model/causes.ts';
import { isFirm, type Suspicion } from '../model/suspicion.ts';
import { isReading } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import type { Source } from './findings.ts';
import { type LaneState, tellOfRun } from './lane-state.ts';
import type { Sent, Sighting, Told } from './suspected.ts';
import { violationOf } from './trials.ts';

/** The unit that tells a broken requirement: one that is about it at the operation that broke it, or shows it. */
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

/** True where a text that only a request without effect has sent is shown: no value that is lost or shown wrongly explains it. */
const isUnmistakable = ({ kind, certainBy }: Suspicion): boolean => kind === 'trace' && certainBy === 'mark';

/** True where a violation tells the same two values the other way round: what it shows is wrong is what a suspicion holds for known. */
const isContrary = ({ fault }: Violation, { expected, got }: Suspicion): boolean =>
  fault !== undefined &&
  same((fault.expected ?? null) as Json, (got ?? null) as Json) &&
  same((fault.got ?? null) as Json, (expected.at(-1) ?? null) as Json);

/** The requirements that checks of a lane have told to be broken, and the operations at which they told the same of a field. */
function toldIn(lane: LaneState, suspicion: Suspicion) {
  const { field } = suspicion;
  const told = lane.units.flatMap(({ id, endpoint }) =>
    [...lane.collectorOf(id).groups.values()].map(({ violation }) => ({ endpoint, violation })),
  );
  const isOfField = ({ violation: { pointer, requirement } }: (typeof told)[number]): boolean =>
    field !== '' &&
    pointer.split('/').includes(field) &&
    (!isUnmistakable(suspicion) || withoutEffect.has(requirement));
  const ofField = told.filter(isOfField);
  return {
    requirements: new Set<string>(told.map(({ violation }) => violation.requirement)),
    endpoints: new Set(ofField.map(({ endpoint }) => endpoint)),
    contrary: new Set(ofField.filter(({ violation }) => isContrary(violation, suspicion)).map(one => one.endpoint)),
  };
}

/** True where all that a suspicion may break has been told, or what that rests on. */
const areTold = (suspicion: Suspicion, told: ReadonlySet<string>): boolean =>
  suspicion.requirements.every(
    id =>
      told.has(id) || (!isUnmistakable(suspicion) && (requirementById(id).restsOn ?? []).some(one => told.has(one))),
  );

/** True where a check has told the same: all that it may break, or the same field of any answer. */
export function isTold({ suspicion }: Sighting, lane: LaneState): boolean {
  const { requirements, endpoints } = toldIn(lane, suspicion);
  return areTold(suspicion, requirements) || endpoints.size > 0;
}

/**
 * True where investigating would come to nothing new: all that it may break has been told, or the same field of the write
 * whose answer shows it, or of every operation that may have done it (of one of several it may be, and another has a
 * defect of its own); or that what is known was shown wrongly.
 */
export function isExplained({ suspicion, culprits, known, answer: { request } }: Sighting, lane: LaneState): boolean {
  const { requirements, endpoints, contrary } = toldIn(lane, suspicion);
  if (areTold(suspicion, requirements) || (!isReading(request) && endpoints.has(request.endpoint))) return true;
  if (known !== undefined && contrary.has(known.request.endpoint)) return true;
  return culprits.length === 0
    ? endpoints.has(suspicion.endpoint)
    : culprits.every(one => endpoints.has(one.request.endpoint));
}

/** True where the field has been told of the operation that was found to have done it. */
export const isToldOfCause = ({ telling, write }: Told, lane: LaneState): boolean =>
  toldIn(lane, telling.suspicion).endpoints.has(write?.request.endpoint ?? telling.suspicion.endpoint);

/** True where a check of the lane has proven a defect. */
const hasFailed = (lane: LaneState): boolean =>
  lane.units.some(({ id }) =>
    [...lane.collectorOf(id).groups.values()].some(
      ({ violation: { requirement, doubt } }) => doubt === undefined && requirementById(requirement).level === 'MUST',
    ),
  );

/** The case that an exchange belongs to: its id has a number from the second request of a case on. */
export const caseOf = (lane: LaneState, id: string) =>
  lane.cases.get(id) ?? lane.cases.get(id.replace(/~?(\.\d+)?$/, ''));

/** The case that a finding is told with: the one that sent the write, or else the one that showed it. */
const sourceOf = (lane: LaneState, { answer }: Sighting, write: Sent = answer): Source | undefined =>
  (caseOf(lane, write.id) ?? caseOf(lane, answer.id))?.source;

/** Adds a violation to the findings of the unit that tells it, if one was selected. */
export function tell(lane: LaneState, { telling, violation, write = telling.culprits[0] }: Told): void {
  const owner = ownerOf(violation.requirement, telling, write, lane);
  if (owner !== undefined) tellOfRun(lane, owner, violation, sourceOf(lane, telling, write));
}

/**
 * Notes what could not be investigated to its end, and why: a warning where nothing innocent explains it, and else the
 * unit that would tell it has proved nothing.
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
 * Adds the warnings of the investigations of a lane, once nothing more is proven there. What happened once beside a
 * defect that is proven is taken for its doing.
 */
export function tellDoubtful(lane: LaneState): void {
  if (hasFailed(lane)) return;
  for (const one of lane.doubtful) if (!isTold(one.telling, lane)) tell(lane, one);
}
