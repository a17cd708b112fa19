import { endpointRow } from '../../contracts/endpoints.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { kinds, overlap } from '../model/resources.ts';
import { isFirm, type Suspicion } from '../model/suspicion.ts';
import type { CaseDescription, Violation } from '../protocol/check.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { createAttribution, type Trial } from '../state/attribution.ts';
import { readMetrics } from '../state/reading.ts';
import { openSession, type RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import { type Source, signatureOf } from './findings.ts';
import { restorableResources } from './fixture-reading.ts';
import type { LaneState } from './lane-state.ts';
import { isOfRestoring } from './restore.ts';
import { restorations } from './snapshot.ts';
import { type Sent, type Sighting, type SuspicionGroup, type Told, tellingOf } from './suspected.ts';
import {
  type Cause,
  causeTrial,
  isMoving,
  isRepeatable,
  isShownAgain,
  outlastLag,
  readingOf,
  readingTrial,
  showsAgain,
  violationOf,
} from './trials.ts';

/** So many groups of a lane are investigated: more than that share a cause, or the target is beyond help. */
const mostInvestigated = 12;
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

/** The case that an exchange belongs to: its id has a number from the second request of a case on. */
const caseOf = (lane: LaneState, id: string) => lane.cases.get(id) ?? lane.cases.get(id.replace(/~?(\.\d+)?$/, ''));

/**
 * What may have caused a suspicion: its writes alone, the likeliest first, the first of them after the write before it,
 * and the whole case that sent it.
 */
function causesOf(lane: LaneState, session: RecordedSession, sighting: Sighting): readonly (Cause & Sent)[] {
  const { culprits, before } = sighting;
  const writes = culprits.filter(({ request }) => isRepeatable(request));
  const sending =
    ({ request }: Pick<Sent, 'request'>) =>
    (entity: string | undefined) =>
      session.send({ ...request, ...(entity === undefined ? {} : { param: entity }) });
  const alone: (Cause & Sent)[] = writes.slice(0, mostCulprits).map(write => ({ ...write, send: sending(write) }));
  const [first] = writes;
  if (first !== undefined && before !== undefined && readingOf(sighting) !== undefined && isRepeatable(before.request))
    alone.push({
      ...first,
      prepare: sending(before),
      send: sending(first),
    });
  const sent = first === undefined ? undefined : caseOf(lane, first.id);
  // What a whole case creates counts against the budget of the run.
  if (first === undefined || sent === undefined || !showsAgain(first.request)) return alone;
  return [...alone, { ...first, send: sent.again }];
}

/** True where "sometimes" is the defect, and no other write at the same time may have had a part in it. */
const isSporadic = ({ suspicion: { kind, requirements } }: Sighting): boolean =>
  kind === 'lost' &&
  requirements[0] !== undefined &&
  requirementById(requirements[0]).sporadic === true &&
  !requirements.some(id => Object.values<string>(overlap).includes(id));

/** What comes of a group: a violation, a warning, or nothing where an innocent cause explains it. */
async function toldOf(lane: LaneState, telling: Sighting, number: number): Promise<Told | null> {
  const session = openSession(lane.run.wire, `investigation#${number}`);
  await outlastLag(session, telling, lane.run.config.settleMs);
  const { isCertain, field, resource } = telling.suspicion;
  const { reads } = kinds[resource];
  if (isCertain) {
    const violation = violationOf(telling);
    if (!isFirm(telling.suspicion)) return null;
    if (field === '' || reads === undefined) return { telling, violation };
    return { telling: { ...telling, culprits: [] }, violation: { ...violation, requirement: reads } };
  }
  const causes = showsAgain(telling.answer.request) ? causesOf(lane, session, telling) : [];
  const tried = async (trial: Trial | undefined): Promise<Violation | undefined> =>
    trial === undefined
      ? undefined
      : (
          await unlessGivenUp(createAttribution(lane.run.config.settleMs)(session, trial), { violations: [] })
        ).violations.find(({ doubt }) => doubt === undefined);
  if (causes.length > 0 && !isFirm(telling.suspicion) && (await isMoving(session, telling))) return null;
  for (const cause of causes) {
    let by: Sent = cause;
    const violation = await tried(
      causeTrial(lane, session, telling, cause, ({ culprits: [first = cause] }) => {
        by = first;
      }),
    );
    if (violation === undefined) continue;
    // Where it is the showing itself that does it, its case sends the cause.
    const isOwn = by.request.endpoint === cause.request.endpoint;
    return { telling, violation, write: isOwn ? cause : { ...by, id: telling.answer.id } };
  }
  const contrary = await tried(readingTrial(session, telling));
  if (contrary !== undefined) return { telling: { ...telling, culprits: [] }, violation: contrary };
  if (!isFirm(telling.suspicion)) return null;
  const violation = violationOf(telling);
  if (causes.length > 0)
    return { telling, violation: isSporadic(telling) ? violation : { ...violation, doubt: notAgain } };
  return (await isShownAgain(session, telling)) ? { telling, violation } : null;
}

/** The case that a finding is told with: the one that sent the write, or else the one that showed it. */
function sourceOf(lane: LaneState, { answer }: Sighting, write: Sent | undefined, owner: string): Source {
  const known = (write === undefined ? undefined : caseOf(lane, write.id)) ?? caseOf(lane, answer.id);
  const description: CaseDescription = { title: 'what the run sent', pointer: '' };
  return known?.source ?? { unit: owner, index: 0, path: '', description };
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

/** False of an answer under a name that the target file does not have: what that shows is judged by its identity. */
function isOfFixture({ answer: { request } }: Sighting, { run: { config } }: LaneState): boolean {
  const { fixture } = endpointRow(request.endpoint);
  return (
    fixture === null || request.param === undefined || fixtureNames(config.target, fixture).includes(request.param)
  );
}

/** What is suspected in a lane and no check has told. */
const untold = (lane: LaneState): readonly SuspicionGroup[] => {
  const collection = lane.units[0]?.lane;
  return collection === undefined
    ? []
    : lane.run.suspected.groups(collection).filter(group => {
        const telling = tellingOf(group);
        return telling !== undefined && isOfFixture(telling, lane) && !isTold(telling.suspicion, lane);
      });
};

/**
 * Reads what can be read of the fixtures of a lane: a case that is replayed alone is followed by no other that would
 * show what became of its writes.
 */
export async function readFixtures(lane: LaneState): Promise<void> {
  const collection = lane.units[0]?.lane ?? '';
  const session = openSession(lane.run.wire, 'investigation#fixtures');
  for (const { endpoint, param = '', body } of restorations(lane.snapshot, collection)) {
    const { read } = restorableResources[endpointRow(endpoint).resource] ?? {};
    if (read !== undefined) await unlessGivenUp(read(session, param, Object.keys(body)), null);
  }
  for (const event of collection === 'metrics' ? (lane.run.config.target.fixtures.events ?? []) : [])
    await unlessGivenUp(readMetrics(session, event), null);
}

/** True of a group that was not investigated yet, or has come up much more often since. Notes that it is now. */
function isDue({ investigated }: LaneState, { key, sightings }: SuspicionGroup): boolean {
  const before = investigated.get(key);
  if (before === undefined ? investigated.size >= mostInvestigated : sightings.length < 2 * before) return false;
  investigated.set(key, sightings.length);
  return true;
}

/**
 * Investigates what the answers of a lane made suspicious and no check has told, a bounded number of groups, and adds
 * what comes of it to the findings: warnings only with the last investigation of the lane, for until then a check may
 * prove more. Returns the units that have one more. Throws `RunStopped` as sessions do.
 */
export async function investigate(lane: LaneState, isLast: boolean): Promise<ReadonlySet<Unit>> {
  const gained = new Set<Unit>();
  const add = (one: Told): void => {
    const owner = tell(lane, one);
    if (owner !== undefined) gained.add(owner);
  };
  for (const group of untold(lane)) {
    // What came up since tells more than what was investigated in vain.
    const since = group.sightings.slice(lane.investigated.get(group.key) ?? 0);
    const telling = tellingOf({ ...group, sightings: since });
    // What was told of one group may be the cause of the next.
    if (telling === undefined || isTold(telling.suspicion, lane)) continue;
    // What may still be created is needed by the checks to come.
    const creates = telling.culprits.some(({ request }) => endpointRow(request.endpoint).effect === 'additive');
    if (!isLast && creates && !telling.suspicion.isCertain) continue;
    if (!isDue(lane, group)) continue;
    const told = await unlessGivenUp(toldOf(lane, telling, lane.investigated.size), null);
    if (told === null) continue;
    if (told.violation.doubt === undefined) add(told);
    else lane.doubtful.push(told);
  }
  // What happened once beside a defect that is proven is taken for its doing.
  if (isLast && !hasFailed(lane)) for (const one of lane.doubtful) if (!isTold(one.telling.suspicion, lane)) add(one);
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
