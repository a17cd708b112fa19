import { validatorFor } from '../../contracts/validation.ts';
import { type Place, rivalsOf } from './causes.ts';
import { agrees, type Compared, isTyped, mayBeSame } from './compare.ts';
import type { Shown } from './field-judge.ts';
import { type Claim, type Field, type Moment, retire, shownClaim, strictly, type Write } from './knowledge.ts';
import { kinds, readsOf } from './resources.ts';
import type { Suspicion } from './suspicion.ts';

/**
 * What the answer to a write shows of a field that it sends. What comes back otherwise than it was sent is told where it
 * is judged by itself: it may be what was stored. What is new under another name of a sent field is what was stored.
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

/** What the answer to a write shows of a field that the write made, and did not send: other answers show the same. */
export function answerOpen({ field, compared: { shown } }: Place, own: Write, got: unknown): void {
  const claim = field.claims.find(({ write }) => write === own);
  const isLegal = shown !== undefined && validatorFor(shown)(got).length === 0;
  if (claim?.how === 'open' && own.outcome === 'accepted' && isLegal && rivalsOf(own).length === 0)
    Object.assign(claim, { how: 'answered', value: got });
}

/** What the answer to a write showed is nothing that any other contradicts. */
function acquit(field: Field, claim: Claim, at: Moment): void {
  if (claim.suspect !== undefined) claim.suspect.isExplained = true;
  retire(field, claim, at);
}

/** Whether what is shown is what the answer to a write showed: the write made it so, for another operation shows it too. */
export function isBornOut(field: Field, matched: readonly Claim[], got: unknown, at: Moment): boolean {
  const answered = matched.filter(({ answeredMs }) => answeredMs !== undefined);
  for (const claim of answered) acquit(field, claim, at);
  if (answered.length > 0) field.claims.push(shownClaim(got, { begun: at.place, ended: at.place }));
  return answered.length > 0;
}

/** What the answer to a write showed is not so: the other operation has gone on showing what it did before. */
export function contradict({ suspect, answeredMs = 0 }: Claim, begun: Moment, settleMs: number): void {
  if (answeredMs > begun.ms - settleMs) return;
  // Somebody else would have written it for our answer alone, and taken it back.
  for (const one of ['unknown', 'lag', 'others'] as const) suspect?.excuses.delete(one);
}

/**
 * What the answer to a write shows of a field of which that write may have made anything, held against what another
 * operation showed before. Whether it is otherwise by the write, that operation tells later. `deviation` suspects it, and
 * adds the value to those that are known.
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
    // It may have made it what it was again.
    for (const claim of before) acquit(field, claim, begun);
    return undefined;
  }
  // What is of another type is judged by itself.
  if (!isTyped(got, compared)) return undefined;
  const again = before.find(claim => agrees(claim, got, compared));
  if (again !== undefined) {
    again.answeredMs = at.ms;
    return undefined;
  }
  const found: Suspicion = {
    ...deviation(place, got, shown),
    kind: 'disagree',
    expected: known.map(({ value }) => value),
    requirements: [requirement],
    culprits: [],
    beside: [],
    breaks: [],
  };
  found.excuses.add('unknown');
  Object.assign(field.claims.at(-1) as Claim, { suspect: found, answeredMs: at.ms });
  return found;
}
