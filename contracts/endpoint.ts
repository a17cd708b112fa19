import type { ObjectSchema, Schema } from './dialect.ts';
import type { Fixtures } from './target.ts';

/**
 * What a request leaves behind: nothing (`read`), something that the API can restore (`restorable`), a new entity
 * (`additive`), or a change that the API cannot undo (`destructive`).
 */
type Effect = 'read' | 'restorable' | 'additive' | 'destructive';

/**
 * The collection that an endpoint reads or writes. The checks of a collection run in turn, because they change the same
 * entities.
 */
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

/** The name of an entity of each resource in prose. */
export const resourceNames = {
  environment: 'environment',
  config: 'dynamic config',
  'config-version': 'version of a dynamic config',
  'qualifying-event': 'qualifying event',
  experiment: 'experiment',
  gate: 'gate',
  metric: 'metric',
  segment: 'segment',
  'prompt-version': 'prompt version',
  event: 'logged event',
} as const;

/** The kind of entity in an endpoint's answer. */
export type Resource = keyof typeof resourceNames;

/** What an operation does with its resource. */
export type Action = 'list' | 'create' | 'update' | 'patch' | 'enable' | 'disable' | 'archive' | 'read';

/** The member that identifies an answered entity, and its value: the path parameter, or name and type (2.7). */
export interface Identity {
  readonly member: 'id' | 'name';
  readonly is: 'param' | 'name::type';
}

/** A list of fixtures in the target file. */
export type FixtureKind = keyof Fixtures;

/**
 * A row of the endpoint table: everything that the suite, the server, the reports and the documents know of an
 * endpoint.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: `/console/v1/${string}`;
  readonly title: string;
  /** The section of the specification that states it. */
  readonly section: `4.${number}`;
  readonly resource: Resource;
  readonly action: Action;
  readonly effect: Effect;
  readonly collection: Collection;
  /** The fixtures that its path or body names; null if it needs none. */
  readonly fixture: FixtureKind | null;
  /** The path parameter; null if the path has none. */
  readonly param: 'id' | 'name' | 'eventName' | null;
  /** Stated query parameters; null if the specification states none. */
  readonly query: ObjectSchema | null;
  /** The request body; null if the operation has none. */
  readonly body: ObjectSchema | null;
  /** The status of success: 200 if the specification gives a code, otherwise any 2xx. */
  readonly success: 200 | '2xx';
  /** The exact message of success, if the specification gives one (section 1). */
  readonly message: string | null;
  /** The schema of `data`, or of one item for a list: types, enums and required members. */
  readonly data: Schema;
  /**
   * Members of `data` (dotted) that section 4 names, and that are therefore expected without being required (SHOULD).
   * If a member's `annotation.beside` names another (`tableName` beside `sourceType=table`), it is expected only when
   * the answer matches that.
   */
  readonly expected: readonly string[];
  /** True for a list operation: `data` is an array, with `pagination` beside it. */
  readonly list: boolean;
  /** The members that identify an item of a list; empty if none do, or without a list. */
  readonly itemKey: readonly string[];
  /** What identifies an answered entity; null if neither request nor answer shows it. */
  readonly identity: Identity | null;
  /** What a success leaves behind that the API cannot remove. Only for additive and destructive operations. */
  readonly leaves?: string;
  /** The operation may fail when repeated on the same entity, so its one accepted request is sent last. */
  readonly oneShot?: true;
  /** Its checks use the last fixture in the target file, so that the first ones stay unchanged for longest. */
  readonly lastFixture?: true;
  /** The specification states the path of page links: that of the endpoint (section 4.15). */
  readonly statedLinks?: true;
  /** The requirement that a missing sent field breaks, if the answer must show everything that was sent. */
  readonly wholeEcho?: string;
}

/** True if a row is this action on this resource: `isOperation(row, 'gate', 'patch')`. */
export const isOperation = (row: Pick<Endpoint, 'resource' | 'action'>, resource: Resource, action: Action): boolean =>
  row.resource === resource && row.action === action;

/** True if two requests of an operation never write to the same entity, so that they may run concurrently. */
export const writesApart = ({ effect }: Pick<Endpoint, 'effect'>): boolean =>
  effect === 'read' || effect === 'additive';

/** True if the operation has a dry run (`dryRun` in its body). */
export const hasDryRun = ({ body }: Pick<Endpoint, 'body'>): boolean => body?.properties?.dryRun !== undefined;
