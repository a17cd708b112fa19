import { agrees, type Compared } from './compare.ts';
import type { Asked } from './exchange.ts';
import { type Claim, type Entity, type Field, strictly } from './knowledge.ts';
import { neighbours, overlap } from './resources.ts';
import type { Suspicion } from './suspicion.ts';

/** True if a value can tell entities apart: many share short texts and empty lists. */
const isTelling = (value: unknown): boolean =>
  (typeof value === 'string' && value.length > 2) || (Array.isArray(value) && value.length > 0);

/** Returns when a field was last known to be right. */
const knownSince = (field: Field | undefined): number =>
  Math.max(
    field?.confirmed ?? 0,
    ...[...(field?.past ?? []), ...(field?.claims ?? [])].map(({ learnedAt = 0 }) => learnedAt),
  );

/**
 * True if the other entity had the value first: sent to it, first shown of it, or shown while this entity was still
 * right. A later value somebody else may have written to both.
 */
const isOwn = ({ how, suspect, learnedAt, begun }: Claim, since: number): boolean =>
  how !== 'open' &&
  suspect === undefined &&
  (learnedAt === undefined || learnedAt < since || begun === Number.NEGATIVE_INFINITY);

/** True if the entity itself had the value: then an old state of it is shown. */
const isFormer = (field: Field | undefined, got: unknown, compared: Compared): boolean =>
  [...(field?.past ?? []), ...(field?.claims ?? []).filter(({ suspect }) => suspect === undefined)].some(
    one => one.how !== 'open' && agrees(one, got, compared),
  );

/**
 * Merges suspicions into one if another entity has all their values: the answer shows that entity. Not if the entity
 * itself had all of them before.
 */
export function swapped(
  found: readonly Suspicion[],
  entity: Entity,
  others: Iterable<Entity>,
  comparedOf: (name: string) => Compared,
  { begun }: Asked,
): readonly Suspicion[] {
  const [first] = found;
  if (first === undefined || found.length < 2 || !found.some(({ got }) => isTelling(got))) return found;
  if (found.every(({ field: name, got }) => isFormer(entity.fields.get(name), got, comparedOf(name)))) return found;
  for (const other of others) {
    if (other === entity || other.resource !== entity.resource) continue;
    const isOther = found.every(({ field: name, got }) => {
      const field = other.fields.get(name);
      const since = knownSince(entity.fields.get(name));
      return (
        field !== undefined &&
        strictly(field, begun).some(one => isOwn(one, since) && agrees(one, got, comparedOf(name)))
      );
    });
    if (!isOther) continue;
    const excuses = new Set(found.flatMap(one => [...one.excuses]).filter(one => one !== 'others'));
    const requirements = [...new Set([overlap.answers, neighbours, ...found.flatMap(one => one.requirements)])];
    return [
      { ...first, kind: 'swapped', field: '', pointer: first.pointer.replace(/\/[^/]*$/, ''), requirements, excuses },
    ];
  }
  return found;
}
