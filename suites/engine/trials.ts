import { isOperation } from '../../contracts/endpoint.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { canonicalJson, type Json, type JsonObject, membersOf } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { isOneShot } from '../checks/units.ts';
import { withoutEffect } from '../model/causes.ts';
import type { Suspicion } from '../model/suspicion.ts';
import { type Answer, type ApiRequest, isReading } from '../protocol/answer.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { changingIn, type Trial, type Tried } from '../state/attribution.ts';
import { createEventually } from '../state/eventually.ts';
import { readList } from '../state/reading.ts';
import { after } from '../sut/learning/reading.ts';
import type { RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';
import { keptAnswer } from './evidence.ts';
import type { LaneState } from './lane-state.ts';
import { putBack } from './put-back.ts';
import { restorations } from './snapshot.ts';
import { type Sighting, shownIn, violationOf } from './suspected.ts';

/** Maximum number of items of a list to read for one that was created anew. */
const mostReadAgain = 200;

/** True if a request can be repeated without harm. Requests that are refused for lack of a key do none. */
export function isRepeatable({ endpoint, key }: ApiRequest): boolean {
  const row = endpointRow(endpoint);
  return key !== undefined || (!isOneShot(endpoint) && !isOperation(row, 'config', 'disable'));
}

/** True if a repeated request shows the same entity. One that creates shows another, and uses its budget. */
export const showsAgain = (request: ApiRequest): boolean =>
  isRepeatable(request) && endpointRow(request.endpoint).effect !== 'additive';

/** The result of an attempt without a suspicion. */
export const nothingSeen: Tried = { suspicions: [], covers: [] };

/** A possible cause that can be repeated. */
export interface Cause {
  /**
   * Sends the request on which the cause may depend, to `entity` if given. Its effect is read before the cause, unless
   * `isBlamed`.
   */
  prepare?(entity: string | undefined): Promise<unknown>;
  /** `prepare` alone showed nothing, so this cause is blamed: a sighting violates `breaks`. */
  readonly isBlamed?: boolean;
  readonly breaks?: RequirementId | undefined;
  /** Sends the cause, to `entity` if given. Resolves to its answer if it is one request. */
  send(entity: string | undefined): Promise<Answer | undefined>;
  /** The operation and its entity. */
  readonly request: ApiRequest;
  /**
   * The request to read by. Absent: the one that showed the suspicion, which may have an effect of its own if it is a
   * write.
   */
  readonly readBy?: ApiRequest;
}

/** The last sighting of a trial, and one of the same value without the cause: what was stored is lost anyway. */
export interface Seen {
  withCause?: Sighting;
  without?: Sighting;
}

/** Returns a request that only reads what is suspected: the suspicious one, or the one that showed the known value. */
export const readingOf = ({ answer, known }: Sighting): ApiRequest | undefined =>
  [answer.request, known?.request].find(one => one !== undefined && isReading(one));

/**
 * Returns a trial that reproduces a suspicion: read, send the cause, read again. If the fixture cannot be restored,
 * tries others of its kind.
 */
export function causeTrial(
  lane: LaneState,
  session: RecordedSession,
  sighting: Sighting,
  cause: Cause,
  seen: Seen,
): Trial {
  const { suspicion, answer } = sighting;
  const { suspected, config } = lane.run;
  const eventually = createEventually(config.settleMs);
  const isSame = ({ suspicion: one }: Sighting): boolean =>
    one.resource === suspicion.resource &&
    one.field === suspicion.field &&
    one.requirements.some(id => suspicion.requirements.includes(id));
  const isLost = ({ suspicion: one, shown }: Sighting): boolean =>
    one.kind === 'lost' &&
    one.resource === suspicion.resource &&
    one.field === suspicion.field &&
    shown === sighting.shown;
  const subjects = new Set([suspicion.id, cause.request.param]);
  const ofKind = restorations(lane.snapshot, endpointRow(answer.request.endpoint).collection).filter(
    ({ endpoint, param }) => endpointRow(endpoint).resource === suspicion.resource && param !== undefined,
  );
  const fixtures = ofKind.filter(({ param }) => subjects.has(param));
  const isOwn = cause.request.param !== undefined && cause.request.param === answer.request.param;
  const { fixture } = endpointRow(answer.request.endpoint);
  // Nothing restores a config, but a request without the key should leave each alone. Do not risk archiving one,
  // though.
  const isArchiving = isOperation(endpointRow(cause.request.endpoint), 'config', 'archive');
  const isHarmless = cause.request.key !== undefined && !isArchiving && fixture !== null;
  const named = isHarmless ? fixtureNames(config.target, fixture) : ofKind.map(({ param = '' }) => param);
  const others = isOwn ? named.filter(param => !subjects.has(param)) : [];
  const showing = cause.readBy ?? answer.request;
  const isShowing =
    cause.readBy === undefined && cause.request.endpoint === showing.endpoint && cause.request.param === showing.param;
  const isCreating = endpointRow(cause.request.endpoint).effect === 'additive';
  /**
   * What was created anew may stand on another page than what was created before. Long lists are not read to the end.
   */
  const show = (request: ApiRequest): Promise<unknown> => {
    const { query: _ofOnePage, ...list } = request;
    const isLong = isCreating && endpointRow(request.endpoint).list;
    return isLong ? readList(session, list, after(mostReadAgain - 1)) : session.send(request);
  };
  let isBack = true;
  /**
   * Returns the snapshot with the value known when the trace or change happened, which may differ from the value before
   * the run.
   */
  function asKnown(one: FixtureSnapshot): FixtureSnapshot {
    const { kind, id, field, expected } = suspicion;
    const known = expected.at(-1) as Json | undefined;
    const isTraced = (kind === 'trace' || kind === 'changed') && one.param === id && known !== undefined;
    // A null value is in no snapshot, but can still be restored.
    const schema = endpointRow(one.endpoint).body?.properties?.[field];
    const isLegal = isTraced && schema !== undefined && validatorFor(schema)(known).length === 0;
    return isLegal ? { ...one, body: { ...(one.body as JsonObject), [field]: known } } : one;
  }
  async function bringBack(): Promise<boolean> {
    isBack = fixtures.length > 0 || isCreating;
    for (const one of fixtures)
      isBack = (await putBack(asKnown(one), session, { settleMs: config.settleMs })) === null && isBack;
    return isBack;
  }
  const reading = cause.readBy ?? readingOf(sighting);
  /** True if the field stays changed whatever is restored: this fixture can show no further change. */
  async function isSpent(): Promise<boolean> {
    const isWritten = fixtures.some(({ body }) => Object.hasOwn(body, suspicion.field));
    if (suspicion.kind !== 'changed' || isWritten || others.length === 0 || reading === undefined) return false;
    const shown = shownIn(await session.send(reading), suspicion);
    return !suspicion.expected.some(one => canonicalJson(one) === shown);
  }
  return {
    async attempt(round): Promise<Tried> {
      await unlessGivenUp(bringBack(), false);
      const entity = isBack && !(await isSpent()) ? undefined : others[round];
      const shown = { ...showing, ...present({ param: entity }) };
      // Other entities count only if this attempt saw them in the right state first.
      const isSeenBefore = ({ suspicion: { id, known } }: Sighting, before: number): boolean =>
        id === entity || subjects.has(id) || known === undefined || known > before;
      return suspected.during(async (found, before) => {
        // The first reading may reveal an earlier change, which is not the cause's doing. Only if the second reveals it
        // too is it the reading itself.
        const start = await session.send(shown);
        let earlier = found.length;
        const open = (is = isSame): Sighting | undefined =>
          found.slice(earlier).find(one => is(one) && isSeenBefore(one, before) && !one.suspicion.isExplained);
        if (isShowing) earlier = 0;
        else if (earlier > 0) {
          await session.send(shown);
          if (open() !== undefined) return nothingSeen;
          earlier = found.length;
        }
        /** Reads, and again while something is suspected, until the settle time is over. */
        const showUntilSettled = async (request: ApiRequest, is = isSame): Promise<void> => {
          await show(request);
          await eventually(
            async () => {
              const goesOn = open(is) !== undefined;
              if (goesOn) await show(request);
              return goesOn;
            },
            goesOn => !goesOn,
          );
        };
        if (cause.prepare !== undefined) {
          await cause.prepare(entity);
          if (cause.isBlamed !== true) {
            const isThere = (one: Sighting): boolean => isSame(one) || isLost(one);
            await showUntilSettled({ ...(reading ?? shown), ...present({ param: entity }) }, isThere);
            // It is there without the cause.
            const without = open(isThere);
            if (without !== undefined && isLost(without)) seen.without = without;
            if (without !== undefined) return nothingSeen;
          }
        }
        const done = await cause.send(entity);
        await showUntilSettled(shown);
        const first = open();
        if (first === undefined) return nothingSeen;
        // The answer to the cause may show for a moment what no reading shows.
        const read = cause.readBy && shownIn(await session.send(shown), first.suspicion);
        if (read !== undefined && (read !== first.shown || read === shownIn(start, first.suspicion)))
          return nothingSeen;
        seen.withCause = first;
        const { kind, known } = first.suspicion;
        // What was listed before was taken away by what was sent since, and not by its own creation.
        const isListed = kind === 'missing' && known !== undefined;
        // What was sent before may seem a likelier cause than what was tried.
        const isOfOthers = kind === 'trace' && cause.breaks !== undefined && !withoutEffect.has(cause.breaks);
        const isOther = cause.isBlamed === true || isListed || isOfOthers;
        const violation = violationOf(isOther ? blaming(cause, done, first) : first);
        return { suspicions: [{ key: suspicion.field, violation }], covers: [] };
      });
    },
    watch: readings =>
      changingIn(readings + 1, async () => [
        [suspicion.field, shownIn(await session.send(reading ?? answer.request), suspicion)],
      ]),
    putBack: bringBack,
  };
}

/** Returns what a write did that broke a requirement: one that must have an effect leaves no trace. */
function kindOf(breaks: RequirementId, { body }: ApiRequest, { kind, field }: Suspicion): Suspicion['kind'] {
  if (withoutEffect.has(breaks)) return 'trace';
  const did = Object.hasOwn(membersOf(body), field) ? 'lost' : 'changed';
  return kind === 'trace' ? did : kind;
}

/** Returns a sighting that blames another request than it seemed to, and adds it to the steps. */
function blaming({ breaks, request }: Cause, done: Answer | undefined, sighting: Sighting): Sighting {
  const { suspicion, steps } = sighting;
  const requirements = breaks === undefined ? suspicion.requirements : [breaks];
  const kind = breaks === undefined ? suspicion.kind : kindOf(breaks, request, suspicion);
  // That an entity was listed says more than that it was created.
  const shown = suspicion.kind === 'missing' ? steps.slice(-2, -1) : steps.slice(0, -1);
  return {
    ...sighting,
    suspicion: { ...suspicion, kind, requirements },
    steps: done === undefined ? steps : [...shown, keptAnswer(done), ...steps.slice(-1)],
  };
}
