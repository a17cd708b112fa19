import type { Json } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { contradict, heldAgainstOthers, isBornOut } from './answered.ts';
import { accusing, causeOfDue, causesOf, isIdle, type Place, requirementsOf } from './causes.ts';
import { agrees, isAsSent, isCommon, isKept, isTyped } from './compare.ts';
import { addShown, type Gathered } from './covers.ts';
import { createDelays } from './delays.ts';
import type { Asked, ModelOptions } from './exchange.ts';
import { behind, type Claim, type Moment, onlyOne, retire, shownClaim, strictly } from './knowledge.ts';
import type { Marks } from './marks.ts';
import { rankedCulprits } from './ranking.ts';
import { hasReturned, hasStrayed, refute } from './refute.ts';
import { readsOf } from './resources.ts';
import { type Excuse, type Suspicion, suspect } from './suspicion.ts';
import { changed, stood } from './tallies.ts';
import { hasUnknownId } from './writes.ts';

/** The answer that shows a field. */
export interface Shown {
  readonly asked: Asked;
  readonly at: Moment;
  /** JSON Pointer of the entity in the answer. */
  readonly pointer: string;
  /** Collects what the answer could have shown to be broken. */
  readonly covers: Gathered;
}

/** Maximum number of suspicious values that are remembered of a field. */
const mostSuspects = 3;

const nowhere = Number.NEGATIVE_INFINITY;

/** When a shown value was in force at the latest, as far as is known: later writes replace it. */
const shownBy = (ended: number, at: Moment): number => (Number.isFinite(ended) ? ended : at.place);

/** Creates a judge that compares one field in an answer with the values that it may have. */
export function createFieldJudge(options: ModelOptions, marks: Marks) {
  const { settleMs, isSoleWriter = false, isWatching = false } = options;
  const delays = createDelays(!isWatching);
  /** When the reading began that taught the first value of any field. */
  let startMs: number | undefined;

  /** Learns an open value. Soon after a write the answer may be stale: then the value replaces no claim. */
  function learn({ field, begun }: Place, value: unknown, { asked, at }: Shown, open: readonly Claim[]): void {
    marks.show(value);
    field.confirmedIn = asked.number;
    const newest = open.at(-1) as Claim;
    const late = behind(field, begun, settleMs);
    const isSettled = late.every(one => open.includes(one) || (one.how === 'shown' && one.begun === newest.begun));
    const pending = open.some(({ ended }) => ended >= begun.place);
    startMs ??= begun.ms;
    const like = { begun: newest.begun, ended: shownBy(newest.ended, at) };
    const shown: Claim = { ...shownClaim(value, like), learnedAt: begun.place };
    if (isSettled && !pending && open.length === 1) {
      if (isWatching && begun.ms - startMs < settleMs) {
        field.claims.push(shown);
        retire(field, newest, begun);
        return;
      }
      Object.assign(newest, { how: 'shown', value, learnedAt: begun.place });
      for (const claim of [...field.claims])
        if (claim !== newest && claim.ended <= newest.ended) retire(field, claim, begun);
    } else field.claims.push(shown);
  }

  /** True if our own requests made up a text, but none brought it here. Even an open claim does not allow it. */
  function isStrange({ entity }: Place, got: unknown): boolean {
    if (!marks.isOurs(got)) return false;
    return marks.origins(got).every(write => (write.id !== entity.subject && !hasUnknownId(write)) || isIdle(write));
  }

  /** Confirms an allowed value: of the possible ones, this one was in force. */
  function confirm(
    place: Place,
    got: unknown,
    matched: readonly Claim[],
    all: readonly Claim[],
    { asked, at }: Shown,
  ): void {
    const { endpoint } = asked;
    const { field, begun, compared } = place;
    const sound = matched.filter(({ suspect }) => suspect === undefined);
    if (sound.length === 0) {
      if (!isBornOut(field, matched, got, begun))
        for (const { suspect: one } of matched) if (one !== undefined) stillShown(one, place);
      return;
    }
    seenBy(place, asked, sound);
    if (field.claims.length + field.past.length > 1 && delays.counts(endpoint)) {
      const late = behind(field, begun, settleMs).filter(one => !all.includes(one));
      if (late.some(one => !agrees(one, got, compared))) delays.fresh(endpoint);
    }
    for (const claim of all)
      if (claim.answeredMs !== undefined) contradict(claim, begun, settleMs);
      else if (claim.suspect !== undefined && !matched.includes(claim) && claim.ended < begun.place) {
        // The expected value is shown after all, and no later write has brought it.
        const isHealed = sound.every(one => one.begun <= (claim.suspectedAt ?? 0));
        if (isHealed && claim.suspect.behindMs !== undefined) delays.explain(claim.suspect);
        else if (isHealed && hasReturned(claim, sound, place, marks)) {
          claim.suspect.excuses.clear();
          claim.suspect.certainBy ??= 'return';
        }
        retire(field, claim, at);
      }
    const isNarrow = sound.length === 1 && all.length > 1;
    const hasSettled = all.every(
      ({ how, write }) =>
        how !== 'open' && (write === undefined || (write.outcome === 'accepted' && isBefore(write.ended, begun))),
    );
    if (isNarrow && hasSettled) for (const claim of all) if (claim !== sound[0]) retire(field, claim, at);
  }

  function seenBy({ field, begun }: Place, { endpoint, number }: Asked, claims: readonly Claim[]): void {
    for (const claim of claims) if (claim.ended < begun.place) claim.isRead = true;
    field.confirmed = begun.place;
    field.confirmedBy = endpoint;
    field.confirmedIn = number;
  }

  const isBefore = (ended: Moment | undefined, begun: Moment): boolean =>
    ended !== undefined && ended.place < begun.place && ended.ms <= begun.ms - settleMs;

  /** Removes the lag excuse of a repeated suspicious value that no recent value explains any more. */
  function stillShown(suspect: Suspicion, { field, begun, compared }: Place): void {
    if (
      !behind(field, begun, settleMs).some(one => one.suspect === undefined && agrees(one, suspect.got, compared)) &&
      strictly(field, begun).every(
        ({ out, write, how }) => out !== undefined || how === 'shown' || isBefore(write?.ended, begun),
      )
    )
      suspect.excuses.delete('lag');
  }

  /** Returns the innocent causes that would explain a value. */
  function excusesOf(place: Place, got: unknown, lag: boolean, isOld: boolean, isOurs: boolean): Set<Excuse> {
    const { field, tried, name, entity } = place;
    const excuses = new Set<Excuse>();
    if (lag) excuses.add('lag');
    if (isSoleWriter) return excuses;
    if (!isOld && !isOurs) field.isForeign = true;
    if (field.isForeign || isCommon(got, place.compared)) excuses.add('others');
    if (tried.moving.has(`${entity.resource} ${name}`)) excuses.add('moves');
    return excuses;
  }

  function deviation(place: Place, got: unknown, { asked, at, pointer }: Shown): Suspicion {
    const { field, begun, compared, entity, name } = place;
    const strict = strictly(field, begun);
    const late = behind(field, begun, settleMs).filter(one => !strict.includes(one));
    const lag = late.some(one => agrees(one, got, compared));
    const right = strict.filter(one => one.how !== 'open' && one.suspect === undefined);
    const isOld = [...field.past, ...field.claims].some(one => one.how !== 'open' && agrees(one, got, compared));
    const origins = marks.origins(got);
    const culprits = rankedCulprits(place, got, origins, isOld);
    const isCopied = isStrange(place, got) && hasStrayed(origins, place);
    const suspicion = suspect('disagree', asked, entity.id, {
      ...accusing(culprits),
      resource: entity.resource,
      field: name,
      pointer: `${pointer}/${name}`,
      expected: (right.length > 0 ? right : strict).map(({ value }) => value),
      got,
      requirements: requirementsOf(culprits, place, readsOf(entity.resource, name)),
      known: field.confirmedIn,
      hasStood: field.tally.quiet > 0,
      excuses: isCopied ? new Set() : excusesOf(place, got, lag, isOld, marks.isOurs(got)),
      certainBy: isCopied ? 'mark' : undefined,
      behindMs: lag ? Math.max(0, ...late.map(({ out }) => begun.ms - (out?.ms ?? begun.ms))) : undefined,
    });
    // A field that keeps changing is not compared with all its former values.
    const suspects = strict.filter(one => one.suspect !== undefined);
    for (const one of suspects.slice(0, -mostSuspects)) retire(field, one, begun);
    const { begun: since, ended } = strict.at(-1) ?? { begun: nowhere, ended: nowhere };
    field.claims.push({
      ...shownClaim(got, { begun: since, ended: Math.max(shownBy(ended, at), begun.place) }, suspicion),
      suspectedAt: begun.place,
    });
    if (lag) delays.suspect(suspicion, begun.ms);
    return suspicion;
  }

  /** Compares one field with the values that it may have. */
  function compareField(place: Place, got: unknown, shown: Shown): Suspicion | undefined {
    const { asked, covers } = shown;
    const { field, begun, compared } = place;
    // Fast path: most fields have one possible value, and show it.
    const only = onlyOne(field, begun);
    const isCounted = field.past.length > 0 && delays.counts(asked.endpoint);
    if (only !== undefined && !isCounted && agrees(only, got, compared)) {
      const causes = causesOf(place);
      stood(field.tally, causes);
      addShown(covers, causes, place, got);
      seenBy(place, asked, [only]);
      return undefined;
    }
    const strict = strictly(field, begun);
    const causes = causesOf(place);
    for (const one of strict)
      if (isKept(one, begun, got, compared) && isTyped(got, compared))
        Object.assign(one, { how: 'shown', value: got, learnedAt: begun.place });
    const matched = strict.filter(one => one.how !== 'open' && agrees(one, got, compared));
    const open = strict.filter(({ how }) => how === 'open');
    if (matched.length > 0) {
      stood(field.tally, causes);
      if (open.length === 0) addShown(covers, causes, place, got);
      confirm(place, got, matched, strict, shown);
      return undefined;
    }
    // A value of a wrong type is reported elsewhere, and teaches nothing.
    if (!isTyped(got, compared)) return undefined;
    if (open.length > 0 && !isStrange(place, got)) {
      learn(place, got, shown, open);
      return undefined;
    }
    const suspicion = deviation(place, got, shown);
    changed(field.tally, causes);
    refute(suspicion, place);
    return suspicion.requirements.length === 0 ? undefined : suspicion;
  }

  return {
    judge: compareField,
    /** Judges the answer to a write that must show one of the values `due`. */
    judgeDue(
      place: Place,
      got: unknown,
      shown: Shown,
      due: readonly Json[],
      requirement: RequirementId,
    ): Suspicion | undefined {
      const own = shown.asked.writes.find(({ id }) => id === place.entity.id);
      if (due.some(value => isAsSent(value, got, place.compared.asked))) {
        if (due.length > 1 && own?.met.some(({ outcome }) => outcome === 'accepted'))
          shown.covers.add(shown.asked.endpoint, requirement);
        if (due.length > 1 || own === undefined) return undefined;
        addShown(shown.covers, [{ write: own, requirement, kind: 'lost' }], place, got);
        return undefined;
      }
      const cause = { culprits: [shown.asked.number], ...causeOfDue(own, place.name, due.length === 1) };
      // If others write unseen, one of their writes may have met these.
      const excuses = new Set<Excuse>(isWatching && !isSoleWriter && due.length > 1 ? ['others'] : []);
      const found = deviation(place, got, shown);
      return { ...found, ...cause, kind: 'lost', expected: due, requirements: [requirement], excuses };
    },
    forget: delays.forget,
    /**
     * Judges the answer to a write that leaves the field open. Suspects only misplaced texts and contradicted values:
     * an open field proves nothing of what was stored.
     */
    judgeOpen: (place: Place, got: unknown, shown: Shown): Suspicion | undefined =>
      isStrange(place, got) ? compareField(place, got, shown) : heldAgainstOthers(place, got, shown, deviation),
  };
}
