import { type Action, type Endpoint, isOperation } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { isObject, membersOf } from '../../contracts/json.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import type { Observation } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { linkQuery, readPage } from '../judge/page.ts';
import { type Answer, dataObject, isDryRun } from '../protocol/answer.ts';
import { count, entryOf } from '../protocol/entries.ts';

/** One observation, in words short enough for a line. */
export interface Seen {
  readonly subject: string;
  readonly value: string;
}

/** Returns what an answer shows of one requirement; null if it shows nothing. */
export type See = (answer: Answer, row: Endpoint) => Seen | readonly Seen[] | null;

const mostDepth = 3;
const mostMembers = 12;

/** Returns the shape of a JSON value in a line: `{ status: number, errors: [{ property: string }] }`. Bounded. */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return depth >= mostDepth ? '[…]' : `[${shapeOf(value[0], depth + 1)}]`;
  }
  if (!isObject(value)) return typeof value;
  if (depth >= mostDepth) return '{…}';
  const names = Object.keys(value);
  const members = names.slice(0, mostMembers).map(name => `${clip(name, 40)}: ${shapeOf(value[name], depth + 1)}`);
  return `{ ${[...members, ...(names.length > mostMembers ? ['…'] : [])].join(', ')} }`;
}

const statusInWords = ({ status, reply }: Answer): string =>
  reply.failure === null ? `status ${status}` : reply.failure.kind;

function extraFields({ success, own, data }: Answer, row: Endpoint): readonly Seen[] {
  const entity = Array.isArray(data) ? data[0] : data;
  if (!success || !own || !isObject(entity)) return [];
  return Object.keys(entity)
    .filter(field => !Object.hasOwn(row.data.properties ?? {}, field))
    .slice(0, 20)
    .map(field => ({ subject: 'fields beyond the documented ones', value: clip(field, 80) }));
}

function timestampUnit(answer: Answer): Seen | null {
  const { createdTime } = dataObject(answer);
  if (typeof createdTime !== 'number') return null;
  return { subject: 'createdTime', value: `${String(Math.trunc(createdTime)).length} digits` };
}

function limitCap(answer: Answer): Seen | null {
  const limit = Number(answer.request.query?.limit);
  if (!(limit > 10)) return null;
  const page = readPage(answer);
  const obeyed = page?.itemsPerPage === limit ? 'obeyed' : `capped at ${page?.itemsPerPage}`;
  return { subject: 'a limit above 10', value: page === null ? statusInWords(answer) : obeyed };
}

function linkPath(answer: Answer): Seen | null {
  const link = readPage(answer)?.nextPage;
  if (link === null || link === undefined) return null;
  const path = clip(link.split('?')[0] ?? '', 120);
  const others = Object.keys(linkQuery(link)).filter(name => name !== 'page' && name !== 'limit');
  const also = others.length > 0 ? `, also ${clip(others.join(', '), 60)}` : '';
  return { subject: 'path of nextPage', value: `${path}${also}` };
}

function refusalBody({ success, own, reply }: Answer): Seen | null {
  const { body, failure } = reply;
  const subject = 'body of a refusal';
  if (success) return null;
  if (body.kind === 'json') return { subject, value: shapeOf(body.value) };
  return own && body.kind === 'empty' && failure === null ? { subject, value: 'empty' } : null;
}

function refusedKey(kind: 'none' | 'value', subject: string): See {
  return answer => {
    const { key, headers } = answer.request;
    const isPlain = key?.kind === 'value' ? key.value !== '' : headers === undefined;
    return key?.kind === kind && isPlain ? { subject, value: statusInWords(answer) } : null;
  };
}

/** Observes the `isEnabled` of a dynamic config after an operation that switches it off. */
const configEffect =
  (action: Action): See =>
  (answer, row) =>
    answer.success && answer.own && isOperation(row, 'config', action)
      ? { subject: 'isEnabled afterwards', value: JSON.stringify(dataObject(answer).isEnabled ?? null) }
      : null;

function dryRunMessage(answer: Answer): Seen | null {
  const { message } = membersOf(answer.value);
  if (!answer.success || !isDryRun(answer) || typeof message !== 'string') return null;
  return { subject: 'message of a dry run', value: clip(JSON.stringify(message), 120) };
}

function gateStatus(answer: Answer, { resource }: Endpoint): Seen | null {
  const { status } = dataObject(answer);
  if (resource !== 'gate' || typeof status !== 'string') return null;
  return { subject: 'status of a gate', value: clip(JSON.stringify(status), 60) };
}

/** All observers, in the order in which they see an answer. */
// biome-ignore format: a table
export const observers: Readonly<Record<string, See>> = {
  'open.missing-key-status':    refusedKey('none', 'no key'),
  'open.wrong-key-status':      refusedKey('value', 'a wrong key'),
  'open.error-body':            refusalBody,
  'open.extra-answer-fields':   extraFields,
  'open.timestamp-unit':        timestampUnit,
  'open.limit-cap':             limitCap,
  'open.link-path':             linkPath,
  'open.config-disable-effect': configEffect('disable'),
  'open.config-archive-effect': configEffect('archive'),
  'open.dry-run-message':       dryRunMessage,
  'open.gate-status-values':    gateStatus,
} satisfies Partial<Record<RequirementId, See>>;

/** Maximum number of values kept per subject and endpoint, so that a target cannot fill the report. */
const mostValues = 12;

interface Entry {
  readonly requirement: string;
  readonly endpoint: EndpointId;
  readonly subject: string;
  readonly values: Map<string, number>;
}

/** Counts what a target does where the specification is open. */
export function createObservations() {
  const entries = new Map<string, Entry>();
  const write = (requirement: string, endpoint: EndpointId, subject: string, value: string): void => {
    const key = `${requirement}\n${endpoint}\n${subject}`;
    const { values } = entryOf(entries, key, () => ({ requirement, endpoint, subject, values: new Map() }));
    if (values.has(value) || values.size < mostValues) count(values, value);
  };
  return {
    note(answer: Answer): void {
      const { endpoint, asks } = answer.request;
      const row = endpointRow(endpoint);
      // What a check wants to know of one particular request.
      if (asks !== undefined) write(asks.requirement, endpoint, asks.subject, statusInWords(answer));
      for (const [requirement, see] of Object.entries(observers)) {
        const seen = see(answer, row);
        if (seen === null) continue;
        for (const { subject, value } of 'subject' in seen ? [seen] : seen)
          write(requirement, endpoint, subject, value);
      }
    },
    /** Sorted, so that it does not depend on concurrency. */
    all(): readonly Observation[] {
      const observations = [...entries.values()].flatMap(({ requirement, endpoint, subject, values }) =>
        [...values].map(
          ([value, count]): Observation => ({ event: 'observation', requirement, endpoint, subject, value, count }),
        ),
      );
      const key = (one: Observation): string => `${one.requirement} ${one.endpoint} ${one.subject} ${one.value}`;
      return observations.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    },
  };
}
