import type { Schema } from './dialect.ts';
import type { Infer } from './infer.ts';
import { closed, described, list, object, ofEach, record, recordBut } from './object.ts';
import { count, filled, flag, percent, some, text } from './scalars.ts';

/**
 * The target file (`conform.config.json`): the server's address, the entities to which the suite may write (naming one
 * is consent), vocabulary, capabilities and names. Only the base URL and the key are required; what cannot be exercised
 * without the rest is reported as untested. `$NAME` in a text reads the environment.
 */

const texts = list(filled);

const headerName = { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~\\-]+$" } as const satisfies Schema;

const headersSchema = {
  ...list(closed(record({ name: headerName, value: filled }))),
  description: 'Headers for what stands in front of the server, sent with every request. Their values are never shown.',
} as const satisfies Schema;

const fixturesSchema = closed(
  described('Entities of the target that the suite may read and write.', {
    gates: texts,
    dynamicConfigs: { ...texts, description: 'The last one named is archived at the end of the run.' },
    experiments: list(closed(recordBut(['groups', 'status'], { id: filled, groups: texts, status: filled }))),
    qualifyingEvents: texts,
    prompts: texts,
    events: { ...texts, description: 'Names of logged events; created metrics are built over the first.' },
    environments: {
      type: 'array',
      description: 'The full set of environments as it is: the endpoint may replace the whole set.',
      items: {
        ...object({
          id: filled,
          name: filled,
          isProduction: flag,
          requiresReview: flag,
          requiresReleasePipeline: flag,
          requiredReviewGroupID: filled,
        }),
        required: ['name'],
        additionalProperties: false,
      },
    },
  }),
);

const disposableSchema = closed(
  described(
    'Fixtures whose state may be lost, beside the first of their kind: they are sent flags, statuses and names that may lock, end or rename them.',
    {
      experiments: texts,
      qualifyingEvents: texts,
      environments: { ...texts, description: 'By name; to be renamed, an environment needs an id.' },
    },
  ),
);

const vocabularySchema = closed(
  described('Names that exist at the target, for fields that must name something.', {
    idTypes: texts,
    metrics: list(closed(record({ name: filled, type: filled }))),
    models: texts,
    providers: texts,
    teams: {
      ...list({
        anyOf: [filled, closed(recordBut(['id', 'name'], { id: filled, name: filled }))],
      }),
      description: 'A text is the name of a team; one that has an id as well is named by both.',
    },
    users: list(closed(recordBut(['email'], { id: filled, email: filled }))),
    apps: texts,
    pipelines: texts,
    reviewGroups: texts,
    metricSources: texts,
    columns: { ...texts, description: 'Columns that every metric source named here has.' },
    environments: texts,
  }),
);

export const namingSchema = closed(
  described('What the target calls the four things the specification gives stand-in names.', {
    apiKeyHeader: headerName,
    unitIdField: filled,
    startDatePlaceholder: filled,
    endDatePlaceholder: filled,
  }),
);

const limitsSchema = closed(
  described('What a run may create and send at most. Absent: what the profile needs.', {
    metrics: count,
    promptVersions: count,
    requests: some,
  }),
);

/**
 * The kinds of names that can be learned from answers. The last four have no list in `vocabulary`, so only answers
 * provide them.
 */
export const learnableKinds = [
  'idTypes',
  'metrics',
  'teams',
  'users',
  'apps',
  'pipelines',
  'metricSources',
  'columns',
  'environments',
  'groups',
  'groupKeys',
  'assignmentSources',
  'identitySources',
] as const;

const vocabularyKinds = Object.keys(vocabularySchema.properties) as (keyof typeof vocabularySchema.properties)[];

const learnSchema = {
  description: 'Whether names are learned from the answers of the target: all, none, or all but the kinds named false.',
  anyOf: [
    flag,
    {
      type: 'object',
      properties: ofEach([...new Set([...vocabularyKinds, ...learnableKinds])], flag),
      additionalProperties: false,
    },
  ],
} as const satisfies Schema;

const coverageSchema = closed(
  described('The least coverage, in percent, that a whole run of the standard profile must reach.', {
    min: percent,
  }),
);

/** The operations with a body, for which a service may demand more than the specification. */
const operationsWithBody = [
  'update-environments',
  'update-qualifying-event',
  'update-experiment',
  'patch-gate',
  'enable-groups',
  'create-metric',
  'archive-config',
  'create-prompt-version',
] as const;

const requiresSchema = closed(
  described(
    'Optional fields that the service demands, by operation: `{ "create-metric": ["tags"] }`. They are sent with every request, `forceArchive` as true, and that they are demanded is not judged.',
    ofEach(operationsWithBody, texts),
  ),
);

export const capabilities = ['warehouse-native', 'enterprise', 'skip-validation'] as const;

export const targetFileSchema = closed(
  object({
    $schema: text,
    baseUrl: filled,
    apiKey: filled,
    headers: headersSchema,
    fixtures: fixturesSchema,
    disposable: disposableSchema,
    vocabulary: vocabularySchema,
    capabilities: list({ enum: capabilities }),
    naming: namingSchema,
    limits: limitsSchema,
    requires: requiresSchema,
    learn: learnSchema,
    coverage: coverageSchema,
  }),
);

export type Fixtures = Infer<typeof fixturesSchema>;
export type Vocabulary = Infer<typeof vocabularySchema>;
export type Limits = Infer<typeof limitsSchema>;
export type LearnableKind = (typeof learnableKinds)[number];
export type TargetFile = Infer<typeof targetFileSchema>;

/** The four names of a target, with their defaults. */
export type Naming = Readonly<Required<Infer<typeof namingSchema>>>;

/** The names that the specification uses. */
export const specificationNaming: Naming = {
  apiKeyHeader: 'SERVICE-API-KEY',
  unitIdField: 'serviceUnitID',
  startDatePlaceholder: '{service_start_date}',
  endDatePlaceholder: '{service_end_date}',
};
