import { endpointRow } from '../../contracts/endpoints.ts';
import { kinds } from '../model/resources.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import type { Trial } from '../state/attribution.ts';
import { createEventually } from '../state/eventually.ts';
import type { RecordedSession } from '../sut/session.ts';
import { keptAnswer } from './evidence.ts';
import { isReading, type Sighting, shownIn } from './suspected.ts';
import { type Cause, showsAgain, violationOf } from './trials.ts';

/** So many readings without a write show whether somebody else is at work, before anything is tried. */
const firstLook = 10;

/** A shorter page of the same list, where it is one. */
const shorterPage = (request: ApiRequest, number: number): ApiRequest | undefined =>
  endpointRow(request.endpoint).list ? { ...request, query: { page: 1, limit: 1 + (number % 2) } } : undefined;

/**
 * Whether what is suspected changes while nothing is done to it: then it is nobody's fault, and no trial would tell. What
 * hangs on how much was shown before stands still while the same is read again and again: other pages come between.
 */
export async function isMoving(session: RecordedSession, { suspicion, answer }: Sighting): Promise<boolean> {
  const seen = new Set<string>();
  for (let number = 0; number < firstLook && seen.size < 2; number += 1) {
    const shown = await unlessGivenUp(session.send(answer.request), null);
    if (shown !== null) seen.add(shownIn(shown, suspicion));
    const other = shorterPage(answer.request, number);
    if (other !== undefined) await unlessGivenUp(session.send(other), null);
  }
  return seen.size > 1;
}

/** So many readings after a write show whether somebody else takes it back now and then. */
const longLook = 100;

/** Whether what a write has stored is taken back while nothing is written: then somebody else may have done so before. */
export async function isUndone(
  session: RecordedSession,
  { suspicion, answer }: Sighting,
  [cause]: readonly Cause[],
): Promise<boolean> {
  const seen = new Set<string>();
  if (cause !== undefined) await unlessGivenUp(cause.send(undefined), null);
  for (let number = 0; number < longLook && seen.size < 2; number += 1) {
    const shown = await unlessGivenUp(session.send(answer.request), null);
    if (shown !== null) seen.add(shownIn(shown, suspicion));
  }
  return seen.size > 1;
}

/** Lists again what a list may not show yet, or no longer, until it is as it should be or the time to settle is over. */
export async function outlastLag(
  session: RecordedSession,
  { suspicion, answer: { request } }: Sighting,
  settleMs: number,
): Promise<void> {
  const { kind, excuses } = suspicion;
  if ((kind !== 'missing' && kind !== 'present') || !excuses.has('lag')) return;
  await createEventually(settleMs)(
    () => unlessGivenUp(session.send(request), null),
    () => suspicion.isExplained || !excuses.has('lag'),
  );
}

/**
 * Whether an answer that contradicts others is given again, when nothing else is under way. Where the request that showed
 * otherwise shows the same by now, they agree: it was late, or somebody has written it since.
 */
export async function isShownAgain(
  session: RecordedSession,
  { suspicion, answer, shown, known }: Sighting,
): Promise<boolean> {
  const { request } = answer;
  if (!showsAgain(request)) return true;
  const showing = async (one: ApiRequest): Promise<string | null> => {
    const again = await unlessGivenUp(session.send(one), null);
    return again === null ? null : shownIn(again, suspicion);
  };
  if ((await showing(request)) !== shown) return false;
  return known === undefined || !isReading(known.request) || (await showing(known.request)) !== shown;
}

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
      const steps = [before, after].map(keptAnswer);
      const violation = { ...violationOf({ ...sighting, answer: keptAnswer(after), steps }), requirement };
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
