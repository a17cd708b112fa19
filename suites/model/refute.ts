import { isIdle, type Place, rivalsOf, writesSince } from './causes.ts';
import { agrees } from './compare.ts';
import { type Claim, shownClaim, type Write } from './knowledge.ts';
import type { Marks } from './marks.ts';
import type { Suspicion } from './suspicion.ts';
import { isBeyondChance } from './tallies.ts';

/** So often one operation keeps to a value by chance, where others write and take back in between. */
const mostCoincidences = 3;

/**
 * What came each time with a write of ours, and never without one, is not the doing of others; nor is what one
 * operation keeps to each time, although another has shown otherwise in between.
 */
export function refute(
  { requirements, excuses, endpoint, got }: Suspicion,
  { tried, entity, name, field, compared, before }: Place,
): void {
  const [requirement] = requirements;
  if (
    requirement !== undefined &&
    !tried.moving.has(`${entity.resource} ${name}`) &&
    isBeyondChance(field.tally, requirement)
  )
    excuses.delete('others');
  if (before === undefined || !Object.hasOwn(before.shown, name)) return;
  const isContrary = field.confirmedBy !== endpoint && field.confirmed > before.begun.place;
  const was: Claim = shownClaim(before.shown[name], { begun: 0, ended: 0 });
  if (!isContrary || !agrees(was, got, compared)) return;
  const times = (field.kept.get(endpoint) ?? 0) + 1;
  field.kept.set(endpoint, times);
  if (times < mostCoincidences) return;
  excuses.delete('others');
  excuses.delete('moves');
}

/**
 * A value that was replaced, too long ago to be behind, was shown between showings of a text that we made up and wrote
 * once: nobody else can have written both.
 */
export function hasReturned(
  { suspect, suspectedAt = 0 }: Claim,
  sound: readonly Claim[],
  place: Place,
  marks: Marks,
): boolean {
  const isKnown = ({ how, suspect: other }: Claim): boolean => how !== 'open' && other === undefined;
  return (
    place.field.past.some(one => isKnown(one) && agrees(one, suspect?.got, place.compared)) &&
    sound.every(
      ({ write, value }) =>
        write?.outcome === 'accepted' && (write.ended?.place ?? 0) < suspectedAt && marks.isOurs(value),
    )
  );
}

/**
 * Where a text that we made up was written to others alone, or by requests without effect, whether it came here by the
 * doing of nobody else: those writes met no other, and no request that cannot be read may have carried it here.
 */
export const hasStrayed = (origins: readonly Write[], place: Place): boolean =>
  (place.field.confirmedIn !== undefined || origins.every(isIdle)) &&
  origins.every(write => (write.outcome === 'accepted' || isIdle(write)) && rivalsOf(write).length === 0) &&
  writesSince(place).every(write => write.fields !== undefined || isIdle(write));
