import { isDeepStrictEqual } from 'node:util';
import { endpointRow } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import { folded } from '../model/lineage.ts';
import { readsOf } from '../model/resources.ts';
import { isFirm } from '../model/suspicion.ts';
import { isReading } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { GivenUp, RunStopped, unlessGivenUp, Withheld } from '../protocol/stop.ts';
import { createAttribution, type Trial } from '../state/attribution.ts';
import { readMetrics } from '../state/reading.ts';
import { openSession, type RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import { restorableResources } from './fixture-reading.ts';
import type { LaneState } from './lane-state.ts';
import { isOfSeveral, isSporadic, possibleCauses } from './possible-causes.ts';
import {
  isFoundByHalf,
  isLasting,
  isMadeByShowing,
  isMoving,
  isShownAgain,
  isUndone,
  outlastLag,
  readingTrial,
} from './reading-trials.ts';
import { isOfRestoring } from './restore.ts';
import { restorations } from './snapshot.ts';
import { type Sent, type Sighting, type SuspicionGroup, type Told, tellingOf, violationOf } from './suspected.ts';
import { isExplained, isTold, isToldOfCause, leaveOpen, tell } from './telling.ts';
import { causeTrial, type Seen, showsAgain } from './trials.ts';

/** Maximum number of groups investigated per lane: more share a cause, or the target is beyond help. */
const mostInvestigated = 12;

/** The id prefix of an investigation's exchanges. Suspicions that they cause themselves are not news. */
const investigating = 'investigation#';
/** The doubt of a firm suspicion that could not be reproduced. */
const notAgain = 'it was not seen again when the same was sent once more';
/** The doubt of a change that no write can take back, so that it shows only once in each entity. */
const onlyOnce = 'it is the same in several entities, and cannot be put back to be tried again';

/** True if the sighting takes no trial: nobody else can have caused it, and nothing innocent. */
const isCertain = ({ suspicion }: Sighting): boolean => suspicion.certainBy !== undefined && isFirm(suspicion);

/**
 * Returns the result of investigating a group: a violation, a warning, or null if an innocent cause explains it.
 */
async function toldOf(
  lane: LaneState,
  telling: Sighting,
  number: number,
  { sightings }: SuspicionGroup,
): Promise<Told | null> {
  const { settleMs } = lane.run.config;
  const own = openSession(lane.run.wire, `${investigating}${number}`);
  let ofCases = 0;
  // Requests of repeated cases count as well.
  const session: RecordedSession = { ...own, answers: () => own.answers() + ofCases };
  if (namedBy(telling, lane) === 'part' && !(await isFoundByHalf(session, telling))) return null;
  await outlastLag(session, telling, settleMs);
  const { certainBy, resource, field } = telling.suspicion;
  const reads = readsOf(resource, field);
  if (isCertain(telling)) {
    const violation = violationOf(telling);
    if (certainBy === 'mark' || reads === undefined) return { telling, violation };
    return { telling: { ...telling, culprits: [] }, violation: { ...violation, requirement: reads } };
  }
  const causes = showsAgain(telling.answer.request)
    ? possibleCauses(lane, session, telling, requests => {
        ofCases += requests;
      })
    : [];
  let givenUp: GivenUp | undefined;
  const tried = async (trial: Trial | undefined): Promise<Violation | undefined> => {
    if (trial === undefined) return undefined;
    const making = createAttribution(settleMs)(session, trial);
    const { violations } = await making.catch((error: unknown) => {
      if (!(error instanceof GivenUp)) throw error;
      if (!(error instanceof Withheld)) givenUp = error;
      return { violations: [] };
    });
    return violations.find(({ doubt }) => doubt === undefined);
  };
  // One of several servers may leave a member out that the others show: which of them answers is chance.
  const isLeftOut = telling.suspicion.got === undefined && isReading(telling.answer.request);
  const comesAndGoes = async (): Promise<boolean> => isLeftOut && (await isMoving(session, telling));
  if (causes.length > 0 && !isFirm(telling.suspicion) && (await isMoving(session, telling))) return null;
  const contradiction = async (): Promise<Told | null | undefined> => {
    const contrary = await tried(readingTrial(session, telling, settleMs));
    if (contrary === undefined) return undefined;
    return (await comesAndGoes()) ? null : { telling: { ...telling, culprits: [] }, violation: contrary };
  };
  // Two readings that contradict each other with nothing written in between accuse no write.
  const isOther = !isDeepStrictEqual(telling.known?.request, telling.answer.request);
  const isOfReadings = isOther && isReading(telling.answer.request);
  const atOnce = isOfReadings ? await contradiction() : undefined;
  if (atOnce !== undefined) return atOnce;
  for (const cause of causes) {
    const seen: Seen = {};
    const violation = await tried(causeTrial(lane, session, telling, cause, seen));
    const { without } = seen;
    // The write is innocent. What is wrong without it may be others' doing.
    if (without !== undefined) {
      const isProven = isFirm(without.suspicion) && !(await isMoving(session, without));
      return isProven ? { telling: without, violation: violationOf(without) } : null;
    }
    if (violation === undefined) continue;
    const by: Sent = seen.withCause?.culprits[0] ?? cause;
    if (await comesAndGoes()) return null;
    if (!(await unlessGivenUp(isLasting(session, telling, cause, settleMs), true))) return null;
    const { suspicion, answer } = telling;
    const wasSent = (value: unknown): boolean => lane.run.suspected.wasSent(suspicion.id, suspicion.field, value);
    if (await unlessGivenUp(isMadeByShowing(session, telling, cause, wasSent), false)) {
      const changed: Sighting = { ...telling, suspicion: { ...suspicion, kind: 'changed' }, culprits: [] };
      return {
        telling: changed,
        violation: { ...violationOf(changed), ...present({ seen: violation.seen }) },
        write: answer,
      };
    }
    // If the reading itself causes the defect, its case is the source.
    const isOwn = cause.isBlamed === true || by.request.endpoint === cause.request.endpoint;
    return { telling, violation, write: isOwn ? cause : { ...by, id: telling.answer.id } };
  }
  const afterAll = isOfReadings ? undefined : await contradiction();
  if (afterAll !== undefined) return afterAll;
  if (givenUp !== undefined) throw givenUp;
  const violation = violationOf(telling);
  if (!isFirm(telling.suspicion))
    return isOfSeveral(lane, telling, sightings) ? { telling, violation: { ...violation, doubt: onlyOnce } } : null;
  if (causes.length > 0) {
    if (isSporadic(telling)) {
      if (await isUndone(session, telling, causes)) return null;
      // One reading may have lagged more than any before it, and the next write left nothing to wait for.
      const writes = new Set(sightings.map(({ culprits: [first] }) => first?.id)).size;
      const mayLag = telling.suspicion.behindMs !== undefined && writes < 2;
      return { telling, violation: mayLag ? { ...violation, doubt: notAgain } : violation };
    }
    // The answer may have lagged more than any before it, or the value comes and goes whatever is sent.
    if (telling.suspicion.behindMs !== undefined || (await isMoving(session, telling))) return null;
    return { telling, violation: { ...violation, doubt: notAgain } };
  }
  // If only the answer to a write showed it, and not again, it may have been true for a moment.
  if (telling.suspicion.kind === 'disagree' && !isReading(telling.answer.request))
    return (await isMoving(session, telling)) ? null : { telling, violation: { ...violation, doubt: notAgain } };
  return (await isShownAgain(session, telling)) && !(await comesAndGoes()) ? { telling, violation } : null;
}

/**
 * Returns how the name in a request relates to the target file. `part`: it is the beginning of a known name, and the
 * lineage judges what is listed under it. `other`: the identity of the answer judges it, or the name may be an alias.
 */
function namedBy(
  { suspicion: { kind }, answer: { request } }: Sighting,
  { run: { config } }: LaneState,
): 'file' | 'part' | 'other' {
  const { fixture, identity } = endpointRow(request.endpoint);
  const { param } = request;
  if (fixture === null || param === undefined) return 'file';
  const known = fixtureNames(config.target, fixture);
  if (known.includes(param)) return 'file';
  const isPart = known.some(name => name.startsWith(param)) && !known.map(folded).includes(folded(param));
  return kind === 'present' && identity?.is !== 'param' && isPart ? 'part' : 'other';
}

/** Returns the suspicions of a lane that no check has reported. */
const untold = (lane: LaneState): readonly SuspicionGroup[] => {
  const collection = lane.units[0]?.lane;
  return collection === undefined
    ? []
    : lane.run.suspected.groups(collection).filter(group => {
        const telling = tellingOf(group);
        return telling !== undefined && namedBy(telling, lane) !== 'other' && !isExplained(telling, lane);
      });
};

/** Reads the fixtures of a lane: after a replayed case no other case would show the effect of its writes. */
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

/**
 * True if a group was not investigated yet, has doubled since, or is certain, which takes no trial. Marks it as
 * investigated.
 */
function isDue({ investigated }: LaneState, { key, sightings }: SuspicionGroup, telling: Sighting): boolean {
  const before = investigated.get(key);
  const isTried = !isCertain(telling);
  if (isTried && (before === undefined ? investigated.size >= mostInvestigated : sightings.length < 2 * before))
    return false;
  investigated.set(key, sightings.length);
  return true;
}

/**
 * Investigates a bounded number of unreported suspicions of a lane and adds the results to the findings. Warnings wait
 * for `tellDoubtful`, because a check may prove more. Throws `RunStopped` as sessions do.
 */
export async function investigate(lane: LaneState, isLast: boolean): Promise<void> {
  for (const group of untold(lane)) {
    // New sightings tell more than those investigated in vain.
    const since = group.sightings.slice(lane.investigated.get(group.key) ?? 0);
    const ofCases = since.filter(({ culprits: [first] }) => first?.id.startsWith(investigating) !== true);
    const telling = tellingOf({ ...group, sightings: ofCases.length > 0 || !isLast ? ofCases : since });
    // A finding reported for one group may be the cause of the next.
    if (telling === undefined || isExplained(telling, lane)) continue;
    // Leave the creation budget to the checks to come.
    const creates = telling.culprits.some(({ request }) => endpointRow(request.endpoint).effect === 'additive');
    if (!isLast && creates && !isCertain(telling)) continue;
    if (!isDue(lane, group, telling)) continue;
    const told = await toldOf(lane, telling, lane.investigated.size, group).catch((error: unknown) => {
      if (!(error instanceof GivenUp || error instanceof RunStopped)) throw error;
      leaveOpen(lane, telling, error);
      if (error instanceof RunStopped) throw error;
      return null;
    });
    if (told === null || isToldOfCause(told, lane)) continue;
    if (told.violation.doubt === undefined) tell(lane, told);
    else lane.doubtful.push(told);
  }
}

/** Records the remaining suspicions of a lane that was cut short before investigating them. */
export function leaveSuspicions(lane: LaneState, cut: RunStopped): void {
  for (const group of untold(lane)) {
    const telling = tellingOf(group);
    if (telling !== undefined && !lane.investigated.has(group.key)) leaveOpen(lane, telling, cut);
  }
}

/** Adds the violations that restoring the fixtures has shown and no innocent cause explains. */
export function tellRestored(lane: LaneState): void {
  for (const { sightings } of untold(lane)) {
    const telling = sightings.find(({ suspicion, answer }) => isFirm(suspicion) && isOfRestoring(answer));
    if (telling === undefined || isTold(telling, lane)) continue;
    tell(lane, { telling, violation: violationOf(telling) });
  }
}
