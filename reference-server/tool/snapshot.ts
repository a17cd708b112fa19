import type { Schema } from '../../contracts/dialect.ts';
import * as r from '../../contracts/resources/index.ts';
import { validatorFor } from '../../contracts/validation.ts';
import type { FieldError } from '../api/response.ts';
import { type CollectionName, collectionNames, directoryNames, forEachNamed } from '../entities.ts';
import { directorySnapshot } from '../fixtures/index.ts';
import type { Snapshot } from '../store/store.ts';

const pairs = { type: 'array', items: { type: 'array', minItems: 2, maxItems: 2 } } as const satisfies Schema;
const text = { type: 'string' } as const satisfies Schema;
const integer = { type: 'integer' } as const satisfies Schema;
const texts = { type: 'array', items: text } as const satisfies Schema;

const metric = {
  ...r.metric,
  properties: {
    ...r.metric.properties,
    lineage: { type: 'object', properties: { events: texts, metrics: texts }, required: ['events', 'metrics'] },
  },
  required: [...r.metric.required, 'lineage'],
} as const satisfies Schema;

const named = { type: 'object', properties: { id: text }, required: ['id'] } as const satisfies Schema;

/** What an entity of each collection must be, so that the handlers can work with it. */
// biome-ignore format: a table
export const entities: { readonly [C in CollectionName]: Schema } = {
  environments:     r.environment,
  gates:            r.gate,
  configs:          { type: 'object', properties: { id: text, versions: { type: 'array', minItems: 1, items: r.dynamicConfig } }, required: ['id', 'versions'] },
  experiments:      r.experiment,
  qualifyingEvents: { ...r.qualifyingEvent, properties: { ...r.qualifyingEvent.properties, name: text } },
  metrics:          metric,
  segments:         r.segment,
  prompts:          { type: 'object', properties: { id: text, count: integer, versions: { type: 'array', items: r.promptVersion } }, required: ['id', 'count', 'versions'] },
  events:           { type: 'object', properties: { name: text, records: { type: 'array', items: r.loggedEvent } }, required: ['name', 'records'] },
  users:             { type: 'object', properties: { id: text, name: text, email: text }, required: ['id', 'name', 'email'] },
  ...forEachNamed(named),
};

const shape = {
  type: 'object',
  properties: Object.fromEntries(collectionNames.map(name => [name, pairs])),
  required: collectionNames.filter(name => !directoryNames.some(one => one === name)),
} as const satisfies Schema;

const toProblem = (at: string, pointer: string, message: string): FieldError => ({
  property: `${at}${pointer}`.replaceAll('/', '.'),
  errorMessage: message,
});

const entityProblems = (collection: CollectionName, pair: readonly unknown[], index: number): FieldError[] => {
  const at = `${collection}.${index}`;
  if (typeof pair[0] !== 'string') return [toProblem(`${at}.0`, '', 'must be a string')];
  return validatorFor(entities[collection])(pair[1]).map(({ pointer, message }) =>
    toProblem(`${at}.1`, pointer, message),
  );
};

/** A snapshot that was sent, or what is wrong with it. */
export const snapshotOf = (
  value: unknown,
): { readonly snapshot: Snapshot } | { readonly problems: readonly FieldError[] } => {
  const outer = validatorFor(shape)(value).map(({ pointer, message }) => toProblem('', pointer.slice(1), message));
  if (outer.length > 0) return { problems: outer };
  // A state from before the directory was part of it had that of the fixtures.
  const sent: unknown = { ...directorySnapshot, ...(value as object) };
  const whole = sent as {
    [C in CollectionName]: readonly (readonly unknown[])[];
  };
  const problems = collectionNames.flatMap(name =>
    whole[name].flatMap((pair, index) => entityProblems(name, pair, index)),
  );
  return problems.length > 0 ? { problems } : { snapshot: sent as Snapshot };
};
