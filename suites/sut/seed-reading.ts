import type { ObjectSchema, Schema } from '../../contracts/dialect.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { asText, isObject, type Members, membersOf } from '../../contracts/json.ts';
import { redactedValue } from '../../contracts/redaction/values.ts';
import { type Seed, type SeedCollection, seedEntities } from '../../contracts/seed.ts';
import { isValid } from '../../contracts/validation.ts';
import { readPage } from '../judge/page.ts';
import { outcomeOf } from '../protocol/answer.ts';
import { count } from '../protocol/entries.ts';
import type { Target } from '../protocol/sut.ts';
import { type Listing, readGate, readList } from '../state/reading.ts';
import { type NoAnswers, type PlainLists, readPlainLists } from './discovery.ts';
import { after } from './learning/reading.ts';
import { secretsOf } from './target-secrets.ts';

/** Fits a target's entities into a seed: documented members of documented types, without secrets. */

/** Counts values that did not fit, by their path: `gates.status`. */
type LeftOut = Map<string, number>;

/** Returns the members of an object that a schema documents and accepts; lists of objects are fitted item by item. */
function membersThatFit({ properties = {} }: ObjectSchema, value: Members, at: string, leftOut: LeftOut): Members {
  const kept: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) continue;
    const whole = fitted(schema, member, `${at}.${name}`, leftOut);
    if (isValid(schema, whole)) kept.push([name, whole]);
    // A null means the same as an absent member.
    else if (member !== null) count(leftOut, `${at}.${name}`);
  }
  return Object.fromEntries(kept);
}

/** True for an object schema without additional members. */
const isClosed = (schema: Schema): schema is ObjectSchema =>
  'properties' in schema && schema.additionalProperties === false;

function fitted(schema: Schema, value: unknown, at: string, leftOut: LeftOut): unknown {
  if (Array.isArray(value) && 'items' in schema && schema.items !== undefined && isClosed(schema.items)) {
    const { items } = schema;
    return value.filter(isObject).map(item => membersThatFit(items as ObjectSchema, item, at, leftOut));
  }
  return value;
}

/** Returns the part of an entity that fits a seed, and counts the rest in `leftOut`. */
const fittedEntity = (collection: SeedCollection, entity: Members, leftOut: LeftOut): Members =>
  membersThatFit(seedEntities[collection], entity, collection, leftOut);

/** A seed that was read from a target, with its gaps. */
export interface SeedReading {
  readonly seed: Seed;
  /** Number of entities of each collection that an answer showed. */
  readonly read: ReadonlyMap<SeedCollection, number>;
  /** Named things that could not be read, or not to the end, and why. */
  readonly unread: readonly string[];
  /** Members that do not fit a seed, by path, with the number of times each was left out. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly requests: number;
}

/** Maximum number of records read per event. */
const mostRecords = 1000;

/** Entities by key, in reading order. */
type Found = Map<string, Members>;

/** The shared state of reading one target. */
interface Scene extends Pick<PlainLists, 'client' | 'isName'> {
  readonly clean: (entity: Members) => Members;
  readonly leftOut: LeftOut;
  readonly unread: string[];
}

/** Returns the items of a list, and records if it could not be read to its end. */
function itemsOf({ unread, clean }: Scene, what: string, { answer, items, complete }: Listing): readonly Members[] {
  if (readPage(answer) === null) unread.push(`${what}: ${outcomeOf(answer)}`);
  else if (!complete) unread.push(`${what}: only the first ${items.length}`);
  return items.filter(isObject).map(clean);
}

/** Reads the items of a list about an entity. */
const listOf = async (scene: Scene, endpoint: EndpointId, param: string, enough?: () => boolean) =>
  itemsOf(scene, `${endpoint} of ${param}`, await readList(scene.client, { endpoint, param }, enough));

/** Fits entities into a collection by key. Omits entities whose key must not appear in a file. */
function keep(
  { isName, leftOut }: Scene,
  collection: SeedCollection,
  key: 'id' | 'name',
  entities: readonly Members[],
): Found {
  const found: Found = new Map();
  for (const entity of entities) {
    const name = entity[key];
    if (isName(name) && !found.has(name)) found.set(name, fittedEntity(collection, entity, leftOut));
  }
  return found;
}

/**
 * Merges lists of the same items so that each keeps its order as far as possible: a new item goes before the next known
 * one.
 */
export function joined(lists: readonly (readonly string[])[]): readonly string[] {
  const all: string[] = [];
  for (const list of lists) {
    let place = 0;
    for (const item of list) {
      const known = all.indexOf(item);
      if (known >= 0) place = Math.max(place, known + 1);
      else all.splice(place++, 0, item);
    }
  }
  return all;
}

/** Returns the versions of a config, the newest first, if their numbers show the order. */
const newestFirst = (versions: readonly Members[]): readonly Members[] =>
  versions.every(({ version }) => Number.isInteger(version))
    ? versions.toSorted((one, other) => Number(asText(other.version)) - Number(asText(one.version)))
    : versions;

async function configsOf(scene: Scene, ids: readonly string[]): Promise<Found> {
  const found: Found = new Map();
  for (const id of ids) {
    const items = await listOf(scene, 'list-config-versions', id);
    const versions = newestFirst(items.filter(item => item.id === id));
    if (versions.length > 0) found.set(id, fittedEntity('configs', { id, versions }, scene.leftOut));
  }
  return found;
}

/** Reads gates by the empty patch, because no operation lists them. */
async function gatesOf({ client, clean, leftOut, unread }: Scene, ids: readonly string[]): Promise<Found> {
  const found: Found = new Map();
  for (const id of ids) {
    const { entity, answer } = await readGate(client, id);
    if (entity?.id === id) found.set(id, fittedEntity('gates', clean(entity), leftOut));
    else unread.push(`gate ${id}: ${outcomeOf(answer)}`);
  }
  return found;
}

/** Reads logged events and the metrics over them. A record carries the name of its event. */
async function eventsOf(scene: Scene, names: readonly string[]): Promise<{ events: Found; metrics: Found }> {
  const events: Found = new Map();
  const lists: (readonly Members[])[] = [];
  for (const name of names) {
    const items = await listOf(scene, 'list-events', name, after(mostRecords));
    const records = items.filter(record => record.name === name).map(({ name: _, ...record }) => record);
    events.set(name, fittedEntity('events', { name, records }, scene.leftOut));
    const listed = await listOf(scene, 'list-event-metrics', name);
    lists.push(listed.filter(({ id, name: own, type }) => id === `${own}::${type}`));
  }
  const kept = keep(scene, 'metrics', 'id', lists.flat());
  const order = joined(lists.map(list => list.flatMap(({ id }) => (kept.has(asText(id)) ? [asText(id)] : []))));
  return { events, metrics: new Map(order.map(id => [id, kept.get(id) as Members])) };
}

/** Returns a team of a target file as entity fields hold it: its id, or its name. */
const teamOf = (team: NonNullable<Target['vocabulary']['teams']>[number]): string =>
  typeof team === 'string' ? team : (team.id ?? team.name ?? '');

/** Returns what only the target file states, because no answer shows it. */
function toldBy({ fixtures, vocabulary }: Target): Seed {
  const { experiments = [], prompts = [], environments = [] } = fixtures;
  const { users = [], idTypes, models, providers, teams, apps, pipelines, reviewGroups } = vocabulary;
  const named = { idTypes, models, providers, teams: teams?.map(teamOf), apps, pipelines, reviewGroups };
  const lists: Seed = {
    environments,
    experiments: experiments.map(({ id, groups = [], status }) => ({
      id,
      ...(status !== undefined && { status }),
      ...(groups.length > 0 && { groups: groups.map(name => ({ name, size: 100 / groups.length })) }),
    })),
    prompts,
    users: [...users],
    ...Object.fromEntries(Object.entries(named).map(([name, names = []]) => [name, [...new Set(names)]])),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length > 0));
}

/**
 * Reads from a target what a seed can hold. By `GET`: metric sources, segments, versions of the named configs, and
 * known or found events with their metrics. By the empty patch, which changes nothing: the named gates. The target file
 * supplies the rest.
 *
 * @param events names of logged events that the owner gave
 */
export async function readSeedOf(
  target: Target,
  events: readonly string[],
  timeoutMs: number,
): Promise<SeedReading | NoAnswers> {
  const { gates = [], dynamicConfigs = [], events: named = [] } = target.fixtures;
  const clean = (entity: Members): Members => membersOf(redactedValue(entity, secretsOf(target)));
  const given = [...new Set([...events, ...named])];
  const mode = gates.length > 0 ? 'reads and empty patches' : 'reads';
  return readPlainLists(target, mode, timeoutMs, async ({ client, isName, sources, segments, search }) => {
    const scene: Scene = { client, isName, clean, leftOut: new Map(), unread: [] };
    const [sourceItems, segmentItems] = [
      itemsOf(scene, 'list-qualifying-events', sources),
      itemsOf(scene, 'list-segments', segments),
    ];
    const { found: events, silent } = await search(given);
    const searched = events.map(({ name }) => name);
    const found: { readonly [C in SeedCollection]?: Found } = {
      gates: await gatesOf(scene, gates),
      configs: await configsOf(scene, dynamicConfigs),
      qualifyingEvents: keep(scene, 'qualifyingEvents', 'name', sourceItems),
      ...(await eventsOf(scene, searched)),
      segments: keep(scene, 'segments', 'id', segmentItems),
    };
    for (const [endpoint, why] of silent) scene.unread.push(`${endpoint}: ${why}, so it was asked no further`);
    for (const name of given)
      if (!searched.includes(name)) scene.unread.push(`event ${name}: no metric and no record of it`);
    const lists = Object.entries(found).map(([name, entities]) => [name, [...entities.values()]] as const);
    return {
      seed: { extends: 'empty', ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)), ...toldBy(target) },
      read: new Map(lists.map(([name, list]) => [name as SeedCollection, list.length])),
      unread: scene.unread,
      leftOut: scene.leftOut,
      requests: client.sent(),
    };
  });
}
