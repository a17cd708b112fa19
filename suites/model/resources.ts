import type { Schema } from '../../contracts/dialect.ts';
import type { Action, Endpoint, Resource } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject, type Members, membersOf } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { volatile } from '../state/difference.ts';
import { entityKinds, withoutDisabled } from '../state/entity-kinds.ts';

/** What an operation does to the fields of the entity that it writes to, and which requirement is cited for which cause. */
export interface Effect {
  /** The requirement that is broken where a field that was sent, or that the operation sets, is not shown afterwards. */
  readonly stored: RequirementId;
  /** Fields that it sets without their being sent; a default gives way to what was sent. */
  readonly sets?: JsonObject;
  /** The requirement that says so, where it is another one. */
  readonly setAs?: RequirementId;
  /** The requirement by which it leaves all other fields as they were; absent: what becomes of them is open. */
  readonly kept?: RequirementId;
  /** The requirement by which other answers show what its own shows of the fields that it makes without their being sent. */
  readonly answered?: RequirementId;
  /** Its answer is the full entity (sections 3 and 4.8): what another operation shows of it unasked is there too. */
  readonly isFull?: true;
  /** So is what a write was answered as it sent it: no operation shows the entity unasked. */
  readonly hasEchoes?: true;
}

/** One kind of entity: how its fields are compared, and which requirement is cited for which cause. */
export interface Kind {
  /** The operation whose body says how sent fields are compared; absent: none is ever sent. */
  readonly row?: Endpoint;
  /** Fields that say nothing of what was written: stamps, what is computed, what is open. */
  readonly leaveOut: readonly string[];
  /** Fields of a body that say nothing of what is shown. */
  readonly notStored?: readonly string[];
  /** A field as it is compared, without what is open within it. */
  readonly within?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** The requirement that a reading breaks by itself, where another operation shows otherwise and nothing was written. */
  readonly reads?: RequirementId;
  /** The fields of which that one speaks; absent: all. */
  readonly read?: readonly string[];
  /** The requirement that a dry run breaks by having an effect. */
  readonly dry?: RequirementId;
  /** Those that lists break: by lacking what was created, by showing what belongs elsewhere, or another name. */
  readonly lists?: {
    readonly lacking?: RequirementId;
    readonly strange?: RequirementId;
    readonly renamed?: RequirementId;
  };
  /** What the operations that write do, by what they do with their resource. */
  readonly effects: Partial<Record<Action, Effect>>;
  /** What identifies an entity among those of its kind. `param`: that of the path. */
  id(entity: Members, param: string): string;
  /** The entity that is written to when this one may change, where that is another one: a version's config. */
  subject?(entity: Members, param: string): string;
  /** The entity that a body creates. */
  created?(body: Members): string;
  /** The kind as one of which an answer shows it: a config as one of its versions. */
  readonly shownAs?: Resource;
  /** The JSON Pointer, below `data`, of a list of entities that an answer, and the body of its request, consist of. */
  readonly set?: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** A version of a config; none is identified by a number that is missing. */
const byVersion = ({ version }: Members, param: string): string =>
  typeof version === 'number' ? `${param} ${version}` : '';
/** What makes a version: the rest may be as it is now, or as it was then (section 9 leaves open how versions increase). */
const versioned = ['idType', 'rules', 'defaultValue', 'defaultValueJson5', 'schema', 'schemaJson5'] as const;
const byParam = (_entity: Members, param: string): string => param;
const nameAndType = ({ name, type }: Members): string => `${text(name)}::${text(type)}`;

/** The requirement that every kind cites where a write to another entity changed it. */
export const neighbours: RequirementId = 'state.neighbours';
/** Those that a write without effect breaks by having one. */
export const idle = { refused: 'reject.no-trace', keyless: 'auth.no-effect' } as const satisfies Record<
  string,
  RequirementId
>;
/** Those that writes to one entity, or reads, break where they overlap. */
export const overlap = {
  fields: 'state.concurrent-fields',
  values: 'state.concurrent-values',
  answers: 'state.concurrent-answers',
  creations: 'state.concurrent-creations',
  reads: 'state.concurrent-reads',
} as const satisfies Record<string, RequirementId>;

const { gate, 'qualifying-event': source, experiment, metric } = entityKinds;

/** The kinds of entity: one row each. An operation that only shows one is judged by its row in the table of endpoints. */
export const kinds: Readonly<Record<Resource, Kind>> = {
  gate: {
    row: gate.row,
    leaveOut: gate.leaveOut,
    reads: 'state.patch-every-sent',
    effects: {
      patch: { stored: 'state.patch-every-sent', kept: 'state.patch-only-sent' },
      disable: {
        stored: 'state.disable-gate-false',
        sets: { isEnabled: false },
        kept: 'state.disable-gate-frame',
        isFull: true,
      },
    },
    id: byParam,
  },
  'qualifying-event': {
    row: source.row,
    leaveOut: source.leaveOut,
    notStored: source.notStored,
    reads: 'state.qualifying-event-visible',
    dry: 'state.dry-run-qualifying-event',
    lists: { renamed: 'state.qualifying-event-name-fixed' },
    effects: { update: { stored: 'state.qualifying-event-visible' } },
    id: ({ name }, param) => param || text(name),
  },
  experiment: {
    row: experiment.row,
    leaveOut: experiment.leaveOut,
    within: { groups: value => (Array.isArray(value) ? value.map(withoutDisabled) : value) },
    reads: 'state.enable-groups-frame',
    effects: {
      update: { stored: 'state.enable-groups-frame' },
      enable: {
        stored: 'state.enable-groups-frame',
        kept: 'state.enable-groups-frame',
        isFull: true,
        hasEchoes: true,
      },
    },
    id: byParam,
  },
  metric: {
    row: metric.row,
    leaveOut: metric.leaveOut,
    reads: 'state.metric-as-created',
    dry: 'state.dry-run-metric',
    lists: { lacking: 'state.metric-listed', strange: 'state.lineage-truth' },
    effects: {
      create: {
        stored: 'state.metric-as-created',
        sets: { directionality: 'increase' },
        setAs: 'state.metric-default-directionality',
        answered: 'state.metric-as-answered',
      },
    },
    id: ({ id }) => text(id),
    created: nameAndType,
  },
  // What disabling and archiving do to a config is not shown, but other configs stay.
  config: {
    leaveOut: volatile,
    effects: { disable: { stored: neighbours }, archive: { stored: neighbours } },
    id: byVersion,
    subject: byParam,
    shownAs: 'config-version',
  },
  'config-version': {
    leaveOut: volatile,
    reads: 'state.config-shown',
    read: versioned,
    effects: {},
    id: byVersion,
    subject: byParam,
  },
  environment: {
    row: endpoints['update-environments'],
    leaveOut: volatile,
    // What comes back of its own is an echo; what later answers show is what other updates left alone.
    effects: { update: { stored: neighbours } },
    id: ({ id, name }) => text(id) || text(name),
    set: 'environments',
  },
  // Nothing of what follows is written to and read again. A version is shown by the answer that creates it alone.
  'prompt-version': { leaveOut: volatile, effects: {}, id: byParam },
  segment: { leaveOut: [...volatile, 'count'], effects: {}, id: ({ id }) => text(id) },
  event: { leaveOut: volatile, effects: {}, id: () => '' },
};

/** The requirement that a reading breaks by showing a field otherwise than another operation does. */
export function readsOf(resource: Resource, field: string): RequirementId | undefined {
  const { reads, read } = kinds[resource];
  return read?.includes(field) === false ? undefined : reads;
}

/** Every requirement that answers which show entities of a kind can show to be broken. */
export function citable(resource: Resource): ReadonlySet<RequirementId> {
  const { effects, reads, dry, lists = {} } = kinds[resource];
  const ofEffects = Object.values(effects).flatMap(({ stored, setAs, kept, answered }) => [
    stored,
    setAs,
    kept,
    answered,
  ]);
  const own = [...ofEffects, reads, dry, ...Object.values(lists)].filter(one => one !== undefined);
  return new Set(own.length === 0 ? [] : [...own, neighbours, ...Object.values(idle), ...Object.values(overlap)]);
}

/** Kinds whose entities change when one of another kind is written to. */
const families: Partial<Record<Resource, Resource>> = { 'config-version': 'config' };

/** The kind under which what is written to a resource is remembered. */
export const familyOf = (resource: Resource): Resource => families[resource] ?? resource;

/** An entity as an answer shows it. */
export interface Showing {
  readonly id: string;
  readonly subject: string;
  /** JSON Pointer into the answer. */
  readonly pointer: string;
  readonly entity: Members;
}

/** The entities that an answer of an operation shows; those that nothing identifies are left out. */
export function showingsOf(row: Endpoint, data: unknown, param: string): readonly Showing[] {
  const kind = kinds[row.resource];
  const [items, at] =
    kind.set !== undefined
      ? [membersOf(data)[kind.set], `/data/${kind.set}/`]
      : row.list
        ? [data, '/data/']
        : [[data], '/data'];
  if (!Array.isArray(items)) return [];
  return items.flatMap((entity: unknown, index) => {
    if (!isObject(entity)) return [];
    // An entity of a list says itself which it is; the path of a list says no more than under what it stands.
    const own = row.list && kind.subject === undefined ? '' : param;
    const id = kind.id(entity, own);
    const pointer = row.list || kind.set !== undefined ? `${at}${index}` : at;
    return id === '' ? [] : [{ id, subject: kind.subject?.(entity, own) ?? id, pointer, entity }];
  });
}

/** What a request writes to: an entity, and the documented fields that it sends. */
export interface Target {
  readonly id: string;
  readonly fields: JsonObject;
}

/** The entities that a request of an operation writes to, if it is carried out. */
export function targetsOf(row: Endpoint, body: unknown, param: string): readonly Target[] {
  const kind = kinds[row.resource];
  const fields = isObject(body) ? body : {};
  const documented = (sent: JsonObject, { properties = {} }: Schema): JsonObject =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(properties, name)));
  if (kind.set !== undefined) {
    const items = fields[kind.set];
    return (Array.isArray(items) ? items : []).filter(isObject).map(item => ({
      id: kind.id(item, ''),
      fields: documented(item, row.body?.properties?.[kind.set ?? '']?.items ?? {}),
    }));
  }
  const id = kind.created?.(fields) ?? param;
  return id === '' ? [] : [{ id, fields: documented(fields, row.body ?? {}) }];
}
