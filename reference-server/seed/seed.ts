import { isObject, type Members, membersOf } from '../../contracts/json.ts';
import { at, join, steps } from '../../contracts/pointer.ts';
import { type Seed, type SeedCollection, seedCollections, spelledOutSeedSchema } from '../../contracts/seed.ts';
import { type Naming, specificationNaming } from '../../contracts/target.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
import { metricId } from '../api/references.ts';
import { keyHolder } from '../directory.ts';
import { type CollectionName, collectionNames, type Metric } from '../entities.ts';
import { completeEntity } from '../fixtures/defaults.ts';
import { fixtures } from '../fixtures/index.ts';
import { freeze, type Snapshot } from '../store/store.ts';
import { addNames, type Tables } from './named-in.ts';
import { rules } from './rules.ts';

/** What a metric names itself: the events of its lists, and the metrics that it is composed of. */
const namedBy = ({ metricEvents = [], funnelEventList = [], metricComponentMetrics = [] }: Metric) => ({
  events: [...metricEvents, ...funnelEventList].flatMap(({ name }) => name ?? []),
  metrics: metricComponentMetrics.flatMap(component => metricId(component) ?? []),
});

/**
 * Gives metrics without a lineage the one that follows from what they are computed from (section 2.7), through the
 * metrics of the table, in whichever order they stand. A metric that is composed of itself ends there.
 */
const linkMetrics = (table: Map<string, object>, ids: readonly string[]): void => {
  const open = new Set(ids);
  const directly = (metric: Metric) => (open.has(metric.id) ? namedBy(metric) : metric.lineage);
  const lineageOf = (metric: Metric): Metric['lineage'] => {
    const { events, metrics } = directly(metric);
    const [allEvents, allMetrics] = [new Set(events), new Set(metrics)];
    // A set that grows while it is walked over is walked to its end.
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

/** Reads a seed: what a server holds at first and after a reset. */

/** What is wrong with a seed, and where. */
export type SeedProblem = Problem;

/** Thrown for a value that is no seed; `problems` has at least one. */
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

const keyMember = (collection: SeedCollection): 'id' | 'name' =>
  collection === 'qualifyingEvents' || collection === 'events' ? 'name' : 'id';

/** What an entity is known by, if its members say it. */
const keyIn = (collection: SeedCollection, { id, name, type }: Members): string | undefined => {
  const last = collection === 'metrics' && name !== undefined ? (type === undefined ? type : `${name}::${type}`) : name;
  const key = id ?? last;
  return key === undefined ? undefined : String(key);
};

/** An entity as a state has it: behind its key. */
const isPair = (item: unknown): item is readonly [string, object] =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && isObject(item[1]);

/**
 * A seed in which each entity is an object: one that is given as its key, or behind it, as `/_reference/state` shows a
 * state. A state extends nothing.
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
    const items = list.map(item => {
      if (isPair(item)) return item[1];
      return typeof item === 'string' ? { [keyMember(name)]: item } : item;
    });
    return [[name, items] as const];
  });
  if (lists.length === 0) return value;
  return { ...(isState ? { extends: 'empty' } : {}), ...members, ...Object.fromEntries(lists) };
};

/** The place of a problem in the seed as it was given: an entity of a state is the second of a pair. */
const asGiven = (value: unknown, { pointer, ...problem }: SeedProblem): SeedProblem => {
  const [collection = '', index = '', ...rest] = steps(pointer);
  const isOfPair = isPair(at(value, join(join('', collection), index)));
  return { ...problem, pointer: isOfPair ? [collection, index, 1, ...rest].reduce<string>(join, '') : pointer };
};

/** An entity that a seed gives: where it stands, under which key, and its members. */
interface Entry {
  readonly collection: SeedCollection;
  readonly key: string;
  readonly given: Members;
}

/** How deep a seed may nest: as deep as a request. */
const deepest = 200;

/** Whether a value nests deeper; looks no further than that. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(member => isDeeper(member, levels - 1)));

/** The entities of a seed that keeps its schema. Throws `InvalidSeed` where they do not fit together. */
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

/** What a metric is computed from: where a seed gives it anew, its lineage follows. */
const sources = ['metricEvents', 'funnelEventList', 'metricComponentMetrics'];

/** An entity over the one with its key that is there already; what it says nothing of stays. */
const over = (before: object | undefined, { collection, given }: Entry): Members => {
  const isComputed = collection === 'metrics' && sources.some(name => name in given);
  return { ...before, ...(isComputed && { lineage: undefined }), ...given };
};

/** The placeholders of the specification under the names of the server. */
const renamed = (sql: string, naming: Naming): string =>
  sql
    .replaceAll(specificationNaming.startDatePlaceholder, () => naming.startDatePlaceholder)
    .replaceAll(specificationNaming.endDatePlaceholder, () => naming.endDatePlaceholder);

/**
 * The state that a seed describes: the fixtures, unless it extends nothing, with its entities over them. Members that
 * it does not give get the values that a new entity has; names that its entities refer to exist. Placeholders in SQL get
 * the names of `naming`. Throws `InvalidSeed` with every problem found.
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
