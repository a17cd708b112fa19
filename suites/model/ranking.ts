import type { Json } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { type Culprit, causesOf, effectOf, idleCulprit, isIdle, type Place, wouldSet, writes } from './causes.ts';
import { isAsSent } from './compare.ts';
import type { Write } from './knowledge.ts';
import { neighbours } from './resources.ts';

/** Ranks the writes that may have caused a wrong value. */

/** True of a value that few writes send: a text that is no choice from a closed set, or an object. */
const isDistinct = (got: unknown, { row }: Write, name: string): boolean =>
  (typeof got === 'string' || (typeof got === 'object' && got !== null)) &&
  row.body?.properties?.[name]?.enum === undefined;

/** Returns writes to other entities that sent this very value, although others followed them. */
const sendersBeside = ({ entity, tried, field, name }: Place, carries: (write: Write) => boolean): readonly Write[] =>
  [...new Set(tried.last.map(({ id }) => id))].flatMap(id => {
    if (id === entity.subject) return [];
    const sent = tried.byEntity
      .get(id)
      ?.findLast(
        one => (one.ended?.place ?? 0) >= field.confirmed && !isIdle(one) && writes(one, name) && carries(one),
      );
    return sent ?? [];
  });

/** True if an identical write was accepted before and left the field alone: then this one is a less likely cause. */
function isRepeated({ entity, tried, field: { confirmedIn = 0 } }: Place, write: Write): boolean {
  const before = tried.byEntity.get(entity.subject) ?? [];
  return before.some(
    ({ number, endpoint, outcome, fields }) =>
      number <= confirmedIn &&
      outcome === 'accepted' &&
      endpoint === write.endpoint &&
      same(fields as Json, write.fields as Json),
  );
}

/** True if an update may replace the whole entity, and so remove the fields that it does not send. */
const mayEmpty = (write: Write): boolean => write.row.action === 'update' && effectOf(write)?.kept === undefined;

/**
 * Ranks the culprits of a value, the most likely first: idle writes that sent this very value; writes that made it up
 * for another entity; writes whose own value is missing; writes that had to leave it alone.
 */
export function rankedCulprits(
  place: Place,
  got: unknown,
  origins: readonly Write[],
  isOld: boolean,
): readonly Culprit[] {
  const { name, compared } = place;
  const carries = (write: Write): boolean => {
    const sent = wouldSet(write);
    return sent === undefined || (Object.hasOwn(sent, name) && isAsSent(sent[name] ?? null, got, compared.asked));
  };
  const known = causesOf(place);
  const senders = known.length === 0 ? [] : sendersBeside(place, carries);
  const isKnown = (one: Write): boolean => known.some(({ write }) => write === one);
  const causes = [
    ...known,
    ...senders
      .filter(one => !isKnown(one))
      .map((write): Culprit => ({ write, requirement: neighbours, kind: 'changed' })),
  ];
  const hasLost = causes.some(({ kind }) => kind === 'lost');
  // A text that was made up for another entity, or refused, accuses its own request, however long ago that was.
  const foreign = origins.filter(write => write.id !== place.entity.subject || isIdle(write));
  const isStrange = foreign.length > 0 && foreign.length === origins.length;
  const rank = ({ write, kind, requirement }: Culprit): number => {
    // An old value needs no write that carried it: the write that should have replaced it may be lost.
    if (kind === 'trace' && got === undefined && mayEmpty(write)) return 1;
    if (kind === 'trace') return carries(write) ? (isOld && hasLost ? 3 : 0) : writes(write, name) ? 4.6 : 4.8;
    if (requirement === neighbours) {
      if (isStrange && origins.includes(write)) return 1;
      if (!writes(write, name) || !carries(write)) return 5;
      return isDistinct(got, write, name) ? 3.5 : 4.9;
    }
    return kind === 'lost' ? 2 : isRepeated(place, write) ? 5.5 : 4;
  };
  const strange = foreign
    .slice(-1)
    .map((write): Culprit => idleCulprit(write)[0] ?? { write, requirement: neighbours, kind: 'changed' });
  // Rank each cause only once: if the target stores nothing, thousands of writes may have caused what is shown.
  const ranked = causes
    .map(culprit => ({ culprit, at: rank(culprit) }))
    .sort((one, other) => one.at - other.at)
    .map(({ culprit }) => culprit);
  return isStrange ? [...strange, ...ranked] : ranked;
}
