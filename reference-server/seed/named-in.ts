import type { ReferenceKind, Schema } from '../../contracts/dialect.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Members, membersOf } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import { collectionsOfNames, type NameKind } from '../api/names.ts';
import { type CollectionName, namedCollections, type User } from '../entities.ts';
import { completeEntity } from '../fixtures/defaults.ts';

/**
 * Collects the names that the entities of a seed refer to. They must exist, so that clients can send the entities back.
 */

/** The collections in which missing names are created: those whose entities need no more than a name, except users. */
const madeUp = [...namedCollections, 'events'] as const;
type MadeUp = (typeof madeUp)[number];

/** Returns the one of these that holds names of a kind. */
function collectionOf(kind: ReferenceKind): MadeUp | undefined {
  const collection = Object.hasOwn(collectionsOfNames, kind) ? collectionsOfNames[kind as NameKind] : undefined;
  return madeUp.find(one => one === collection);
}

/** Schemas of requests, whose annotations tell what fields refer to. Configs share the names of gates. */
// biome-ignore format: a table
const requests: { readonly [C in CollectionName]?: Schema } = {
  environments:     endpoints['update-environments'].body.properties.environments.items,
  gates:            endpoints['patch-gate'].body,
  configs:          endpoints['patch-gate'].body,
  experiments:      endpoints['update-experiment'].body,
  qualifyingEvents: endpoints['update-qualifying-event'].body,
  metrics:          endpoints['create-metric'].body,
  prompts:          endpoints['create-prompt-version'].body,
};

/** A name in its collection; for a person, all known members. */
type NamedEntity =
  | { readonly collection: MadeUp; readonly key: string }
  | { readonly collection: 'users'; readonly user: Partial<User> };

function* walk(schema: Schema, value: unknown): Generator<NamedEntity> {
  const kind = schema.annotation?.refersTo;
  if (kind === 'user') yield* reviewer(value);
  if (typeof value === 'string') {
    const collection = kind === undefined ? undefined : collectionOf(kind);
    if (collection !== undefined) yield { collection, key: value };
    for (const branch of schema.anyOf ?? []) if (branch.annotation) yield* walk(branch, value);
  } else if (Array.isArray(value)) {
    for (const { items } of schema.anyOf ?? [schema])
      if (items !== undefined) for (const item of value) yield* walk(items, item);
  } else if (isObject(value)) {
    for (const [name, node] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name)) yield* walk(node, value[name]);
  }
}

/** Yields a reviewer: a user's id, an address, or an object with an id. */
function* reviewer(value: unknown): Generator<NamedEntity> {
  if (typeof value === 'string')
    yield { collection: 'users', user: value.includes('@') ? { email: value } : { id: value } };
  else yield* person(value, 'id', 'name', 'email');
}

function* person(value: unknown, ...names: readonly [id: string, name: string, email: string]): Generator<NamedEntity> {
  const members = membersOf(value);
  const [id, name, email] = names
    .map(member => members[member])
    .map(text => (typeof text === 'string' && text !== '' ? text : undefined));
  if (id !== undefined || email !== undefined) yield { collection: 'users', user: present({ id, name, email }) };
}

function* people(value: unknown): Generator<NamedEntity> {
  yield* person(value, 'creatorID', 'creatorName', 'creatorEmail');
  yield* person(value, 'lastModifierID', 'lastModifierName', 'lastModifierEmail');
  yield* person(membersOf(value).owner, 'ownerID', 'ownerName', 'ownerEmail');
}

/** Yields all names that an entity refers to, in order, perhaps with duplicates. */
function* namedIn(collection: CollectionName, entity: Members): Generator<NamedEntity> {
  const { versions, lineage } = entity;
  for (const one of Array.isArray(versions) ? versions : [entity]) {
    yield* people(one);
    const request = requests[collection];
    if (request !== undefined) yield* walk(request, one);
  }
  const { events } = membersOf(lineage);
  if (Array.isArray(events)) for (const key of events) yield { collection: 'events', key: String(key) };
}

/** The entities of a state under construction, by collection and key. */
export type Tables = { readonly [C in CollectionName]: Map<string, object> };

/** Merges what entities say of people, by id; people without an id are keyed by their address. */
function peopleIn(told: readonly Partial<User>[]): readonly (readonly [key: string, user: Partial<User>])[] {
  const byId = new Map<string, Partial<User>>();
  for (const { id, ...user } of told) if (id !== undefined) byId.set(id, { ...user, ...byId.get(id) });
  const addresses = new Set([...byId.values()].map(({ email }) => email));
  const strangers = told.flatMap(({ id, email }) =>
    id === undefined && email !== undefined && !addresses.has(email) ? [email] : [],
  );
  return [...byId, ...[...new Set(strangers)].map(email => [email, { email }] as const)];
}

/** Adds to a state the missing names that some of its entities refer to. */
export const addNames = (tables: Tables, entities: readonly (readonly [CollectionName, Members])[]): void => {
  const told: Partial<User>[] = [];
  for (const [collection, entity] of entities) {
    for (const named of namedIn(collection, entity)) {
      if (named.collection === 'users') told.push(named.user);
      else if (!tables[named.collection].has(named.key))
        tables[named.collection].set(named.key, completeEntity(named.collection, named.key, {}));
    }
  }
  const addresses = new Set([...tables.users.values()].map(user => (user as User).email));
  for (const [key, { name, email }] of peopleIn(told)) {
    const isThere = tables.users.has(key) || (key === email && addresses.has(email));
    if (!isThere) tables.users.set(key, completeEntity('users', key, present({ name, email })));
  }
};
