import { endpointRow } from '../../contracts/endpoints.ts';
import { kinds, readsOf } from '../model/resources.ts';
import type { Suspicion } from '../model/suspicion.ts';
import { type ApiRequest, isReading } from '../protocol/answer.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import type { Trial } from '../state/attribution.ts';
import { createEventually } from '../state/eventually.ts';
import type { RecordedSession } from '../sut/session.ts';
import { keptAnswer } from './evidence.ts';
import { type Sighting, shownIn } from './suspected.ts';
import { type Cause, nothingSeen, showsAgain, violationOf } from './trials.ts';

/** So many readings without a write show whether somebody else is at work, before anything is tried. */
const firstLook = 10;

/** A shorter page of the same list, where it is one. */
const shorterPage = (request: ApiRequest, number: number): ApiRequest | undefined =>
  endpointRow(request.endpoint).list ? { ...request, query: { page: 1, limit: 1 + (number % 2) } } : undefined;

/**
 * Whether what is suspected changes while nothing is done to it: then it is nobody's fault, and no trial would tell. What
 * hangs on how much was shown before stands still while the same is read again and again: other pages come between.
 */
export async function isMoving(session: RecordedSession, { suspicion, answer, known }: Sighting): Promise<boolean> {
  // What writes is not sent for a look.
  const { request } = known !== undefined && isReading(known.request) && !showsAgain(answer.request) ? known : answer;
  return changes(session, request, suspicion, firstLook, number => shorterPage(request, number));
}

/** Whether a request shows two values of what is suspected while it is sent so often, each time followed by another one. */
async function changes(
  session: RecordedSession,
  request: ApiRequest,
  suspicion: Suspicion,
  times: number,
  followedBy: (number: number) => ApiRequest | undefined = () => undefined,
): Promise<boolean> {
  const seen = new Set<string>();
  for (let number = 0; number < times && seen.size < 2; number += 1) {
    const shown = await unlessGivenUp(session.send(request), null);
    if (shown !== null) seen.add(shownIn(shown, suspicion));
    const other = followedBy(number);
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
  if (cause !== undefined) await unlessGivenUp(cause.send(undefined), null);
  return changes(session, answer.request, suspicion, longLook);
}

/**
 * Lists again what a list may not show yet, or no longer, until it is as it should be or the time to settle is over; and
 * reads again what a write may have made of it, as its own answer has it.
 */
export async function outlastLag(
  session: RecordedSession,
  { suspicion, answer, known }: Sighting,
  settleMs: number,
): Promise<void> {
  const { kind, excuses } = suspicion;
  const isListed = kind === 'missing' || kind === 'present';
  const excuse = isListed ? 'lag' : 'unknown';
  const request = isListed ? answer.request : known?.request;
  if (request === undefined || !isReading(request) || !excuses.has(excuse)) return;
  await createEventually(settleMs)(
    () => unlessGivenUp(session.send(request), null),
    () => suspicion.isExplained || !excuses.has(excuse),
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
 * contradicts that. One that writes, and was carried out on that very entity, is sent again between two readings that
 * show the same. Undefined where nothing requires of such an entity that it reads as it was written.
 */
export function readingTrial(session: RecordedSession, sighting: Sighting, settleMs: number): Trial | undefined {
  const { suspicion, answer, known } = sighting;
  const requirement = readsOf(suspicion.resource, suspicion.field);
  if (requirement === undefined || known === undefined || !isReading(known.request)) return undefined;
  const isWrite = !isReading(answer.request);
  if (isWrite && kinds[endpointRow(answer.request.endpoint).resource].shownAs === undefined) return undefined;
  const eventually = createEventually(settleMs);
  const read = async () => {
    const before = await session.send(known.request);
    const after = await session.send(answer.request);
    return { before, after, values: [shownIn(before, suspicion), shownIn(after, suspicion)] as const };
  };
  /** What a write has changed shows afterwards, if not at once. */
  const isChanged = async (before: string): Promise<boolean> =>
    isWrite &&
    (await eventually(
      async () => shownIn(await session.send(known.request), suspicion),
      now => now !== before,
    )) !== before;
  return {
    async attempt() {
      const { before, after, values } = await read();
      const isContrary = values[0] !== '' && values[1] === sighting.shown && values[0] !== values[1];
      if (!isContrary || (await isChanged(values[0]))) return nothingSeen;
      const steps = [before, after].map(keptAnswer);
      const violation = { ...violationOf({ ...sighting, answer: keptAnswer(after), steps }), requirement };
      return { suspicions: [{ key: suspicion.field, violation }], covers: [] };
    },
    async watch(readings) {
      const seen = [new Set<string>(), new Set<string>()] as const;
      for (let number = 0; number < readings; number += 1)
        if (isWrite) seen[0].add(shownIn(await session.send(known.request), suspicion));
        else for (const [index, value] of (await read()).values.entries()) seen[index]?.add(value);
      return seen.some(({ size }) => size > 1) ? [suspicion.field] : [];
    },
    putBack: async () => true,
  };
}
