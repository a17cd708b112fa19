import { isObject, type Members, membersOf } from '../../contracts/json.ts';
import { at, join, steps } from '../../contracts/pointer.ts';
import { type Seed, type SeedCollection, seedCollections, spelledOutSeedSchema } from '../../contracts/seed.ts';
import { type Naming, specificationNaming } from '../../contracts/target.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
import { keyHolder } from '../directory.ts';
import { type CollectionName, collectionNames, type Metric } from '../entities.ts';
import { completeEntity } from '../fixtures/defaults.ts';
import { fixtures } from '../fixtures/index.ts';
import { namedBy } from '../handlers/metrics.ts';
import { freeze, type Snapshot } from '../store/store.ts';
import { addNames, type Tables } from './named-in.ts';
import { rules } from './rules.ts';

/**
 * Derives the lineage of metrics that have none (section 2.7), following component metrics in the table in any order.
 * Cycles end at the metric itself.
 */
const linkMetrics = (table: Map<string, object>, ids: readonly string[]): void => {
  const open = new Set(ids);
  const directly = (metric: Metric) => (open.has(metric.id) ? namedBy(metric) : metric.lineage);
  const lineageOf = (metric: Metric): Metric['lineage'] => {
    const { events, metrics } = directly(metric);
    const [allEvents, allMetrics] = [new Set(events), new Set(metrics)];
    // Iteration over a set also visits elements added meanwhile.
    for (const id of allMetrics) {
      const component = table.get(id) as Metric | undefined;
      if (component === undefined) continue;
      const below = directly(component);
      for (const event of below.events) allEvents.add(event);
      for (const further of below.metrics) allMetrics.add(further);
    }
    allMetrics.delete(metric.id);
    return { events: [...allEvents], metrics: [...allMetrics] };
  };
  const linked = ids.map(id => {
    const metric = table.get(id) as Metric;
    return [id, { ...metric, lineage: lineageOf(metric) }] as const;
  });
  for (const [id, metric] of linked) table.set(id, metric);
};

/** A problem of a seed, with its place. */
export type SeedProblem = Problem;

/** Thrown for an invalid seed; `problems` has at least one. */
export class InvalidSeed extends Error {
  readonly problems: readonly SeedProblem[];
  constructor(problems: readonly SeedProblem[]) {
    const [first, ...others] = problems;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    super(`${first?.pointer || 'the whole seed'} ${first?.message}${more}`);
    this.name = 'InvalidSeed';
    this.problems = problems;
  }
}

const tablesOf = (state: { readonly [C in CollectionName]?: readonly (readonly [string, object])[] }): Tables =>
  Object.fromEntries(collectionNames.map(name => [name, new Map<string, object>(state[name])])) as Tables;

/** Returns the key of an entity, if its members tell it. */
const keyIn = (collection: SeedCollection, { id, name, type }: Members): string | undefined => {
  const last = collection === 'metrics' && name !== undefined ? (type === undefined ? type : `${name}::${type}`) : name;
  const key = id ?? last;
  return key === undefined ? undefined : String(key);
};

/** True for an entity in the form of a state: a pair of key and entity. */
const isPair = (item: unknown): item is readonly [string, object] =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && isObject(item[1]);

/**
 * Converts every entity of a seed to an object. It may be given as its key, or as a pair as in `/_reference/state`. A
 * state extends nothing.
 */
const spelledOut = (value: unknown): unknown => {
  const members = membersOf(value);
  const isState = seedCollections.some(name => {
    const list = members[name];
    return Array.isArray(list) && list.some(isPair);
  });
  const lists = seedCollections.flatMap(name => {
    const list = members[name];
    if (!Array.isArray(list)) return [];
    const key = name === 'qualifyingEvents' || name === 'events' ? 'name' : 'id';
    const items = list.map(item => {
      if (isPair(item)) return item[1];
      return typeof item === 'string' ? { [key]: item } : item;
    });
    return [[name, items] as const];
  });
  if (lists.length === 0) return value;
  return { ...(isState ? { extends: 'empty' } : {}), ...members, ...Object.fromEntries(lists) };
};

/** Moves a problem's pointer to the seed as given: in a state, the entity is the second item of a pair. */
const asGiven = (value: unknown, { pointer, ...problem }: SeedProblem): SeedProblem => {
  const [collection = '', index = '', ...rest] = steps(pointer);
  const isOfPair = isPair(at(value, join(join('', collection), index)));
  return { ...problem, pointer: isOfPair ? [collection, index, 1, ...rest].reduce<string>(join, '') : pointer };
};

/** An entity of a seed, with its collection and key. */
interface Entry {
  readonly collection: SeedCollection;
  readonly key: string;
  readonly given: Members;
}

/** Maximum nesting of a seed, equal to that of a request. */
const deepest = 200;

/** True if a value nests deeper than `levels`. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(member => isDeeper(member, levels - 1)));

/** Returns the entities of a seed that satisfies its schema. Throws `InvalidSeed` if they contradict each other. */
function entriesOf(seed: Seed): readonly Entry[] {
  const problems: SeedProblem[] = [];
  const entries: Entry[] = [];
  for (const collection of seedCollections) {
    const places = new Map<string, string>();
    for (const [index, given] of (seed[collection] ?? []).entries()) {
      const place = join(`/${collection}`, index);
      const fault = (pointer: string, keyword: string, message: string) =>
        void problems.push({ pointer: place + pointer, keyword, message });
      const key = keyIn(collection, given as Members);
      if (key === undefined) {
        fault('', 'required', collection === 'metrics' ? 'needs an id, or a name and a type' : 'needs an id or a name');
        continue;
      }
      const first = places.get(key);
      if (first !== undefined) fault('', 'unique', `is ${JSON.stringify(key)} again, after ${first}`);
      places.set(key, place);
      for (const [pointer, message] of rules[collection]?.(key, given as Members) ?? [])
        fault(pointer, 'identity', message);
      entries.push({ collection, key, given: given as Members });
    }
  }
  if (problems.length > 0) throw new InvalidSeed(problems);
  return entries;
}

/** Members that determine a metric's lineage: a seed that sets one also resets the lineage. */
const sources = ['metricEvents', 'funnelEventList', 'metricComponentMetrics'];

/** Merges a seed's entity over the existing one; omitted members stay. */
const over = (before: object | undefined, { collection, given }: Entry): Members => {
  const isComputed = collection === 'metrics' && sources.some(name => name in given);
  return { ...before, ...(isComputed && { lineage: undefined }), ...given };
};

/** Replaces the specification's placeholders by the server's. */
const renamed = (sql: string, naming: Naming): string =>
  sql
    .replaceAll(specificationNaming.startDatePlaceholder, () => naming.startDatePlaceholder)
    .replaceAll(specificationNaming.endDatePlaceholder, () => naming.endDatePlaceholder);

/**
 * Returns the state that a seed describes: its entities over the fixtures, unless it extends nothing. Omitted members
 * get the defaults of new entities, and names that its entities refer to are created. SQL placeholders follow `naming`.
 * Throws `InvalidSeed` with all problems.
 */
export const seedOf = (value: unknown, naming: Naming = specificationNaming): Snapshot => {
  if (isDeeper(value, deepest))
    throw new InvalidSeed([{ pointer: '', keyword: 'depth', message: `nests deeper than ${deepest} levels` }]);
  const seed = spelledOut(value) as Seed;
  const problems = validatorFor(spelledOutSeedSchema)(seed);
  if (problems.length > 0) throw new InvalidSeed(problems.map(problem => asGiven(value, problem)));
  const entries = entriesOf(seed);
  const tables = tablesOf(seed.extends === 'empty' ? { users: [[keyHolder.id, keyHolder]] } : fixtures(naming));
  const unlinked: string[] = [];
  for (const entry of entries) {
    const { collection, key } = entry;
    const members = over(tables[collection].get(key), entry);
    const { sql } = members;
    const given = { ...members, ...(typeof sql === 'string' && { sql: renamed(sql, naming) }) };
    if (collection === 'metrics' && members.lineage === undefined) unlinked.push(key);
    tables[collection].set(key, completeEntity(collection, key, given));
  }
  linkMetrics(tables.metrics, unlinked);
  addNames(
    tables,
    entries.map(({ collection, key }) => [collection, tables[collection].get(key) as Members]),
  );
  return freeze(Object.fromEntries(collectionNames.map(name => [name, [...tables[name]]])) as unknown as Snapshot);
};
