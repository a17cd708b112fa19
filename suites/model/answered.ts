import { validatorFor } from '../../contracts/validation.ts';
import { accusing, type Place, rivalsOf } from './causes.ts';
import { agrees, type Compared, isTyped, mayBeSame } from './compare.ts';
import type { Shown } from './field-judge.ts';
import { type Claim, type Field, type Moment, retire, shownClaim, strictly, type Write } from './knowledge.ts';
import { kinds, readsOf } from './resources.ts';
import type { Suspicion } from './suspicion.ts';

/**
 * Notes what the answer to a write shows of a field that the write sent. A differing value may be what was stored;
 * another check reports it. A new value under another name of the field is what was stored.
 */
export function answerOwn({ claims, past }: Field, name: string, own: Write, got: unknown, compared: Compared): void {
  const claim = claims.find(({ write }) => write === own);
  if (claim === undefined || rivalsOf(own).length > 0) return;
  if (claim.how !== 'open' && agrees(claim, got, compared)) {
    claim.isEchoed = true;
    return;
  }
  if (claim.how === 'sent') claims.push({ ...shownClaim(got, claim), write: own });
  const isOther = !Object.hasOwn(own.fields ?? {}, name) && own.outcome === 'accepted';
  const isKnown = (one: Claim): boolean => one.how !== 'open' && agrees(one, got, compared);
  if (claim.how === 'open' && isOther && !claims.some(isKnown) && !past.some(isKnown))
    Object.assign(claim, { how: 'shown', value: got });
}

/** Notes what a write's answer shows of a field that the write set without sending it: other answers show the same. */
export function answerOpen({ field, compared: { shown } }: Place, own: Write, got: unknown): void {
  const claim = field.claims.find(({ write }) => write === own);
  const isLegal = shown !== undefined && validatorFor(shown)(got).length === 0;
  if (claim?.how === 'open' && own.outcome === 'accepted' && isLegal && rivalsOf(own).length === 0)
    Object.assign(claim, { how: 'answered', value: got });
}

/** Clears the suspicion about a write's answer: no other answer contradicts it. */
function acquit(field: Field, claim: Claim, at: Moment): void {
  if (claim.suspect !== undefined) claim.suspect.isExplained = true;
  retire(field, claim, at);
}

/** True if another operation shows what a write's answer showed: then the write changed the value. */
export function isBornOut(field: Field, matched: readonly Claim[], got: unknown, at: Moment): boolean {
  const answered = matched.filter(({ answeredMs }) => answeredMs !== undefined);
  for (const claim of answered) acquit(field, claim, at);
  if (answered.length > 0) field.claims.push(shownClaim(got, { begun: at.place, ended: at.place }));
  return answered.length > 0;
}

/** Removes the excuses of a suspicious answer to a write, because the other operation still shows the old value. */
export function contradict({ suspect, answeredMs = 0 }: Claim, begun: Moment, settleMs: number): void {
  if (answeredMs > begun.ms - settleMs) return;
  // Nobody else would write a value for our answer alone and then take it back.
  for (const one of ['unknown', 'lag', 'others'] as const) suspect?.excuses.delete(one);
}

/**
 * Compares an open field in the answer to a write with what another operation showed before. Whether the write changed
 * it, that operation tells later. `deviation` suspects the value and adds it to the known ones.
 */
export function heldAgainstOthers(
  place: Place,
  got: unknown,
  shown: Shown,
  deviation: (place: Place, got: unknown, shown: Shown) => Suspicion,
): Suspicion | undefined {
  const { field, begun, compared, entity, name } = place;
  const { asked, at, covers } = shown;
  const { endpoint, row } = asked;
  if (kinds[row.resource].shownAs === undefined) return undefined;
  const requirement = readsOf(entity.resource, name);
  const known = strictly(field, begun).filter(({ how, suspect }) => how !== 'open' && suspect === undefined);
  if (got === undefined || known.length === 0 || requirement === undefined) return undefined;
  const before = field.claims.filter(({ answeredMs }) => answeredMs !== undefined);
  if (known.some(({ value }) => mayBeSame(value, got, compared.shown))) {
    covers.add(endpoint, requirement);
    // The write may have changed it back.
    for (const claim of before) acquit(field, claim, begun);
    return undefined;
  }
  // A value of a wrong type is judged elsewhere.
  if (!isTyped(got, compared)) return undefined;
  const again = before.find(claim => agrees(claim, got, compared));
  if (again !== undefined) {
    again.answeredMs = at.ms;
    return undefined;
  }
  const found: Suspicion = {
    ...deviation(place, got, shown),
    ...accusing([]),
    expected: known.map(({ value }) => value),
    requirements: [requirement],
  };
  found.excuses.add('unknown');
  Object.assign(field.claims.at(-1) as Claim, { suspect: found, answeredMs: at.ms });
  return found;
}
