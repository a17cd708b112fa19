import type { ObjectSchema, Schema } from './dialect.ts';

export { type EndpointId, endpointIds } from './endpoints.ts';

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

/** What an entity in an answer is. A row of the `identity` requirements binds every endpoint that answers with its resource. */
export type Resource =
  | 'environment'
  | 'config'
  | 'config-version'
  | 'qualifying-event'
  | 'experiment'
  | 'gate'
  | 'metric'
  | 'segment'
  | 'prompt-version'
  | 'event';

/** Each resource in words, as one is named in a sentence. */
export const resourceNames: Readonly<Record<Resource, string>> = {
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
};

/** What an operation does with its resource. */
export type Action = 'list' | 'create' | 'update' | 'patch' | 'enable' | 'disable' | 'archive' | 'read';

/** How an answer says whose it is: the member that must be the path parameter, or its own name and type joined by two colons. */
export interface Identity {
  readonly member: 'id' | 'name';
  readonly is: 'param' | 'name::type';
}

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
  readonly resource: Resource;
  readonly action: Action;
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
  /** The members that tell one item of a list from another; empty when nothing does, and where there is no list. */
  readonly itemKey: readonly string[];
  /** Which member of an answered entity must be what; null where nothing in the request or the answer says so. */
  readonly identity: Identity | null;
  /** What a success leaves behind that the API cannot take away, in words; on every operation that is additive or destructive. */
  readonly leaves?: string;
  /** The operation cannot be expected to succeed twice on one entity: its one accepted request comes last. */
  readonly oneShot?: true;
  /** Its checks work on the fixture that the target file names last, so that the first ones stay what they were for as long as possible. */
  readonly lastFixture?: true;
  /** The specification states the path of the links between pages: that of the endpoint itself. */
  readonly statedLinks?: true;
  /** The requirement that a sent field breaks by not being in the answer, where the answer is documented to have all that the body carried. */
  readonly wholeEcho?: string;
}

/** True of the operation that does this with that resource: `isOperation(row, 'gate', 'patch')`. */
export const isOperation = (row: Pick<Endpoint, 'resource' | 'action'>, resource: Resource, action: Action): boolean =>
  row.resource === resource && row.action === action;

/** True of an operation that can be tried without an effect (`dryRun` in its body). */
export const hasDryRun = ({ body }: Pick<Endpoint, 'body'>): boolean => body?.properties?.dryRun !== undefined;
