import { directory, type NameKind } from '../directory.ts';
import { type CollectionName, type Collections, collectionTitles } from '../entities.ts';
import type { Reader } from '../store/store.ts';
import type { HandlerRequest } from './request.ts';
import { type FieldError, Refused, refusal } from './response.ts';

/**
 * Looks up what a request refers to. The functions below list an error for whatever does not exist; null, undefined and
 * values of another type refer to nothing and are left to the contract.
 */

const words: Readonly<Record<NameKind, string>> = {
  idType: 'unit id type',
  team: 'team',
  app: 'target app',
  pipeline: 'release pipeline',
  reviewGroup: 'review group',
  model: 'model',
  provider: 'provider',
  user: 'user',
  email: 'user with this email address',
  assignmentSource: 'assignment source',
  identitySource: 'identity resolution source',
};

/** An error that says that a property names nothing that is known. */
export const noSuch = (property: string, what: string): FieldError => ({
  property,
  errorMessage: `names no known ${what}`,
});

/** A name, or names of a list, that are not in the directory. */
export const unknownNames = (property: string, kind: NameKind, names: unknown): FieldError[] => {
  if (Array.isArray(names)) return names.flatMap((name, index) => unknownNames(`${property}.${index}`, kind, name));
  return typeof names === 'string' && !directory[kind].has(names) ? [noSuch(property, words[kind])] : [];
};

/** The same for members of a body, by the kind of name that each holds. */
export const unknownMembers = (body: object, kinds: Readonly<Record<string, NameKind>>): FieldError[] =>
  Object.entries(kinds).flatMap(([member, kind]) =>
    unknownNames(member, kind, (body as Readonly<Record<string, unknown>>)[member]),
  );

/** An entity that the store does not have; `what` says what it should be. */
export const unknownEntity = async (
  store: Reader,
  property: string,
  collection: CollectionName,
  what: string,
  id: unknown,
): Promise<FieldError[]> =>
  typeof id === 'string' && (await store.get(collection, id)) === undefined ? [noSuch(property, what)] : [];

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

/** A `{name, type}`, or some of a list, that refer to no metric. */
export const unknownMetrics = async (store: Reader, property: string, references: unknown): Promise<FieldError[]> =>
  Array.isArray(references)
    ? ofEach(references, (reference, index) => unknownMetrics(store, `${property}.${index}`, reference))
    : unknownEntity(store, property, 'metrics', 'metric', metricId(references));

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
