import type { Schema } from '../../../contracts/dialect.ts';
import { type Endpoint, isOperation } from '../../../contracts/endpoint.ts';
import { isObject, membersOf } from '../../../contracts/json.ts';
import { isPosition, steps } from '../../../contracts/pointer.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { propertiesOf } from '../../judge/compared.ts';
import { isWritten } from '../compare/origins.ts';
import { itemsOf, kindOf, type Located, memberAt } from '../compare/values.ts';
import { isAcceptedStatus, type RecordedExchange } from '../record/recording.ts';

/** A difference that no breach explains, and its request. */
interface OpenContext {
  readonly row: Endpoint;
  readonly located: Located;
  /** The exchanges of both sides; null if the difference concerns all items of a list together. */
  readonly a: RecordedExchange | null;
  readonly b: RecordedExchange | null;
  /** The body field that the case is about; empty if there is none. */
  readonly about: readonly string[];
}

/** A difference in the terms of the tables below. */
type Seen = ReturnType<typeof seenIn>;

const shownSchema = (row: Endpoint, [, ...path]: readonly string[]): Schema | undefined =>
  path.reduce<Schema | undefined>(
    (schema, step, index) =>
      step === '*' ? (index === 0 && !schema?.items ? schema : itemsOf(schema)) : propertiesOf(schema)?.[step],
    row.data,
  );

const askedSchema = ({ body }: Endpoint, path: readonly string[]): Schema | undefined =>
  path.reduce<Schema | undefined>(
    (schema, step) => (isPosition(step) ? itemsOf(schema) : propertiesOf(schema)?.[step]),
    body ?? undefined,
  );

/** Reads a difference and its request in the terms of the tables. */
function seenIn({ row, located, a, b, about }: OpenContext) {
  const { pointer, aspect } = located;
  const request = (a ?? b)?.request;
  const path = steps(pointer);
  const member = memberAt(pointer);
  const last = path.findLast(step => step !== '*');
  const query = request?.query ?? {};
  const sent = membersOf(request?.body);
  const isIn = (...names: readonly string[]): boolean => member !== undefined && names.includes(member);
  return {
    row,
    request,
    sent,
    path,
    pointer,
    aspect,
    oneIsNull: aspect === 'presence' || (aspect === 'value' && (located.a === 'null' || located.b === 'null')),
    member,
    last,
    isIn,
    key: request?.key,
    statuses: [a?.status, b?.status],
    limit: Number(query.limit),
    isPaged: 'page' in query || 'limit' in query,
    hasQuery: Object.keys(query).length > 0,
    isEmpty: Object.keys(sent).length === 0,
    isRefused: a !== null && b !== null && !isAcceptedStatus(a) && !isAcceptedStatus(b),
    /** The numbers and links of a page, and its items as a whole. */
    isOfPage: /^\/(?:pagination\/(?:itemsPerPage|pageNumber|totalItems|nextPage|previousPage|all)|data)$/.test(pointer),
    /** True if the case is about one of these body fields. */
    asks: (...names: readonly string[]): boolean => names.some(name => about.includes(name)),
    /** The annotation of the field that the case is about. */
    field: askedSchema(row, about)?.annotation,
    /** True if both sides show one of these members, and the difference lies in it. */
    differsIn: (...names: readonly string[]): boolean => isIn(...names) && !(aspect === 'presence' && last === member),
    /** The same for the shape of a member: other list items alone are no other shape. */
    differsInShape: (...names: readonly string[]): boolean => isIn(...names) && (last !== member || aspect === 'type'),
    shown: shownSchema(row, path),
    askedMember: askedSchema(row, path.slice(1)),
  };
}

/** True if the body has an undocumented field at any depth. */
function hasUndocumented(body: unknown, schema: Schema | null | undefined): boolean {
  const properties = propertiesOf(schema ?? undefined);
  if (!isObject(body) || !properties) return false;
  return Object.entries(body).some(
    ([name, value]) => !Object.hasOwn(properties, name) || hasUndocumented(value, properties[name]),
  );
}

const isList = ({ row, hasQuery }: Seen): boolean => row.list && !row.query && hasQuery;

/** True if a request writes nothing: its answer may show an earlier write late. */
const isReading = ({ row, isEmpty }: Seen): boolean => row.method === 'GET' || (row.action === 'patch' && isEmpty);

/** An OPEN requirement, and whether it allows a difference. */
type OpenRow = readonly [requirement: RequirementId, holds: (seen: Seen) => boolean];

/** Checked first, for any difference: what the request as a whole leaves open. */
// biome-ignore format: a table
const ofRequests: readonly OpenRow[] = [
  ['open.missing-key-status',   ({ key, pointer }) => key === 'none' && pointer === 'status'],
  ['open.wrong-key-status',     ({ key, pointer }) => key === 'other' && pointer === 'status'],
  ['open.error-body',           ({ isRefused, pointer }) => isRefused && pointer !== 'status'],
  ['open.error-status',         ({ isRefused, pointer, request }) => isRefused && pointer === 'status' && request?.own === true],
  ['open.method-status',        ({ request, pointer }) => request?.own === false && pointer === 'status'],
];

/** For differing outcomes, in order of priority: rules on fields before rules on whole requests. */
// biome-ignore format: a table
const ofOutcomes: readonly OpenRow[] = [
  ['open.odd-paging',           ({ isPaged, limit }) => isPaged && !(limit > 10)],
  ['open.limit-cap',            ({ limit }) => limit > 10],
  ['open.list-query',           isList],
  ['open.config-repeat',        ({ row }) => row.resource === 'config' && row.action !== 'list'],
  ['open.enable-unknown-groups', ({ row }) => row.action === 'enable'],
  ['open.force-archive',        ({ asks }) => asks('forceArchive')],
  ['open.skip-validation',      ({ asks }) => asks('skipValidation', 'skip_validation')],
  ['open.sql-validation',       ({ row, asks }) => row.resource === 'qualifying-event' && asks('sql', 'timestampColumn', 'idTypeMapping', 'columns')],
  ['open.experiment-status-transitions', ({ row, asks }) => row.resource === 'experiment' && asks('status')],
  ['open.default-rollup-window', ({ asks }) => asks('defaultRollupWindow')],
  ['open.group-sizes',          ({ asks }) => asks('groups')],
  ['open.gradual-rollout',      ({ asks }) => asks('gradual_rollout_strategy')],
  ['open.prompt-roles',         ({ asks }) => asks('role')],
  ['open.condition-values',     ({ asks }) => asks('rules', 'conditions', 'criteria')],
  ['open.missing-capability',   ({ field }) => field?.capability !== undefined],
  ['open.unknown-reference',    ({ field }) => field?.refersTo !== undefined],
  ['open.guarded-fields',       ({ field }) => field?.semantics === 'guarded'],
  ['open.lone-field',           ({ field }) => field?.beside !== undefined],
  ['open.extra-request-fields', ({ request, row }) => hasUndocumented(request?.body, row.body)],
  ['open.empty-body',           ({ isEmpty, row, request }) => isEmpty && row.method !== 'GET' && request?.raw === undefined],
  ['open.length-unit',          ({ request }) => /[^\0-\x7f]/.test(JSON.stringify(request?.body ?? ''))],
  ['open.metric-exists',        ({ row, statuses }) => isOperation(row, 'metric', 'create') && statuses.includes(409)],
  ['open.unknown-id-status',    ({ row, isEmpty }) => row.param !== null && isEmpty],
];

/** For answers that both sides accept, or both refuse. */
// biome-ignore format: a table
const ofAnswers: readonly OpenRow[] = [
  ['open.limit-cap',            ({ limit, isOfPage }) => limit > 10 && isOfPage],
  ['open.list-query',           seen => seen.isOfPage && isList(seen)],
  ['open.error-status',         ({ isRefused }) => isRefused],
  ['open.dry-run-message',      ({ pointer, sent }) => pointer === '/message' && sent.dryRun === true],
  ['open.link-path',            ({ pointer }) => /^\/pagination\/(?:nextPage|previousPage|all)$/.test(pointer)],
  ['open.odd-paging',           ({ isOfPage, hasQuery }) => isOfPage && hasQuery],
  ['open.timestamp-unit',       ({ aspect, last, shown }) => aspect === 'value' && kindOf(last ?? '', shown, undefined) === 'clock'],
  ['open.version-increase',     ({ differsIn }) => differsIn('version')],
  ['open.owner-absent',         ({ isIn, aspect }) => isIn('owner') && aspect === 'presence'],
  ['open.owner-types',          ({ differsIn }) => differsIn('owner')],
  ['open.config-disable-effect', ({ row, isIn }) => isOperation(row, 'config', 'disable') && isIn('isEnabled', 'status')],
  ['open.config-archive-effect', ({ row, isIn }) => isOperation(row, 'config', 'archive') && isIn('isEnabled', 'status', 'isArchived', 'archived')],
  ['open.enable-groups-flags',  ({ row, isIn }) => row.action === 'enable' && isIn('groups')],
  ['open.environment-replacement', ({ row, member }) => row.resource === 'environment' && member !== undefined],
  ['open.gate-status-values',   ({ row, differsIn }) => row.resource === 'gate' && differsIn('status', 'typeReason')],
  ['open.gate-item-shapes',     ({ row, differsInShape }) => row.resource === 'gate' && differsInShape('rules', 'monitoringMetrics', 'gradual_rollout_strategy')],
  ['open.metric-response-types', ({ row, differsIn }) => row.resource === 'metric' && differsIn('type')],
  ['open.metric-item-shapes',   ({ row, differsInShape }) => row.resource === 'metric' && differsInShape('metricEvents', 'metricComponentMetrics')],
  ['open.event-metadata',       ({ row, differsIn }) => row.resource === 'event' && differsIn('metadata')],
  ['open.request-only-fields',  ({ aspect, shown, askedMember }) => aspect === 'presence' && !shown && askedMember !== undefined],
  ['open.sent-null',            ({ oneIsNull, sent, member }) => oneIsNull && sent[member ?? ''] === null],
  // A settable field that this request did not set.
  ['open.experiment-absent-fields', ({ row, member = '', sent }) => isOperation(row, 'experiment', 'update') && Object.hasOwn(row.body?.properties ?? {}, member) && !Object.hasOwn(sent, member)],
  ['open.read-after-write',     seen => seen.aspect === 'value' && seen.member !== undefined && isReading(seen) && isWritten(seen.row)],
  ['open.conditional-fields',   ({ aspect, shown }) => aspect === 'presence' && shown?.annotation?.beside !== undefined],
];

/** The documented members of the objects that answers share, by pointer. */
const frames: Readonly<Record<string, readonly string[]>> = {
  '': ['message', 'data', 'pagination'],
  '/pagination': ['itemsPerPage', 'pageNumber', 'totalItems', 'nextPage', 'previousPage', 'all'],
};

/** True for an undocumented member of a documented object: the specification says nothing about it. */
function isUndocumented({ row, path, pointer, aspect, last = '', askedMember }: Seen): boolean {
  if (aspect !== 'presence') return false;
  const frame = frames[pointer.slice(0, pointer.lastIndexOf('/'))];
  if (frame) return !frame.includes(last);
  const documented = propertiesOf(shownSchema(row, path.slice(0, -1)));
  return documented !== undefined && !Object.hasOwn(documented, last) && !askedMember;
}

/** The questions of a request that the status of a refusal answers as well. */
const ofRefusals: ReadonlySet<string> = new Set(['open.method-status', 'open.unknown-id-status']);

/** Returns the OPEN requirement that allows a difference; undefined if there is none. */
export function openRequirementOf(context: OpenContext): RequirementId | undefined {
  const seen = seenIn(context);
  if (isUndocumented(seen)) return undefined;
  const asked = seen.request?.asks ?? '';
  const isOutcome = seen.aspect === 'outcome';
  const isAsked = isOutcome || (seen.isRefused && ofRefusals.has(asked));
  if (asked !== '' && seen.pointer === 'status' && isAsked) return asked as RequirementId;
  const rows = [...ofRequests, ...(isOutcome ? ofOutcomes : ofAnswers)];
  return rows.find(([, holds]) => holds(seen))?.[0];
}
