import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { linkQuery, readPage } from '../judge/page.ts';
import { type Answer, dataObject, isDryRun } from '../protocol/answer.ts';
import { shapeOf } from './shape.ts';

/** One thing that was seen, in words short enough for a line. */
export interface Seen {
  readonly subject: string;
  readonly value: string;
}

/** Watches answers for what the specification leaves open. It never judges. */
export interface Observer {
  readonly requirement: RequirementId;
  see(answer: Answer): readonly Seen[];
}

const nothing: readonly Seen[] = [];
const status = ({ status: code, reply }: Answer): string =>
  reply.failure === null ? `status ${code}` : reply.failure.kind;

/** A JSON refusal, whoever caused it. */
const refusalBody = (answer: Answer): unknown =>
  !answer.success && answer.reply.body.kind === 'json' ? answer.reply.body.value : undefined;

const documented = new Map<EndpointId, ReadonlySet<string>>();

function documentedOf(endpoint: EndpointId): ReadonlySet<string> {
  const known = documented.get(endpoint);
  if (known !== undefined) return known;
  const { data } = endpoints[endpoint];
  const fields = new Set(Object.keys('properties' in data ? data.properties : {}));
  documented.set(endpoint, fields);
  return fields;
}

function extraFields(answer: Answer): readonly Seen[] {
  if (!answer.success || !answer.own) return nothing;
  const known = documentedOf(answer.request.endpoint);
  const entity = Array.isArray(answer.data) ? answer.data[0] : answer.data;
  if (typeof entity !== 'object' || entity === null) return nothing;
  return Object.keys(entity)
    .filter(field => !known.has(field))
    .slice(0, 20)
    .map(field => ({ subject: 'fields beyond the documented ones', value: field.slice(0, 80) }));
}

function timestampUnit(answer: Answer): readonly Seen[] {
  const { createdTime } = dataObject(answer);
  if (typeof createdTime !== 'number') return nothing;
  return [{ subject: 'createdTime', value: `${String(Math.trunc(createdTime)).length} digits` }];
}

function limitCap(answer: Answer): readonly Seen[] {
  const limit = Number(answer.request.query?.limit);
  const page = readPage(answer);
  if (!(limit > 10)) return nothing;
  if (page === null) return [{ subject: 'a limit above 10', value: status(answer) }];
  return [
    { subject: 'a limit above 10', value: page.itemsPerPage === limit ? 'obeyed' : `capped at ${page.itemsPerPage}` },
  ];
}

function linkPath(answer: Answer): readonly Seen[] {
  const page = readPage(answer);
  if (page?.nextPage == null) return nothing;
  const path = page.nextPage.split('?')[0] ?? '';
  const others = Object.keys(linkQuery(page.nextPage)).filter(name => name !== 'page' && name !== 'limit');
  return [
    {
      subject: 'path of nextPage',
      value: `${path.slice(0, 120)}${others.length > 0 ? `, also ${others.join(', ').slice(0, 60)}` : ''}`,
    },
  ];
}

const configEffect =
  (endpoint: 'disable-config' | 'archive-config') =>
  (answer: Answer): readonly Seen[] =>
    answer.success && answer.own && answer.request.endpoint === endpoint
      ? [{ subject: 'isEnabled afterwards', value: JSON.stringify(dataObject(answer).isEnabled ?? null) }]
      : nothing;

// biome-ignore format: a table
export const observers: readonly Observer[] = [
  { requirement: 'open.missing-key-status',    see: answer => (answer.request.key?.kind === 'none' && answer.request.headers === undefined ? [{ subject: 'no key', value: status(answer) }] : nothing) },
  { requirement: 'open.wrong-key-status',      see: answer => (answer.request.key?.kind === 'value' && answer.request.key.value !== '' ? [{ subject: 'a wrong key', value: status(answer) }] : nothing) },
  { requirement: 'open.error-body',            see: answer => (refusalBody(answer) === undefined ? nothing : [{ subject: 'body of a refusal', value: shapeOf(refusalBody(answer)) }]) },
  { requirement: 'open.error-body',            see: answer => (!answer.success && answer.own && answer.reply.body.kind === 'empty' && answer.reply.failure === null ? [{ subject: 'body of a refusal', value: 'empty' }] : nothing) },
  { requirement: 'open.extra-answer-fields',   see: extraFields },
  { requirement: 'open.timestamp-unit',        see: timestampUnit },
  { requirement: 'open.limit-cap',             see: limitCap },
  { requirement: 'open.link-path',             see: linkPath },
  { requirement: 'open.config-disable-effect', see: configEffect('disable-config') },
  { requirement: 'open.config-archive-effect', see: configEffect('archive-config') },
  { requirement: 'open.dry-run-message',       see: answer => (answer.success && isDryRun(answer) && typeof (answer.value as { message?: unknown } | undefined)?.message === 'string' ? [{ subject: 'message of a dry run', value: JSON.stringify((answer.value as { message: string }).message).slice(0, 120) }] : nothing) },
  { requirement: 'open.gate-status-values',    see: answer => (typeof dataObject(answer).status === 'string' && answer.request.endpoint.endsWith('gate') ? [{ subject: 'status of a gate', value: JSON.stringify(dataObject(answer).status).slice(0, 60) }] : nothing) },
];

/** What a check asked to have noted: how the target answers one particular thing. */
export const askedFor = (answer: Answer): (Seen & { readonly requirement: RequirementId }) | null => {
  const { asks } = answer.request;
  return asks === undefined ? null : { ...asks, value: status(answer) };
};
