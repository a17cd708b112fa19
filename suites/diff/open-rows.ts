import type { Schema } from '../../contracts/dialect.ts';
import { type Endpoint, isOperation } from '../../contracts/endpoint.ts';
import { isObject, membersOf } from '../../contracts/json.ts';
import { steps } from '../../contracts/pointer.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { propertiesOf } from '../judge/compared.ts';
import type { Located } from './located.ts';
import { itemsOf, kindOf } from './members.ts';
import { isWritten } from './origins.ts';
import { isAcceptedStatus, type RecordedExchange } from './recording.ts';

/** A difference of which no clause is broken, and what was asked. */
export interface OpenContext {
  readonly row: Endpoint;
  readonly located: Located;
  /** The exchanges of both sides; null where the difference is of all items of a list together. */
  readonly a: RecordedExchange | null;
  readonly b: RecordedExchange | null;
  /** The field of the body that the case is about, if it is about one. */
  readonly about: readonly string[];
}

/** A requirement that leaves something to servers, and which differences are of that kind. */
interface OpenRow {
  readonly requirement: RequirementId;
  readonly holds: (context: OpenContext) => boolean;
}

const requestOf = ({ a, b }: OpenContext) => (a ?? b)?.request;
const queryOf = (context: OpenContext) => requestOf(context)?.query ?? {};
const isOutcome = ({ located: { aspect } }: OpenContext): boolean => aspect === 'outcome';
/** True of a request that writes nothing: what it shows of a write may be late. */
const isReading = (context: OpenContext): boolean =>
  context.row.method === 'GET' ||
  (context.row.action === 'patch' && Object.keys(membersOf(requestOf(context)?.body)).length === 0);
const areRefused = ({ a, b }: OpenContext): boolean =>
  a !== null && b !== null && !isAcceptedStatus(a) && !isAcceptedStatus(b);

/** True of what a page says of itself, and of which items it shows. */
const isOfPage = ({ located: { pointer } }: OpenContext): boolean =>
  /^\/(?:pagination\/(?:itemsPerPage|pageNumber|totalItems|nextPage|previousPage|all)|data)$/.test(pointer);

/** The member of `data`, or of its items, that the difference is in; undefined where it is in none. */
export function memberOf({ located: { pointer } }: Pick<OpenContext, 'located'>): string | undefined {
  const [first, ...rest] = steps(pointer);
  return first === 'data' ? rest.find(step => step !== '*') : undefined;
}

const lastOf = ({ located: { pointer } }: OpenContext): string | undefined =>
  steps(pointer).findLast(step => step !== '*');

const shownSchema = ({ row, located: { pointer } }: OpenContext): Schema | undefined =>
  steps(pointer)
    .slice(1)
    .reduce<Schema | undefined>(
      (schema, step, index) =>
        step === '*'
          ? index === 0 && schema?.items === undefined
            ? schema
            : itemsOf(schema)
          : propertiesOf(schema)?.[step],
      row.data,
    );

const askedSchema = (body: Schema | null, path: readonly string[]): Schema | undefined =>
  path.reduce<Schema | undefined>(
    (schema, step) => (/^(?:\d+|\*)$/.test(step) ? itemsOf(schema) : propertiesOf(schema)?.[step]),
    body ?? undefined,
  );

/** What is known of the field that the case is about. */
const aboutSchema = ({ row, about }: OpenContext): Schema | undefined => askedSchema(row.body, about);

const isAbout =
  (...names: readonly string[]) =>
  ({ about }: OpenContext): boolean =>
    names.some(name => about.includes(name));

const isMember =
  (...names: readonly string[]) =>
  (context: OpenContext): boolean =>
    names.includes(memberOf(context) ?? '');

/** True where both show the member, and what they show in it differs. */
const differsIn =
  (...names: readonly string[]) =>
  (context: OpenContext): boolean =>
    isMember(...names)(context) && !(context.located.aspect === 'presence' && lastOf(context) === memberOf(context));

/** Any field of the body, at any depth, that no table names. */
function hasUndocumented(body: unknown, schema: Schema | null | undefined): boolean {
  const properties = propertiesOf(schema ?? undefined);
  if (!isObject(body) || properties === undefined) return false;
  return Object.entries(body).some(
    ([name, value]) => !Object.hasOwn(properties, name) || hasUndocumented(value, properties[name]),
  );
}

const isPlain = (text: string): boolean => [...text].every(point => (point.codePointAt(0) ?? 0) < 0x80);

const oneIsNull = ({ located: { a, b, aspect } }: OpenContext): boolean =>
  aspect === 'presence' || (aspect === 'value' && (a === 'null' || b === 'null'));

/** The requirements in the order in which they are asked: what a request asks about first, fields before wholes. */
// biome-ignore format: a table
const rows: readonly OpenRow[] = [
  { requirement: 'open.missing-key-status',    holds: context => requestOf(context)?.key === 'none' && context.located.pointer === 'status' },
  { requirement: 'open.wrong-key-status',      holds: context => requestOf(context)?.key === 'other' && context.located.pointer === 'status' },
  { requirement: 'open.error-body',            holds: context => areRefused(context) && context.located.pointer !== 'status' },
  { requirement: 'open.error-status',          holds: context => areRefused(context) && context.located.pointer === 'status' && requestOf(context)?.own === true },
  { requirement: 'open.method-status',         holds: context => requestOf(context)?.own === false && context.located.pointer === 'status' },
  { requirement: 'open.odd-paging',            holds: context => isOutcome(context) && ('page' in queryOf(context) || 'limit' in queryOf(context)) && !(Number(queryOf(context).limit) > 10) },
  { requirement: 'open.limit-cap',             holds: context => Number(queryOf(context).limit) > 10 && (isOutcome(context) || isOfPage(context)) },
  { requirement: 'open.list-query',            holds: context => (isOutcome(context) || isOfPage(context)) && context.row.list && context.row.query === null && Object.keys(queryOf(context)).length > 0 },
  { requirement: 'open.config-repeat',         holds: context => isOutcome(context) && context.row.resource === 'config' && context.row.action !== 'list' },
  { requirement: 'open.enable-unknown-groups', holds: context => isOutcome(context) && context.row.action === 'enable' },
  { requirement: 'open.force-archive',         holds: context => isOutcome(context) && isAbout('forceArchive')(context) },
  { requirement: 'open.skip-validation',       holds: context => isOutcome(context) && isAbout('skipValidation', 'skip_validation')(context) },
  { requirement: 'open.sql-validation',        holds: context => isOutcome(context) && context.row.resource === 'qualifying-event' && isAbout('sql', 'timestampColumn', 'idTypeMapping', 'columns')(context) },
  { requirement: 'open.experiment-status-transitions', holds: context => isOutcome(context) && context.row.resource === 'experiment' && isAbout('status')(context) },
  { requirement: 'open.default-rollup-window', holds: context => isOutcome(context) && isAbout('defaultRollupWindow')(context) },
  { requirement: 'open.group-sizes',           holds: context => isOutcome(context) && isAbout('groups')(context) },
  { requirement: 'open.gradual-rollout',       holds: context => isOutcome(context) && isAbout('gradual_rollout_strategy')(context) },
  { requirement: 'open.prompt-roles',          holds: context => isOutcome(context) && isAbout('role')(context) },
  { requirement: 'open.condition-values',      holds: context => isOutcome(context) && isAbout('rules', 'conditions', 'criteria')(context) },
  { requirement: 'open.missing-capability',    holds: context => isOutcome(context) && aboutSchema(context)?.annotation?.capability !== undefined },
  { requirement: 'open.unknown-reference',     holds: context => isOutcome(context) && aboutSchema(context)?.annotation?.refersTo !== undefined },
  { requirement: 'open.guarded-fields',        holds: context => isOutcome(context) && aboutSchema(context)?.annotation?.semantics === 'guarded' },
  { requirement: 'open.lone-field',            holds: context => isOutcome(context) && aboutSchema(context)?.annotation?.beside !== undefined },
  { requirement: 'open.extra-request-fields',  holds: context => isOutcome(context) && (hasUndocumented(requestOf(context)?.body, context.row.body)) },
  { requirement: 'open.empty-body',            holds: context => isOutcome(context) && Object.keys(membersOf(requestOf(context)?.body)).length === 0 && context.row.method !== 'GET' && requestOf(context)?.raw === undefined },
  { requirement: 'open.length-unit',           holds: context => isOutcome(context) && !isPlain(JSON.stringify(requestOf(context)?.body ?? '')) },
  { requirement: 'open.metric-exists',         holds: context => isOutcome(context) && isOperation(context.row, 'metric', 'create') && [context.a, context.b].some(one => one?.status === 409) },
  { requirement: 'open.unknown-id-status',     holds: context => isOutcome(context) && context.row.param !== null && Object.keys(membersOf(requestOf(context)?.body)).length === 0 },
  { requirement: 'open.error-status',          holds: areRefused },

  { requirement: 'open.dry-run-message',       holds: context => context.located.pointer === '/message' && membersOf(requestOf(context)?.body).dryRun === true },
  { requirement: 'open.link-path',             holds: context => /^\/pagination\/(?:nextPage|previousPage|all)$/.test(context.located.pointer) },
  { requirement: 'open.odd-paging',            holds: context => isOfPage(context) && Object.keys(queryOf(context)).length > 0 },
  { requirement: 'open.timestamp-unit',        holds: context => context.located.aspect === 'value' && kindOf(lastOf(context) ?? '', shownSchema(context), undefined) === 'clock' },
  { requirement: 'open.version-increase',      holds: context => differsIn('version')(context) },
  { requirement: 'open.owner-absent',          holds: context => isMember('owner')(context) && context.located.aspect === 'presence' },
  { requirement: 'open.owner-types',           holds: differsIn('owner') },
  { requirement: 'open.config-disable-effect', holds: context => isOperation(context.row, 'config', 'disable') && isMember('isEnabled', 'status')(context) },
  { requirement: 'open.config-archive-effect', holds: context => isOperation(context.row, 'config', 'archive') && isMember('isEnabled', 'status', 'isArchived', 'archived')(context) },
  { requirement: 'open.enable-groups-flags',   holds: context => context.row.action === 'enable' && isMember('groups')(context) },
  { requirement: 'open.environment-replacement', holds: context => context.row.resource === 'environment' && memberOf(context) !== undefined },
  { requirement: 'open.gate-status-values',    holds: context => context.row.resource === 'gate' && differsIn('status', 'typeReason')(context) },
  { requirement: 'open.gate-item-shapes',      holds: context => context.row.resource === 'gate' && differsIn('rules', 'monitoringMetrics', 'gradual_rollout_strategy')(context) },
  { requirement: 'open.metric-response-types', holds: context => context.row.resource === 'metric' && differsIn('type')(context) },
  { requirement: 'open.metric-item-shapes',    holds: context => context.row.resource === 'metric' && differsIn('metricEvents', 'metricComponentMetrics')(context) },
  { requirement: 'open.event-metadata',        holds: context => context.row.resource === 'event' && differsIn('metadata')(context) },
  { requirement: 'open.request-only-fields',   holds: context => context.located.aspect === 'presence' && shownSchema(context) === undefined && askedMember(context) !== undefined },
  { requirement: 'open.sent-null',             holds: context => oneIsNull(context) && membersOf(requestOf(context)?.body)[memberOf(context) ?? ''] === null },
  { requirement: 'open.experiment-absent-fields', holds: context => isOperation(context.row, 'experiment', 'update') && isSettable(context) && !Object.hasOwn(membersOf(requestOf(context)?.body), memberOf(context) ?? '') },
  { requirement: 'open.read-after-write',      holds: context => context.located.aspect === 'value' && memberOf(context) !== undefined && isReading(context) && isWritten(context.row) },
  { requirement: 'open.conditional-fields',    holds: context => context.located.aspect === 'presence' && shownSchema(context)?.annotation?.beside !== undefined },
];

/** The schemas of the objects that every answer has, by their pointers. */
const frames: Readonly<Record<string, readonly string[]>> = {
  '': ['message', 'data', 'pagination'],
  '/pagination': ['itemsPerPage', 'pageNumber', 'totalItems', 'nextPage', 'previousPage', 'all'],
};

/** True of a member that no table names, in an object whose members the tables name: nothing is said of it. */
function isUndocumented(context: OpenContext): boolean {
  const { pointer, aspect } = context.located;
  if (aspect !== 'presence') return false;
  const parent = pointer.slice(0, pointer.lastIndexOf('/'));
  const name = lastOf(context) ?? '';
  const frame = frames[parent];
  if (frame !== undefined) return !frame.includes(name);
  const documented = propertiesOf(shownSchema({ ...context, located: { ...context.located, pointer: parent } }));
  return documented !== undefined && !Object.hasOwn(documented, name) && askedMember(context) === undefined;
}

const askedMember = ({ row, located: { pointer } }: OpenContext): Schema | undefined =>
  askedSchema(row.body, steps(pointer).slice(1));

/** True of a member that a request may set. */
const isSettable = (context: OpenContext): boolean =>
  Object.hasOwn(context.row.body?.properties ?? {}, memberOf(context) ?? '');

/** What a request may ask that the status of a refusal answers, too. */
const ofRefusals: ReadonlySet<string> = new Set(['open.method-status', 'open.unknown-id-status']);

/** The OPEN requirement that leaves a difference to servers; undefined where nothing is said of it. */
export function openRequirementOf(context: OpenContext): RequirementId | undefined {
  if (isUndocumented(context)) return undefined;
  const asked = requestOf(context)?.asks ?? '';
  const isAsked = isOutcome(context) || (areRefused(context) && ofRefusals.has(asked));
  if (asked !== '' && context.located.pointer === 'status' && isAsked) return asked as RequirementId;
  return rows.find(({ holds }) => holds(context))?.requirement;
}
