import type { Endpoint } from '../../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { fixtureNames } from '../../sut/target.ts';
import { besideOf } from '../scenarios/beside.ts';
import { liveness } from '../scenarios/scenario.ts';

/** What sequences are made of for one kind of entity. */
export interface SequenceSubject {
  /** How the entities are read; absent where nothing but the answers to writes shows them. */
  readonly kind?: EntityKind;
  /** The operation that writes; where each works only once, none does. */
  readonly write: EndpointId | null;
  /** A write may replace the whole: what it does not carry is open. */
  readonly replaces?: true;
  /** Each write makes a new entity. */
  readonly creates?: true;
  /** So many entities are written, the one of the endpoint first. */
  readonly written: number;
  /** So many beside those are read: no step is about them. */
  readonly beside?: number;
  /** Each sequence begins with an update of each entity, for the API has no way to put one back. */
  readonly overwritten?: true;
  /** Operations beside the one that writes, which only requests without the key are sent to where they work once. */
  readonly others: readonly EndpointId[];
  /** Sequences, for each random case that the profile has of a check. */
  readonly share: number;
  /** What breaks where a sent value is lost, where another changes with it, and where a dry run is carried out. */
  readonly sent?: RequirementId;
  readonly frame?: RequirementId;
  readonly dry?: RequirementId;
}

/** By the endpoint under which the sequences of a kind stand. */
// biome-ignore format: a table
export const sequenceSubjects: Readonly<Partial<Record<EndpointId, SequenceSubject>>> = {
  'patch-gate':              { kind: entityKinds.gate,                write: 'patch-gate',              written: 2, others: ['disable-gate'],   share: 0.2,  sent: 'state.patch-every-sent',         frame: 'state.patch-only-sent' },
  'update-qualifying-event': { kind: entityKinds['qualifying-event'], write: 'update-qualifying-event', written: 1, others: [],                 share: 0.12,  sent: 'state.qualifying-event-visible', dry: 'state.dry-run-qualifying-event', replaces: true },
  'update-experiment':       { kind: entityKinds.experiment,          write: 'update-experiment',       written: 2, others: ['enable-groups'],  share: 0.12, sent: 'state.enable-groups-frame',      replaces: true, overwritten: true },
  'create-metric':           { kind: entityKinds.metric,              write: 'create-metric',           written: 1, others: [],                 share: 0.05, sent: 'state.metric-as-created',        dry: 'state.dry-run-metric', replaces: true, creates: true },
  'create-prompt-version':   {                                        write: 'create-prompt-version',   written: 1, others: [],                 share: 0.05, creates: true, replaces: true },
  'archive-config':          { kind: entityKinds.config,              write: null,                      written: 2, others: ['disable-config', 'archive-config'], beside: 1, share: 0.01 },
};

const contexts = new WeakMap<CheckContext, Map<string, CheckContext | undefined>>();

/** What the same endpoint, or another one, is sent about an entity; undefined where the target file lacks something. */
export function contextFor(
  context: CheckContext,
  endpoint: EndpointId,
  id: string | undefined,
): CheckContext | undefined {
  const { target, discovered, minimal } = context;
  if (endpoint === context.endpoint && id === minimal.param) return context;
  const made = contexts.get(context) ?? new Map<string, CheckContext | undefined>();
  contexts.set(context, made);
  const key = `${endpoint} ${id}`;
  if (made.has(key)) return made.get(key);
  const request = minimalRequest(target, discovered, endpoint, id);
  const own = isBlockedRequest(request)
    ? undefined
    : { ...context, endpoint, row: endpointRow(endpoint), minimal: request };
  made.set(key, own);
  return own;
}

/** The entities of a check: those that are written, and those that are read beside them. */
export function entitiesOf(
  { kind, written, beside = 0, creates, write }: SequenceSubject,
  context: CheckContext,
): { readonly written: readonly string[]; readonly read: readonly string[] } {
  const own = context.minimal.param ?? '';
  if (kind === undefined || creates === true) return { written: [own], read: [] };
  const [first] = fixtureNames(context.target, kind.fixtures);
  // Where each operation works only once, the first has been through it.
  const others = besideOf(kind, context).filter(name => write !== null || name !== first);
  const named = [own, ...others.slice(0, written - 1)];
  return { written: named, read: [...named, ...others.slice(written - 1, written - 1 + beside)] };
}

/** The subject of the sequences of an endpoint; undefined where it has none. */
export const subjectFor = (row: Endpoint): SequenceSubject | undefined =>
  endpointIds.flatMap(id =>
    endpointRow(id).path === row.path && endpointRow(id).method === row.method ? [sequenceSubjects[id]] : [],
  )[0];

/** Where nothing is read, each sequence takes a creation. */
export const isTooMuch = ({ kind }: SequenceSubject, { amounts }: CheckContext): boolean =>
  kind === undefined && amounts.creations === 1;

/** What the sequences of a subject can show to be broken. */
export function requirementsOf({
  kind,
  sent,
  frame,
  dry,
  write,
  others,
  written,
  beside = 0,
}: SequenceSubject): readonly RequirementId[] {
  return [
    ...new Set<RequirementId>([
      ...[sent, frame, dry].flatMap(one => one ?? []),
      ...(others.includes('disable-gate') ? (['state.disable-gate-false', 'state.disable-gate-frame'] as const) : []),
      ...(kind !== undefined && write !== null && (written + beside > 1 || kind.isListed === true)
        ? (['state.neighbours'] as const)
        : []),
      'reject.no-trace',
      'auth.no-effect',
      ...liveness,
    ]),
  ];
}
