import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { compact } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { fixtureNames } from '../../sut/target.ts';
import { besideOf } from '../scenarios/beside.ts';
import { liveness } from '../scenarios/scenario.ts';

/** The properties of the sequences for one kind of entity. */
export interface SequenceSubject {
  /** The way to read the entities; absent if only the answers to writes show them. */
  readonly kind?: EntityKind;
  /** The writing operation; null if each operation works only once. */
  readonly write: EndpointId | null;
  /** A write may replace the whole: a field that it does not carry is open. */
  readonly replaces?: true;
  /** Each write makes a new entity. */
  readonly creates?: true;
  /** Number of entities written, the endpoint's own first. */
  readonly written: number;
  /** Number of further entities that are only read. */
  readonly beside?: number;
  /** A sequence updates each entity first while its state is unknown, because the API cannot restore one. */
  readonly overwritten?: true;
  /** Operations besides the writing one; if each works only once, all their requests must be refused. */
  readonly others?: readonly EndpointId[];
  /** Number of sequences per random case of the profile. */
  readonly share: number;
  /** The requirements broken if a sent value is lost, if another field changes, and if a dry run is carried out. */
  readonly sent?: RequirementId;
  readonly frame?: RequirementId;
  readonly dry?: RequirementId;
}

/** Keyed by the endpoint that runs the sequences. */
// biome-ignore format: a table
export const sequenceSubjects: Readonly<Partial<Record<EndpointId, SequenceSubject>>> = {
  'patch-gate':              { kind: entityKinds.gate,                write: 'patch-gate',              written: 2, others: ['disable-gate'],   share: 0.2,  sent: 'state.patch-every-sent',         frame: 'state.patch-only-sent' },
  'update-qualifying-event': { kind: entityKinds['qualifying-event'], write: 'update-qualifying-event', written: 1,                             share: 0.12,  sent: 'state.qualifying-event-visible', dry: 'state.dry-run-qualifying-event', replaces: true },
  'update-experiment':       { kind: entityKinds.experiment,          write: 'update-experiment',       written: 2, others: ['enable-groups'],  share: 0.12, sent: 'state.enable-groups-frame',      replaces: true, overwritten: true },
  'create-metric':           { kind: entityKinds.metric,              write: 'create-metric',           written: 1,                             share: 0.05, sent: 'state.metric-as-created',        dry: 'state.dry-run-metric', replaces: true, creates: true },
  'create-prompt-version':   {                                        write: 'create-prompt-version',   written: 1,                             share: 0.05, creates: true, replaces: true },
  'archive-config':          { kind: entityKinds.config,              write: null,                      written: 2, others: ['disable-config', 'archive-config'], beside: 1, share: 0.01 },
};

const contexts = memoized((_context: CheckContext) => new Map<string, CheckContext | undefined>());

/** Returns the context of an endpoint for an entity; undefined if the target file lacks something. */
export function contextFor(
  context: CheckContext,
  endpoint: EndpointId,
  id: string | undefined,
): CheckContext | undefined {
  const { target, discovered, minimal } = context;
  if (endpoint === context.endpoint && id === minimal.param) return context;
  const made = contexts(context);
  const key = `${endpoint} ${id}`;
  if (made.has(key)) return made.get(key);
  const request = minimalRequest(target, discovered, endpoint, id);
  const own = isBlockedRequest(request)
    ? undefined
    : { ...context, endpoint, row: endpointRow(endpoint), minimal: request };
  made.set(key, own);
  return own;
}

/** Returns a check's entities: those that are written, and all that are read. */
export function entitiesOf(
  { kind, written, beside = 0, creates, write }: SequenceSubject,
  context: CheckContext,
): { readonly written: readonly string[]; readonly read: readonly string[] } {
  const own = context.minimal.param ?? '';
  if (kind === undefined || creates === true) return { written: [own], read: [] };
  const [first] = fixtureNames(context.target, kind.fixtures);
  // If each operation works only once, skip the first fixture: an earlier operation has used it up.
  const others = besideOf(kind, context).filter(name => write !== null || name !== first);
  const named = [own, ...others.slice(0, written - 1)];
  return { written: named, read: [...named, ...others.slice(written - 1, written - 1 + beside)] };
}

/** Returns an endpoint's subject of sequences, if it has one. */
export const subjectFor = (row: Endpoint): SequenceSubject | undefined =>
  endpointIds.flatMap(id =>
    endpointRow(id).path === row.path && endpointRow(id).method === row.method ? [sequenceSubjects[id]] : [],
  )[0];

/** True if little may be created and nothing is read, since each sequence then takes a creation. */
export const isTooMuch = ({ kind }: SequenceSubject, { amounts }: CheckContext): boolean =>
  kind === undefined && amounts.creations === 1;

/** Returns the requirements that a subject's sequences can show to be broken. */
export function requirementsOf({
  kind,
  sent,
  frame,
  dry,
  write,
  others = [],
  written,
  beside = 0,
}: SequenceSubject): readonly RequirementId[] {
  const disables = others.includes('disable-gate');
  const hasNeighbours = kind !== undefined && write !== null && (written + beside > 1 || kind.isListed === true);
  const all = compact<RequirementId>([
    sent,
    frame,
    dry,
    disables && 'state.disable-gate-false',
    disables && 'state.disable-gate-frame',
    hasNeighbours && 'state.neighbours',
    'reject.no-trace',
    'auth.no-effect',
    ...liveness,
  ]);
  return [...new Set(all)];
}
