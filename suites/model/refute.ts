import { count } from '../protocol/entries.ts';
import { isIdle, type Place, rivalsOf, writesSince } from './causes.ts';
import { agrees } from './compare.ts';
import type { Claim, Write } from './knowledge.ts';
import type { Marks } from './marks.ts';
import type { Suspicion } from './suspicion.ts';
import { isBeyondChance } from './tallies.ts';

/** How often one operation may keep to a value by chance, if others write and undo in between. */
const mostCoincidences = 3;

/**
 * Removes the excuses that a pattern refutes. A change that comes each time with our write, and never without one, is
 * not the doing of others. Nor is a value that one operation keeps showing although another contradicted it in between.
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
  const was = { how: 'shown', value: before.shown[name] } as const;
  if (!isContrary || !agrees(was, got, compared)) return;
  if (count(field.kept, endpoint) < mostCoincidences) return;
  excuses.delete('others');
  excuses.delete('moves');
}

/**
 * True if a value that was replaced long ago came back between showings of a text that we made up: nobody else can have
 * written both.
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
 * True if only the service can have brought a text here that we wrote to others, or without effect. Its writes met no
 * other, and no unreadable request may have carried it.
 */
export const hasStrayed = (origins: readonly Write[], place: Place): boolean =>
  (place.field.confirmedIn !== undefined || origins.every(isIdle)) &&
  origins.every(write => (write.outcome === 'accepted' || isIdle(write)) && rivalsOf(write).length === 0) &&
  writesSince(place).every(write => write.fields !== undefined || isIdle(write));
