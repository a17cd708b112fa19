import type { ObjectSchema, Schema } from './dialect.ts';

/** The ids of the fifteen endpoints, in the order of section 4 of the specification. They are stable: reports, baselines and filters use them. */
export const endpointIds = [
  'update-environments',
  'list-config-versions',
  'update-qualifying-event',
  'update-experiment',
  'disable-config',
  'patch-gate',
  'disable-gate',
  'enable-groups',
  'create-metric',
  'archive-config',
  'list-qualifying-events',
  'list-segments',
  'create-prompt-version',
  'list-event-metrics',
  'list-events',
] as const;

/** The id of an endpoint. */
export type EndpointId = (typeof endpointIds)[number];

/**
 * What a request leaves behind: nothing (`read`), something the API can put back (`restorable`), a new entity (`additive`), or a
 * change the API cannot undo (`destructive`).
 */
export type Effect = 'read' | 'restorable' | 'additive' | 'destructive';

/** The collection that an endpoint reads or writes. Checks of one collection run one after another, so that none disturbs another's subject. */
export type Collection =
  | 'environments'
  | 'configs'
  | 'qualifying-events'
  | 'experiments'
  | 'gates'
  | 'metrics'
  | 'segments'
  | 'prompts'
  | 'events';

/** The list of fixtures in the target file that the endpoint's path (or body) draws its subject from; null when it needs none. */
export type FixtureKind =
  | 'environments'
  | 'dynamicConfigs'
  | 'qualifyingEvents'
  | 'experiments'
  | 'gates'
  | 'prompts'
  | 'events';

/** A row of the endpoint table: all that the suite, the server, the reports and the documents know of an endpoint. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: `/console/v1/${string}`;
  readonly title: string;
  /** The section of the specification that states it. */
  readonly section: `4.${number}`;
  readonly effect: Effect;
  readonly collection: Collection;
  readonly fixture: FixtureKind | null;
  /** The path parameter, if the path has one. */
  readonly param: 'id' | 'name' | 'eventName' | null;
  /** Stated query parameters; null where the specification states none. */
  readonly query: ObjectSchema | null;
  /** The request body; null where the operation has none. */
  readonly body: ObjectSchema | null;
  /** The status of success: 200 where the specification gives a code, any 2xx elsewhere. */
  readonly success: 200 | '2xx';
  /** The exact message of success, where the specification gives one (section 1). */
  readonly message: string | null;
  /** The schema of `data`, or of one item of `data` on list operations. Types, closed sets and presence that is a MUST. */
  readonly data: Schema;
  /**
   * Members of `data` (dotted) that section 4 names and that are therefore expected, without being required (SHOULD). A member whose
   * `annotation.beside` names another (`tableName` beside `sourceType=table`) is expected only where that holds of the answer.
   */
  readonly expected: readonly string[];
  /** True on list operations: `data` is an array and `pagination` stands beside it. */
  readonly list: boolean;
  /** The members that tell one item of a list from another; empty when nothing does. */
  readonly identity: readonly string[];
}
