import type { Schema } from '../../contracts/dialect.ts';
import { isObject } from '../../contracts/json.ts';
import { list, record } from '../../contracts/object.ts';
import { join } from '../../contracts/pointer.ts';
import * as r from '../../contracts/resources/index.ts';
import { text, texts } from '../../contracts/scalars.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
import { type CollectionName, collectionNames, directoryNames, forEachNamed, keyOf } from '../entities.ts';
import { directorySnapshot } from '../fixtures/index.ts';
import type { Snapshot } from '../store/store.ts';

const pairs = list({ type: 'array', minItems: 2, maxItems: 2 });

const metric = {
  ...r.metric,
  properties: {
    ...r.metric.properties,
    lineage: record({ events: texts, metrics: texts }),
  },
  required: [...r.metric.required, 'lineage'],
} as const satisfies Schema;

/** Schemas of stored entities, as the handlers need them. */
// biome-ignore format: a table
export const entities: { readonly [C in CollectionName]: Schema } = {
  environments:     r.environment,
  gates:            r.gate,
  configs:          record({ id: text, versions: { type: 'array', minItems: 1, items: r.dynamicConfig } }),
  experiments:      r.experiment,
  qualifyingEvents: { ...r.qualifyingEvent, properties: { ...r.qualifyingEvent.properties, name: text } },
  metrics:          metric,
  segments:         r.segment,
  prompts:          record({ id: text, count: { type: 'integer' }, versions: list(r.promptVersion) }),
  events:           record({ name: text, records: list(r.loggedEvent) }),
  users:             record({ id: text, name: text, email: text }),
  ...forEachNamed(record({ id: text })),
};

const shape = {
  type: 'object',
  properties: Object.fromEntries(collectionNames.map(name => [name, pairs])),
  required: collectionNames.filter(name => !directoryNames.some(one => one === name)),
  additionalProperties: false,
} as const satisfies Schema;

/** Returns the problems of a pair of id and entity at `pointer`; `before` maps keys to their first place. */
const pairProblems = (
  collection: CollectionName,
  pointer: string,
  [key, entity]: readonly unknown[],
  before: Map<unknown, string>,
): Problem[] => {
  const first = before.get(key);
  before.set(key, first ?? pointer);
  const fault = (at: string, keyword: string, message: string): Problem => ({ pointer: at, keyword, message });
  if (typeof key !== 'string') return [fault(join(pointer, 0), 'type', 'must be a string')];
  if (first !== undefined) return [fault(pointer, 'unique', `is ${JSON.stringify(key)} again, after ${first}`)];
  const problems = validatorFor(entities[collection])(entity).map(problem => ({
    ...problem,
    pointer: join(pointer, 1) + problem.pointer,
  }));
  if (problems.length > 0 || (isObject(entity) && keyOf(entity) === key)) return problems;
  return [
    fault(join(pointer, 0), 'const', `must be ${JSON.stringify(isObject(entity) && keyOf(entity))}, as its entity`),
  ];
};

/** Validates a snapshot. Returns it, or its problems with JSON Pointers. */
export const snapshotOf = (
  value: unknown,
): { readonly snapshot: Snapshot } | { readonly problems: readonly Problem[] } => {
  const outer = validatorFor(shape)(value);
  if (outer.length > 0) return { problems: outer };
  // Older states lack the directory: they used that of the fixtures.
  const sent: unknown = { ...directorySnapshot, ...(value as object) };
  const whole = sent as { [C in CollectionName]: readonly (readonly unknown[])[] };
  const problems = collectionNames.flatMap(name => {
    const before = new Map<unknown, string>();
    return whole[name].flatMap((pair, index) => pairProblems(name, join(join('', name), index), pair, before));
  });
  return problems.length > 0 ? { problems } : { snapshot: sent as Snapshot };
};
