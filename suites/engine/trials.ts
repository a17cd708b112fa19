import { isOperation } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { isOneShot } from '../checks/units.ts';
import { kinds } from '../model/resources.ts';
import type { Answer, ApiRequest } from '../protocol/answer.ts';
import type { NumberedAnswer, Violation } from '../protocol/check.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import type { Trial, Tried } from '../state/attribution.ts';
import { createEventually } from '../state/eventually.ts';
import type { RecordedSession } from '../sut/session.ts';
import { keptAnswer } from './evidence.ts';
import type { LaneState } from './lane-state.ts';
import { putBack } from './put-back.ts';
import { restorations } from './snapshot.ts';
import { type Sent, type Sighting, shownIn } from './suspected.ts';
import { suspicionWords } from './suspicion-words.ts';

/** True of a request that can be sent again without harm. */
export function isRepeatable({ endpoint }: ApiRequest): boolean {
  const row = endpointRow(endpoint);
  return !isOneShot(endpoint) && !isOperation(row, 'config', 'disable');
}

/** One write, tried again: what was suspected is read, the write sent, and the same read again; `onSeen` is told of it. */
export function writeTrial(
  lane: LaneState,
  session: RecordedSession,
  sighting: Sighting,
  write: Sent,
  onSeen: (seen: Sighting) => void,
): Trial {
  const { suspicion, answer } = sighting;
  const { suspected, config } = lane.run;
  const show = answer.request;
  const eventually = createEventually(config.settleMs);
  const isSame = ({ suspicion: one }: Sighting): boolean =>
    one.resource === suspicion.resource &&
    one.field === suspicion.field &&
    one.requirements.some(id => suspicion.requirements.includes(id));
  const subjects = new Set([suspicion.id, write.request.param]);
  const fixtures = restorations(lane.snapshot, endpointRow(show.endpoint).collection).filter(
    ({ endpoint, param }) => endpointRow(endpoint).resource === suspicion.resource && subjects.has(param),
  );
  async function bringBack(): Promise<boolean> {
    let isBack = fixtures.length > 0 || endpointRow(write.request.endpoint).effect === 'additive';
    for (const one of fixtures)
      isBack = (await putBack(one, session, { settleMs: config.settleMs })) === null && isBack;
    return isBack;
  }
  return {
    async attempt(): Promise<Tried> {
      await unlessGivenUp(bringBack(), false);
      return suspected.during(async found => {
        const before = await session.send(show);
        const written = await session.send(write.request);
        let after = await session.send(show);
        await eventually(
          async () => {
            const isOpen = found.some(one => isSame(one) && !one.suspicion.isExplained);
            if (isOpen) after = await session.send(show);
            return isOpen;
          },
          isOpen => !isOpen,
        );
        const open = found.filter(one => isSame(one) && !one.suspicion.isExplained);
        const [first] = open;
        if (first === undefined) return { suspicions: [], covers: [] };
        onSeen(first);
        const steps = stepsOf([before, written, after]);
        const violation: Violation = { ...violationOf(first), answer: keptAnswer(after), steps };
        return { suspicions: [{ key: suspicion.field, violation }], covers: [] };
      });
    },
    async watch(readings) {
      const seen = new Set<string>();
      for (let number = 0; number <= readings; number += 1) seen.add(shownIn(await session.send(show), suspicion));
      return seen.size > 1 ? [suspicion.field] : [];
    },
    putBack: bringBack,
  };
}

/** A suspicion as a violation, by the answer that showed it. */
export function violationOf({ suspicion, answer }: Sighting): Violation {
  const [requirement] = suspicion.requirements;
  return {
    requirement: requirement as RequirementId,
    pointer: suspicion.pointer,
    ...suspicionWords(suspicion),
    answer,
  };
}

/** Whether an answer that contradicts others is given again, when nothing else is under way. */
export async function isShownAgain(session: RecordedSession, { suspicion, answer, shown }: Sighting): Promise<boolean> {
  const { request } = answer;
  if (!isRepeatable(request)) return true;
  const again = await unlessGivenUp(session.send(request), null);
  return again !== null && shownIn(again, suspicion) === shown;
}

/** The exchanges of a trial as steps of a finding, of which the last shows it. */
const stepsOf = (answers: readonly Answer[]): readonly NumberedAnswer[] =>
  answers.map((answer, index) => ({ number: index + 1, answer: keptAnswer(answer) }));

/** True of a request that only shows: a gate is shown by an empty patch (section 4.6). */
const isReading = ({ endpoint, body }: ApiRequest): boolean =>
  endpointRow(endpoint).method === 'GET' || (isObject(body) && Object.keys(body).length === 0);

/**
 * Two requests that show the same entity, one after the other, while nothing is written: what was known of it, and what
 * contradicts that. Undefined where one of them writes, or nothing requires of such an entity that it reads as it was
 * written.
 */
export function readingTrial(session: RecordedSession, sighting: Sighting): Trial | undefined {
  const { suspicion, answer, known } = sighting;
  const requirement = kinds[suspicion.resource].reads;
  if (requirement === undefined || known === undefined) return undefined;
  if (!isReading(known.request) || !isReading(answer.request)) return undefined;
  const read = async () => {
    const before = await session.send(known.request);
    const after = await session.send(answer.request);
    return { before, after, values: [shownIn(before, suspicion), shownIn(after, suspicion)] as const };
  };
  return {
    async attempt() {
      const { before, after, values } = await read();
      const isContrary = values[0] !== '' && values[1] === sighting.shown && values[0] !== values[1];
      if (!isContrary) return { suspicions: [], covers: [] };
      const steps = stepsOf([before, after]);
      const violation = { ...violationOf(sighting), requirement, answer: keptAnswer(after), steps };
      return { suspicions: [{ key: suspicion.field, violation }], covers: [] };
    },
    async watch(readings) {
      const seen = [new Set<string>(), new Set<string>()] as const;
      for (let number = 0; number < readings; number += 1)
        for (const [index, value] of (await read()).values.entries()) seen[index]?.add(value);
      return seen.some(({ size }) => size > 1) ? [suspicion.field] : [];
    },
    putBack: async () => true,
  };
}
