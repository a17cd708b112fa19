import { endpointRow } from '../../contracts/endpoints.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { isFirm, type Suspicion } from '../model/suspicion.ts';
import type { CaseDescription, Violation } from '../protocol/check.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { createAttribution } from '../state/attribution.ts';
import { readMetrics } from '../state/reading.ts';
import { openSession } from '../sut/session.ts';
import { signatureOf } from './findings.ts';
import { restorableResources } from './fixture-reading.ts';
import type { LaneState } from './lane-state.ts';
import { isOfRestoring } from './restore.ts';
import { restorations } from './snapshot.ts';
import { type Sent, type Sighting, type SuspicionGroup, tellingOf } from './suspected.ts';
import { isRepeatable, isShownAgain, readingTrial, violationOf, writeTrial } from './trials.ts';

/** So many groups of a lane are investigated: more than that share a cause, or the target is beyond help. */
const mostInvestigated = 8;
/** So many of the writes that may have caused something are tried. */
const mostCulprits = 2;

/** Why what no innocent cause explains is told as a warning all the same. */
const notAgain = 'it was not seen again when the same was sent once more';

/** The unit that tells a broken requirement: one that is about it at the operation that broke it, or shows it. */
function ownerOf(requirement: RequirementId, endpoints: readonly string[], lane: LaneState): Unit | undefined {
  const units =
    lane.run.config.path === undefined ? lane.units : allUnits().filter(({ lane: own }) => own === lane.units[0]?.lane);
  const citing = units.filter(({ check, endpoint }) => citedBy(check, endpoint).includes(requirement));
  for (const id of endpoints) {
    const own = citing.find(({ endpoint }) => endpoint === id);
    if (own !== undefined) return own;
  }
  return citing[0];
}

/** True where a check has told the same: its requirement, one on which it rests, or the same field of an answer. */
function isTold({ requirements, field }: Suspicion, lane: LaneState): boolean {
  const restsOn = requirements.flatMap(id => requirementById(id).restsOn ?? []);
  return lane.units.some(({ id }) =>
    [...lane.collectorOf(id).groups.values()].some(
      ({ violation: { requirement, pointer } }) =>
        requirements.includes(requirement) ||
        restsOn.includes(requirement) ||
        (field !== '' && pointer.split('/').includes(field)),
    ),
  );
}

/** True where a check of the lane has proven a defect. */
const hasFailed = (lane: LaneState): boolean =>
  lane.units.some(({ id }) =>
    [...lane.collectorOf(id).groups.values()].some(
      ({ violation: { requirement, doubt } }) => doubt === undefined && requirementById(requirement).level === 'MUST',
    ),
  );

/** What is to be told of a group, by the sighting that shows it best, and the write that caused it, if that is known. */
interface Told {
  readonly telling: Sighting;
  readonly violation: Violation;
  readonly write?: Sent;
}

/** What comes of a group: a violation, a warning, or nothing where an innocent cause explains it. */
async function toldOf(lane: LaneState, telling: Sighting, number: number): Promise<Told | null> {
  const session = openSession(lane.run.wire, `investigation#${number}`);
  const attribute = createAttribution();
  const culprits = telling.culprits.filter(({ request }) => isRepeatable(request)).slice(0, mostCulprits);
  if (isRepeatable(telling.answer.request))
    for (const write of culprits) {
      let cause = write;
      const trial = writeTrial(lane, session, telling, write, ({ culprits: [first = write] }) => {
        cause = first;
      });
      const [violation] = (await unlessGivenUp(attribute(trial), { violations: [] })).violations;
      if (violation === undefined) continue;
      // Where it is the showing itself that does it, its case sends the cause.
      const isOwn = cause.request.endpoint === write.request.endpoint;
      return { telling, violation, write: isOwn ? write : { ...cause, id: telling.answer.id } };
    }
  const contrary = readingTrial(session, telling);
  if (contrary !== undefined) {
    const [violation] = (await unlessGivenUp(attribute(contrary), { violations: [] })).violations;
    if (violation !== undefined) return { telling: { ...telling, culprits: [] }, violation };
  }
  if (!isFirm(telling.suspicion)) return null;
  const violation = violationOf(telling);
  if (culprits.length > 0) return { telling, violation: { ...violation, doubt: notAgain } };
  return (await isShownAgain(session, telling)) ? { telling, violation } : null;
}

/** The case that a finding is told with: the one that sent the write, or else the one that showed it. */
function sourceOf(lane: LaneState, { answer }: Sighting, write: Sent | undefined, owner: string) {
  const about = (id: string) => lane.cases.get(id) ?? lane.cases.get(id.replace(/~?(\.\d+)?$/, ''));
  const known = (write === undefined ? undefined : about(write.id)) ?? about(answer.id);
  const description: CaseDescription = { title: 'what the run sent', pointer: '' };
  return known ?? { unit: owner, index: 0, path: '', description };
}

/** Adds a violation to the findings of the unit that tells it, and returns that; undefined where none was selected. */
function tell(lane: LaneState, { telling, violation, write = telling.culprits[0] }: Told): Unit | undefined {
  const writing = write === undefined ? [] : [write.request.endpoint];
  const owner = ownerOf(violation.requirement, [...writing, telling.suspicion.endpoint], lane);
  if (owner !== undefined)
    lane
      .collectorOf(owner.id)
      .add(signatureOf(owner.id, violation, null), violation, sourceOf(lane, telling, write, owner.id));
  return owner;
}

/** What is suspected in a lane and no check has told. */
const untold = (lane: LaneState): readonly SuspicionGroup[] => {
  const collection = lane.units[0]?.lane;
  return collection === undefined
    ? []
    : lane.run.suspected.groups(collection).filter(group => {
        const telling = tellingOf(group);
        return telling !== undefined && !isTold(telling.suspicion, lane);
      });
};

/**
 * Reads what can be read of the fixtures of a lane: a case that is replayed alone is followed by no other that would
 * show what became of its writes.
 */
async function readFixtures(lane: LaneState): Promise<void> {
  const collection = lane.units[0]?.lane ?? '';
  const session = openSession(lane.run.wire, 'investigation#fixtures');
  for (const { endpoint, param = '', body } of restorations(lane.snapshot, collection)) {
    const { read } = restorableResources[endpointRow(endpoint).resource] ?? {};
    if (read !== undefined) await unlessGivenUp(read(session, param, Object.keys(body)), null);
  }
  for (const event of collection === 'metrics' ? (lane.run.config.target.fixtures.events ?? []) : [])
    await unlessGivenUp(readMetrics(session, event), null);
}

/**
 * Investigates what the answers of a lane made suspicious and no check has told, a bounded number of groups, and adds
 * what comes of it to the findings. Returns the units that have one more. Throws `RunStopped` as sessions do.
 */
export async function investigate(lane: LaneState): Promise<ReadonlySet<Unit>> {
  if (lane.run.config.path !== undefined) await readFixtures(lane);
  const gained = new Set<Unit>();
  const doubtful: Told[] = [];
  const add = (one: Told): void => {
    const owner = tell(lane, one);
    if (owner !== undefined) gained.add(owner);
  };
  for (const [index, group] of untold(lane).slice(0, mostInvestigated).entries()) {
    const telling = tellingOf(group);
    // What was told of one group may be the cause of the next.
    if (telling === undefined || isTold(telling.suspicion, lane)) continue;
    const told = await unlessGivenUp(toldOf(lane, telling, index + 1), null);
    if (told === null) continue;
    if (told.violation.doubt === undefined) add(told);
    else doubtful.push(told);
  }
  // What happened once beside a defect that is proven is taken for its doing.
  if (!hasFailed(lane)) for (const one of doubtful) if (!isTold(one.telling.suspicion, lane)) add(one);
  return gained;
}

/** Adds what putting the fixtures back has shown, and nothing innocent explains. Returns the units that have one more. */
export function tellRestored(lane: LaneState): ReadonlySet<Unit> {
  const gained = new Set<Unit>();
  for (const { sightings } of untold(lane)) {
    const telling = sightings.find(({ suspicion, answer }) => isFirm(suspicion) && isOfRestoring(answer));
    if (telling === undefined || isTold(telling.suspicion, lane)) continue;
    const owner = tell(lane, { telling, violation: violationOf(telling) });
    if (owner !== undefined) gained.add(owner);
  }
  return gained;
}
