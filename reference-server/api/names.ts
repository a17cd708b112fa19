import { memoized } from '../../contracts/memoized.ts';
import { type CollectionName, collectionTitles, directoryNames, keyOf, type User } from '../entities.ts';
import type { Reader } from '../store/store.ts';
import { metricId, noSuch, ofEach, thereAre } from './references.ts';
import type { Settings } from './request.ts';
import type { FieldError } from './response.ts';

/**
 * Looks up names that requests refer to: those of the directory (the people, teams, id types … that no operation changes),
 * of which an open vocabulary takes every one for one that exists, and those of entities.
 */

const directory: readonly CollectionName[] = directoryNames;

/** The collection in which a name of each kind stands. */
// biome-ignore format: a table
export const collectionsOfNames = {
  idType:           'idTypes',
  team:             'teams',
  app:              'apps',
  pipeline:         'pipelines',
  reviewGroup:      'reviewGroups',
  model:            'models',
  provider:         'providers',
  user:             'users',
  email:            'users',
  assignmentSource: 'assignmentSources',
  identitySource:   'identitySources',
  gate:             'gates',
  event:            'events',
  metric:           'metrics',
  metricSource:     'qualifyingEvents',
} as const satisfies Readonly<Record<string, CollectionName>>;

/** A kind of names that a request may refer to. */
export type NameKind = keyof typeof collectionsOfNames;

/** What a kind is called that is called otherwise than the entities of its collection. */
const otherNames: { readonly [K in NameKind]?: string } = {
  email: 'user with this email address',
  metricSource: 'metric source',
};

/** What names are looked up in, and whether every name counts as known. */
export interface Names {
  readonly reader: Reader;
  readonly open: boolean;
}

/** The names of a store, as the settings of its server have them looked up. */
export const namesOf = (reader: Reader, { openVocabulary = false }: Settings): Names => ({
  reader,
  open: openVocabulary,
});

/** The addresses of each state of the users: the store gives the same list until something changes. */
const addressesIn = memoized((users: readonly User[]): ReadonlySet<string> => new Set(users.map(user => user.email)));

/** Whether a name is one of a kind. */
export const isKnown = async ({ reader, open }: Names, kind: NameKind, name: string): Promise<boolean> => {
  const collection = collectionsOfNames[kind];
  if (open && directory.includes(collection)) return true;
  if (kind === 'email') return addressesIn(await reader.list('users')).has(name);
  return (await reader.get(collection, name)) !== undefined;
};

/** The error that a property names nothing of a kind. */
export const noSuchName = async ({ reader }: Names, property: string, kind: NameKind): Promise<FieldError> => {
  const collection = collectionsOfNames[kind];
  const what = otherNames[kind] ?? collectionTitles[collection].toLowerCase();
  const nameOf = kind === 'email' ? (one: object) => (one as User).email : keyOf;
  return noSuch(property, what, thereAre<object>(await reader.list(collection), nameOf));
};

/**
 * The errors of a name, or of names of a list, that nothing has. Null, undefined and values of another type refer to
 * nothing and are left to the contract.
 */
export const unknownNames = async (
  names: Names,
  property: string,
  kind: NameKind,
  value: unknown,
): Promise<FieldError[]> => {
  if (typeof value === 'string')
    return (await isKnown(names, kind, value)) ? [] : [await noSuchName(names, property, kind)];
  if (!Array.isArray(value)) return [];
  return ofEach(value, (item, index) => unknownNames(names, `${property}.${index}`, kind, item));
};

/** The errors of a `{name, type}`, or of some of a list, that refer to no metric. */
export const unknownMetrics = (names: Names, property: string, references: unknown): Promise<FieldError[]> =>
  unknownNames(names, property, 'metric', Array.isArray(references) ? references.map(metricId) : metricId(references));

/** The errors of members of a body, by the kind of name that each holds. */
export const unknownMembers = async (
  names: Names,
  body: object,
  kindsOf: Readonly<Record<string, NameKind>>,
): Promise<FieldError[]> => {
  const errors: FieldError[] = [];
  for (const member in kindsOf) {
    const value = (body as Readonly<Record<string, unknown>>)[member];
    // Most members are absent: no promise is made for them.
    if (value !== undefined && value !== null)
      errors.push(...(await unknownNames(names, member, kindsOf[member] as NameKind, value)));
  }
  return errors;
};
