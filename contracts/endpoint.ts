import type { ObjectSchema, Schema } from './dialect.ts';
import type { Fixtures } from './target.ts';

/**
 * What a request leaves behind: nothing (`read`), something the API can put back (`restorable`), a new entity
 * (`additive`), or a change the API cannot undo (`destructive`).
 */
type Effect = 'read' | 'restorable' | 'additive' | 'destructive';

/**
 * The collection that an endpoint reads or writes. Checks of one collection run one after another, as they change the
 * same entities.
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

/** What one entity of each resource is called in a sentence. */
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

/** The kind of entity that an endpoint answers with. */
export type Resource = keyof typeof resourceNames;

/** What an operation does with its resource. */
export type Action = 'list' | 'create' | 'update' | 'patch' | 'enable' | 'disable' | 'archive' | 'read';

/** The member that identifies an answered entity, and what it must be: the path parameter, or name and type (2.7). */
export interface Identity {
  readonly member: 'id' | 'name';
  readonly is: 'param' | 'name::type';
}

/** A list of fixtures in the target file. */
export type FixtureKind = keyof Fixtures;

/** A row of the endpoint table: all that the suite, the server, the reports and the documents know of an endpoint. */
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
  /** The fixtures that its path or body names; null where it needs none. */
  readonly fixture: FixtureKind | null;
  /** The path parameter; null where the path has none. */
  readonly param: 'id' | 'name' | 'eventName' | null;
  /** Stated query parameters; null where the specification states none. */
  readonly query: ObjectSchema | null;
  /** The request body; null where the operation has none. */
  readonly body: ObjectSchema | null;
  /** The status of success: 200 where the specification gives a code, any 2xx elsewhere. */
  readonly success: 200 | '2xx';
  /** The exact message of success, where the specification gives one (section 1). */
  readonly message: string | null;
  /** The schema of `data`, of one item on list operations: types, closed sets, members that MUST be there. */
  readonly data: Schema;
  /**
   * Members of `data` (dotted) that section 4 names, and that are therefore expected without being required (SHOULD). A
   * member whose `annotation.beside` names another (`tableName` beside `sourceType=table`) is expected only where that
   * holds of the answer.
   */
  readonly expected: readonly string[];
  /** True of a list operation: `data` is an array, and `pagination` stands beside it. */
  readonly list: boolean;
  /** The members that identify an item of a list; empty where none do, and where there is no list. */
  readonly itemKey: readonly string[];
  /** What identifies an answered entity; null where neither request nor answer says it. */
  readonly identity: Identity | null;
  /** What a success leaves behind that the API cannot remove; of additive and destructive operations alone. */
  readonly leaves?: string;
  /** The operation may fail when repeated on the same entity: its one accepted request is sent last. */
  readonly oneShot?: true;
  /** Its checks use the fixture that the target file names last, so that the first ones stay unchanged longest. */
  readonly lastFixture?: true;
  /** The specification states the path of the links between pages: that of the endpoint (section 4.15). */
  readonly statedLinks?: true;
  /** The requirement that a missing sent field breaks, where the answer must have everything that was sent. */
  readonly wholeEcho?: string;
}

/** True of the operation of one action on one resource: `isOperation(row, 'gate', 'patch')`. */
export const isOperation = (row: Pick<Endpoint, 'resource' | 'action'>, resource: Resource, action: Action): boolean =>
  row.resource === resource && row.action === action;

/** True of an operation of which two requests never write to the same entity: they may be under way together. */
export const writesApart = ({ effect }: Pick<Endpoint, 'effect'>): boolean =>
  effect === 'read' || effect === 'additive';

/** True of an operation that can be sent without effect (`dryRun` in its body). */
export const hasDryRun = ({ body }: Pick<Endpoint, 'body'>): boolean => body?.properties?.dryRun !== undefined;
