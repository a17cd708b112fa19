import type { ObjectSchema, Properties, Schema } from './dialect.ts';
import * as r from './resources/index.ts';
import { count, filled, flag, text } from './scalars.ts';

/**
 * The seed of a reference server (`serve --seed`): its contents at first and after a reset, by collection. A seed may
 * be partial. An entity needs only its key, and may be written as that key. Other members come from the fixture with
 * that key, if the seed extends the fixtures, otherwise from the defaults of new entities.
 */

/**
 * Returns the schema of an entity in a seed: only `required` members are required, and only stored ones are allowed.
 */
const entity = (description: string, properties: Properties, required: readonly string[]): ObjectSchema => ({
  type: 'object',
  description,
  properties,
  required,
  additionalProperties: false,
});

const named = (what: string): ObjectSchema => entity(`${what} that requests may refer to.`, { id: filled }, ['id']);

const { all_columns, column_types } = r.qualifyingEventRequest.properties;
const request = r.metricRequest.properties;

/** Returns the schema of an object in a list of an entity: the same members, none required. */
const part = ({ properties = {} }: ObjectSchema): ObjectSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

/** Returns the members of an answer. Those that a request may send too have the schema of the request. */
const asRequested = (answer: ObjectSchema, request: ObjectSchema): Properties => {
  const given = Object.entries(request.properties ?? {}).filter(([name]) =>
    Object.hasOwn(answer.properties ?? {}, name),
  );
  return { ...answer.properties, ...Object.fromEntries(given) };
};

const archived = entity('That the config is archived, and why.', { reason: text, forced: flag }, ['reason', 'forced']);

/** The schema of an entity of each collection in a seed. */
// biome-ignore format: a table
export const seedEntities = {
  environments:      entity('An environment. One of id and name is enough.', { ...asRequested(r.environment, r.environmentRequest), id: filled, name: filled, requiredReviewGroupID: r.environmentRequest.properties.requiredReviewGroupID }, []),
  gates:             entity('A gate.', { ...asRequested(r.gate, r.gatePatch), id: filled, teamID: r.gatePatch.properties.teamID, releasePipelineID: r.gatePatch.properties.releasePipelineID, gradual_rollout_strategy: r.gatePatch.properties.gradual_rollout_strategy }, ['id']),
  configs:           entity('A dynamic config with its versions, the newest first.', { id: filled, versions: { type: 'array', minItems: 1, items: part(r.dynamicConfig) }, archived }, ['id']),
  experiments:       entity('An experiment.', { ...asRequested(r.experiment, r.experimentRequest), id: filled }, ['id']),
  qualifyingEvents:  entity('A metric source.', { ...asRequested(r.qualifyingEvent, r.qualifyingEventRequest), name: filled, all_columns, column_types }, ['name']),
  metrics:           entity('A metric: its id is `<name>::<type>`. The id, or name and type, are enough.', { ...asRequested(r.metric, r.metricRequest), id: filled, name: filled, type: filled, metricComponentMetrics: request.metricComponentMetrics, rollupTimeWindow: request.rollupTimeWindow, customRollUpStart: request.customRollUpStart, customRollUpEnd: request.customRollUpEnd, percentile: request.percentile, warehouseNative: request.warehouseNative, teamID: request.teamID }, []),
  segments:          entity('A segment.', { ...r.segment.properties, id: filled }, ['id']),
  prompts:           entity('A prompt with its versions, the newest first, and how many there ever were.', { id: filled, count: count, versions: { type: 'array', items: part({ ...r.promptVersion, properties: asRequested(r.promptVersion, r.promptVersionRequest) }) } }, ['id']),
  events:            entity('An event with what was logged of it, in the order of logging.', { name: filled, records: { type: 'array', items: part(r.loggedEvent) } }, ['name']),
  users:             entity('A person that requests may refer to.', { id: filled, name: filled, email: filled }, ['id']),
  teams:             named('A team'),
  apps:              named('A target app'),
  idTypes:           named('A unit id type'),
  models:            named('A model'),
  providers:         named('A provider'),
  pipelines:         named('A release pipeline'),
  reviewGroups:      named('A review group'),
  assignmentSources: named('An assignment source'),
  identitySources:   named('An identity resolution source'),
} as const satisfies Readonly<Record<string, ObjectSchema>>;

/** The name of a collection in a seed. */
export type SeedCollection = keyof typeof seedEntities;

/** The names of the collections in a seed. */
export const seedCollections = Object.keys(seedEntities) as readonly SeedCollection[];

/** The base of a seed: the fixtures of the reference server, or nothing. */
const seedBases = ['fixtures', 'empty'] as const;

const seedWith = (itemOf: (item: ObjectSchema) => Schema) =>
  ({
    type: 'object',
    properties: {
      $schema: text,
      extends: { enum: seedBases, description: 'What the seed begins with: the fixtures unless it says otherwise.' },
      ...Object.fromEntries(
        seedCollections.map(name => [name, { type: 'array', items: itemOf(seedEntities[name]) } as const]),
      ),
    },
    additionalProperties: false,
  }) as const satisfies Schema;

/** The schema of a seed file. */
export const seedSchema = seedWith(item => ({ anyOf: [filled, item] }));

/** The same schema once entities written as keys are replaced by objects, which gives more precise errors. */
export const spelledOutSeedSchema = seedWith(item => item);

/** A seed. Its entities have any subset of the members that the server stores. */
export type Seed = {
  readonly $schema?: string;
  readonly extends?: (typeof seedBases)[number];
} & { readonly [C in SeedCollection]?: readonly (string | object)[] };
