import { type CollectionName, type Collections, collectionTitles, keyOf } from '../entities.ts';
import type { Reader } from '../store/store.ts';
import type { HandlerRequest } from './request.ts';
import { type FieldError, Refused, refusal } from './response.ts';

/** What a request refers to, and how it is told that there is no such thing. */

/** An error tells at most this many of the names that there are, each of so many characters. */
const toldNames = 10;
const toldLength = 40;

const told = (name: string): string => (name.length > toldLength ? `${name.slice(0, toldLength)}…` : name);

/** What there is to be named, in words; of long lists the beginning. An entity has its key for a name. */
export const thereAre = <T extends object>(
  all: readonly T[],
  nameOf: (one: T) => string | undefined = keyOf,
): string => {
  if (all.length === 0) return 'there are none';
  const names = all.slice(0, toldNames).map(one => told(nameOf(one) ?? ''));
  const more = all.length > toldNames ? ` and ${all.length - toldNames} more` : '';
  return `there ${all.length === 1 ? 'is' : 'are'} ${names.join(', ')}${more}`;
};

/** An error that says that a property names nothing that is known. `known` says what there is (`thereAre`). */
export const noSuch = (property: string, what: string, known: string): FieldError => ({
  property,
  errorMessage: `names no known ${what}; ${known}`,
});

/** The errors of all items of a list. */
export const ofEach = async <T>(
  list: readonly T[] | undefined,
  errorsOf: (item: T, index: number) => Promise<FieldError[]>,
): Promise<FieldError[]> => (await Promise.all((list ?? []).map(errorsOf))).flat();

/** The id of the metric that a `{name, type}` refers to; undefined where either is lacking. */
export const metricId = (reference: unknown): string | undefined => {
  const { name, type } = (reference ?? {}) as { name?: unknown; type?: unknown };
  return typeof name === 'string' && typeof type === 'string' ? `${name}::${type}` : undefined;
};

/**
 * The entity that the path names. Throws a 404 where there is none; it does not repeat the name, which may be anything.
 */
export const entityNamed = async <C extends CollectionName>(
  reader: Reader,
  collection: C,
  { param }: HandlerRequest,
): Promise<Collections[C]> => {
  const entity = await reader.get(collection, param);
  if (entity === undefined) throw new Refused(refusal(404, `${collectionTitles[collection]} not found.`));
  return entity;
};
