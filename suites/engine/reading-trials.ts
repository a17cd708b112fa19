import { isDeepStrictEqual } from 'node:util';
import { endpointRow } from '../../contracts/endpoints.ts';
import { asText, canonicalJson, membersOf } from '../../contracts/json.ts';
import { kinds, readsOf } from '../model/resources.ts';
import type { Suspicion } from '../model/suspicion.ts';
import { type ApiRequest, isReading } from '../protocol/answer.ts';
import { answerOrNull, unlessGivenUp } from '../protocol/stop.ts';
import type { Trial } from '../state/attribution.ts';
import { createEventually } from '../state/eventually.ts';
import type { RecordedSession } from '../sut/session.ts';
import { keptAnswer } from './evidence.ts';
import { pureReading } from './possible-causes.ts';
import { type Sighting, shownIn, violationOf } from './suspected.ts';
import { type Cause, nothingSeen, readingOf, showsAgain } from './trials.ts';

/** Number of readings without a write that show, before any trial, whether others are changing the entity. */
const firstLook = 10;

/**
 * Returns a request for a shorter page, if the request is for a list; undefined every third time, so that servers which
 * answer in turn all answer the request itself.
 */
const shorterPage = (request: ApiRequest, number: number): ApiRequest | undefined =>
  endpointRow(request.endpoint).list && number % 3 !== 2
    ? { ...request, query: { page: 1, limit: 1 + (number % 2) } }
    : undefined;

/**
 * True if the suspected value changes while nothing is done to it: then no trial would tell. Reads other pages in
 * between, because a value that depends on the previous page stands still otherwise.
 */
export async function isMoving(session: RecordedSession, sighting: Sighting): Promise<boolean> {
  // Do not write just to look: each write may have the very effect that is looked for.
  const request = readingOf(sighting) ?? pureReading(sighting) ?? sighting.answer.request;
  return changes(session, request, sighting.suspicion, firstLook, number => shorterPage(request, number));
}

/**
 * True if a request, repeated `times` times, shows two values of what is suspected. Each repetition may be followed by
 * another request.
 */
async function changes(
  session: RecordedSession,
  request: ApiRequest,
  suspicion: Suspicion,
  times: number,
  followedBy: (number: number) => ApiRequest | undefined = () => undefined,
): Promise<boolean> {
  const seen = new Set<string>();
  for (let number = 0; number < times && seen.size < 2; number += 1) {
    const shown = await answerOrNull(session, request);
    if (shown !== null) seen.add(shownIn(shown, suspicion));
    const other = followedBy(number);
    if (other !== undefined) await answerOrNull(session, other);
  }
  return seen.size > 1;
}

/** Number of readings after a write that show whether others undo it now and then. */
const longLook = 100;

/** True if a stored value reverts while nothing is written: then others may have reverted it before. */
export async function isUndone(
  session: RecordedSession,
  { suspicion, answer }: Sighting,
  [cause]: readonly Cause[],
): Promise<boolean> {
  if (cause !== undefined) await unlessGivenUp(cause.send(undefined), null);
  return changes(session, answer.request, suspicion, longLook);
}

/** Number of readings that have to show the same after the time to settle, so that a stale replica is not taken for lag. */
const lateReadings = 3;

/**
 * False if the effect of a cause is shown for a moment only. Only the answer to a write may do so: it may show what its
 * request did not send as it was before.
 */
export async function isLasting(
  session: RecordedSession,
  { suspicion, answer }: Sighting,
  cause: Cause,
  settleMs: number,
): Promise<boolean> {
  if (isReading(answer.request)) return true;
  await cause.prepare?.(undefined);
  await cause.send(undefined);
  const showing = async (): Promise<string> => shownIn(await session.send(cause.readBy ?? answer.request), suspicion);
  const soon = await showing();
  await new Promise(resolve => setTimeout(resolve, settleMs));
  const late = new Set<string>();
  for (let number = 0; number < lateReadings; number += 1) late.add(await showing());
  return late.has(soon) || late.size > 1;
}

/**
 * Waits for lag: repeats the list until it is as it should be, or the settle time is over. If the value may be anything
 * (`unknown`), repeats the request that showed the known value.
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
    () => answerOrNull(session, request),
    () => suspicion.isExplained || !excuses.has(excuse),
  );
}

/**
 * True if a contradictory answer comes again when nothing else is in flight. False if the other request now agrees (it
 * was late, or others have written since) or gets no answer.
 */
export async function isShownAgain(
  session: RecordedSession,
  { suspicion, answer, shown, known }: Sighting,
): Promise<boolean> {
  const { request } = answer;
  if (!showsAgain(request)) return true;
  const showing = async (one: ApiRequest): Promise<string | null> => {
    const again = await answerOrNull(session, one);
    return again === null ? null : shownIn(again, suspicion);
  };
  if ((await showing(request)) !== shown) return false;
  if (known === undefined || !isReading(known.request)) return true;
  const other = await showing(known.request);
  return other !== null && other !== shown;
}

/**
 * Returns a trial that reads an entity by two requests that contradicted each other, without a write in between. If the
 * second is itself a write, it is sent between two readings that show the same. Undefined if no requirement says that the
 * entity must read as written, and for a member that the same request shows at some times and not at others.
 */
export function readingTrial(session: RecordedSession, sighting: Sighting, settleMs: number): Trial | undefined {
  const { suspicion, answer, known } = sighting;
  const requirement = readsOf(suspicion.resource, suspicion.field);
  if (requirement === undefined || known === undefined || !isReading(known.request)) return undefined;
  // One of several servers may leave a member out that the others show.
  if (suspicion.got === undefined && isDeepStrictEqual(known.request, answer.request)) return undefined;
  const isWrite = !isReading(answer.request);
  if (isWrite && kinds[endpointRow(answer.request.endpoint).resource].shownAs === undefined) return undefined;
  const eventually = createEventually(settleMs);
  const read = async () => {
    const before = await session.send(known.request);
    const after = await session.send(answer.request);
    return { before, after, values: [shownIn(before, suspicion), shownIn(after, suspicion)] as const };
  };
  /** True if a write changes what is shown, at once or later. */
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

/** True if a stored value may derive from a sent one: cut, in another letter case, rounded, or with some wrong parts. */
function mayComeOf(sent: unknown, got: unknown): boolean {
  if (typeof sent === 'number' && typeof got === 'number') return Math.abs(sent - got) <= 1;
  const [whole, part] = [sent, got].map(text => asText(text).toLowerCase().replace(/\s/g, '')) as [string, string];
  return typeof sent === 'object' || typeof got === 'object' || (part !== '' && whole.includes(part));
}

/**
 * True if a wrong value of an experiment comes from the write that shows it, and not from the update that sent the right
 * value: no request only reads an experiment. An update without an optional field may show its stored value. A field that
 * every update sends is never shown so: a wrong value there that no request sent, and that no sent value can have turned
 * into, was never stored.
 */
export async function isMadeByShowing(
  session: RecordedSession,
  { suspicion, answer: { request } }: Sighting,
  cause: Cause,
  wasSent: (value: unknown) => boolean,
): Promise<boolean> {
  const { kind, resource, field, got, expected } = suspicion;
  const { endpoint, param } = cause.request;
  if (kind !== 'lost' || resource !== 'experiment' || endpoint !== 'update-experiment') return false;
  if (request.endpoint === endpoint || request.param !== param || cause.isBlamed === true) return false;
  if (endpointRow(endpoint).body?.required?.includes(field) === true)
    return got != null && !wasSent(got) && !mayComeOf(expected.at(-1), got);
  const { [field]: _, ...others } = membersOf(cause.request.body);
  await cause.prepare?.(undefined);
  await cause.send(undefined);
  const kept = await answerOrNull(session, { endpoint, param, body: others });
  return kept?.success === true && shownIn(kept, suspicion) === canonicalJson(expected.at(-1));
}

/**
 * True if half of the name finds the same entity, and that does not have the half in its lineage: then the service
 * matches parts of names. Otherwise the name may be an old or alternative name, and the half another event.
 */
export async function isFoundByHalf(
  session: RecordedSession,
  { suspicion, answer: { request } }: Sighting,
): Promise<boolean> {
  const { param = '' } = request;
  const half = [...param].slice(0, Math.ceil([...param].length / 2)).join('');
  const found = await answerOrNull(session, { ...request, param: half });
  if (found === null || half === param || shownIn(found, suspicion) !== 'true') return false;
  return !shownIn(found, { ...suspicion, kind: 'disagree', field: 'lineage' }).includes(JSON.stringify(half));
}
