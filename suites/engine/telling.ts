import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { isFirm, type Suspicion } from '../model/suspicion.ts';
import type { CaseDescription } from '../protocol/check.ts';
import { type Source, signatureOf } from './findings.ts';
import type { LaneState } from './lane-state.ts';
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

/** True where a check has told the same: all that it may break, or what that rests on, or the same field of an answer. */
export function isTold({ requirements, field }: Suspicion, lane: LaneState): boolean {
  const told = lane.units.flatMap(({ id }) =>
    [...lane.collectorOf(id).groups.values()].map(({ violation }) => violation),
  );
  const broken = new Set<string>(told.map(({ requirement }) => requirement));
  if (requirements.every(id => broken.has(id) || (requirementById(id).restsOn ?? []).some(one => broken.has(one))))
    return true;
  return field !== '' && told.some(({ pointer }) => pointer.split('/').includes(field));
}

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
function sourceOf(lane: LaneState, { answer }: Sighting, write: Sent | undefined, owner: string): Source {
  const known = (write === undefined ? undefined : caseOf(lane, write.id)) ?? caseOf(lane, answer.id);
  const description: CaseDescription = { title: 'what the run sent', pointer: '' };
  return known?.source ?? { unit: owner, index: 0, path: '', description };
}

/** Adds a violation to the findings of the unit that tells it, if one was selected. */
export function tell(lane: LaneState, { telling, violation, write = telling.culprits[0] }: Told): void {
  const owner = ownerOf(violation.requirement, telling, write, lane);
  if (owner === undefined) return;
  lane
    .collectorOf(owner.id)
    .add(signatureOf(owner.id, violation, null), violation, sourceOf(lane, telling, write, owner.id));
  lane.gained.add(owner);
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
  for (const one of lane.doubtful) if (!isTold(one.telling.suspicion, lane)) tell(lane, one);
}
