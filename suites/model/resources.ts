import type { Schema } from '../../contracts/dialect.ts';
import type { Action, Endpoint, Resource } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { isObject, type JsonObject, type Members, membersOf, objectsIn } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { volatile } from '../state/difference.ts';
import { entityKinds, withoutDisabled } from '../state/entity-kinds.ts';

/** The effect of an operation on the fields of its entity, and the requirement to cite for each deviation. */
export interface Effect {
  /** The requirement that is broken if a field that was sent, or that the operation sets, is not shown afterwards. */
  readonly stored: RequirementId;
  /** Fields that it sets unasked; a sent value overrides them. */
  readonly sets?: JsonObject;
  /** The requirement that states `sets`, if it is not `stored`. */
  readonly setAs?: RequirementId;
  /** The requirement that it leaves all other fields alone; absent: that is open. */
  readonly kept?: RequirementId;
  /** The requirement that other answers show the fields it sets unasked as its own answer does. */
  readonly answered?: RequirementId;
  /** Its answer is the full entity (sections 3 and 4.8): it shows everything that another operation shows unasked. */
  readonly isFull?: true;
  /** Its answer must also show what the answers to writes echoed, because no operation shows the entity unasked. */
  readonly hasEchoes?: true;
}

/** One kind of entity: how its fields are compared, and the requirement to cite for each cause. */
export interface Kind {
  /** The operation whose body says how sent fields are compared; absent: none is ever sent. */
  readonly row?: Endpoint;
  /** Fields that say nothing of what was written: stamps, computed and open values. */
  readonly leaveOut: readonly string[];
  /** Body fields that answers do not show. */
  readonly notStored?: readonly string[];
  /** Removes the open parts of a field before it is compared. */
  readonly within?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** The requirement that is broken if two operations disagree although nothing was written between. */
  readonly reads?: RequirementId;
  /** The fields that `reads` covers; absent: all. */
  readonly read?: readonly string[];
  /** The requirement that a dry run breaks if it has an effect. */
  readonly dry?: RequirementId;
  /** The requirements that lists break if an entry is lacking, out of place, or renamed. */
  readonly lists?: {
    readonly lacking?: RequirementId;
    readonly strange?: RequirementId;
    readonly renamed?: RequirementId;
  };
  /** The effects of the operations that write, by action. */
  readonly effects: Partial<Record<Action, Effect>>;
  /** Returns the identity of an entity among its kind. `param`: that of the path. */
  id(entity: Members, param: string): string;
  /** Returns the entity whose writes may change this one, if it is another: a version's config. */
  subject?(entity: Members, param: string): string;
  /** Returns the id of the entity that a body creates. */
  created?(body: Members): string;
  /** The kind as which answers show it: a config as one of its versions. */
  readonly shownAs?: Resource;
  /** The member of a body, and of `data`, that lists the entities, if an operation writes several at once. */
  readonly set?: string;
}

/** Returns a text; empty if the value is none. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Returns the id of a version of a config; empty if its number is missing. */
const byVersion = ({ version }: Members, param: string): string =>
  typeof version === 'number' ? `${param} ${version}` : '';
/**
 * The name, which no operation changes, and the fields that belong to a version. The rest may be as now or then (section
 * 9 leaves open how versions increase).
 */
const versioned = ['name', 'idType', 'rules', 'defaultValue', 'defaultValueJson5', 'schema', 'schemaJson5'] as const;
const byParam = (_entity: Members, param: string): string => param;
const ownId = ({ id }: Members): string => text(id);
const nameAndType = ({ name, type }: Members): string => `${text(name)}::${text(type)}`;

/** The requirement that every kind cites if a write to another entity changed it. */
export const neighbours: RequirementId = 'state.neighbours';
/** The requirements that an idle write breaks if it has an effect. */
export const idle = { refused: 'reject.no-trace', keyless: 'auth.no-effect' } as const satisfies Record<
  string,
  RequirementId
>;
/** The requirements that overlapping writes, or reads, can break. */
export const overlap = {
  fields: 'state.concurrent-fields',
  values: 'state.concurrent-values',
  answers: 'state.concurrent-answers',
  creations: 'state.concurrent-creations',
  reads: 'state.concurrent-reads',
} as const satisfies Record<string, RequirementId>;

const { gate, 'qualifying-event': source, experiment, metric } = entityKinds;

/** One row per kind of entity. An operation that only shows entities is judged by its row in the table of endpoints. */
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
      update: { stored: 'state.enable-groups-frame', answered: 'state.enable-groups-frame' },
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
    id: ownId,
    created: nameAndType,
  },
  // The effect of disabling or archiving a config is not shown, but other configs stay as they are.
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
    // The answer to an update echoes its own items; later answers show what other updates left alone.
    effects: { update: { stored: neighbours } },
    id: ({ id, name }) => text(id) || text(name),
    set: 'environments',
  },
  // None of the following is written and read again. Only the answer that creates a version shows it.
  'prompt-version': { leaveOut: volatile, effects: {}, id: byParam },
  segment: { leaveOut: [...volatile, 'count'], reads: 'pagination.same-items', effects: {}, id: ownId },
  event: { leaveOut: volatile, effects: {}, id: () => '' },
};

/** Returns the requirement that is broken if a reading shows a field otherwise than another operation. */
export function readsOf(resource: Resource, field: string): RequirementId | undefined {
  const { reads, read } = kinds[resource];
  return read?.includes(field) === false ? undefined : reads;
}

/** Returns every requirement that answers with entities of a kind can show to be broken. */
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

/** Returns the kind under which writes to a resource are remembered. */
export const familyOf = (resource: Resource): Resource => families[resource] ?? resource;

/** An entity in an answer. */
export interface Showing {
  readonly id: string;
  readonly subject: string;
  /** JSON Pointer into the answer. */
  readonly pointer: string;
  readonly entity: Members;
}

/** Returns the schema of one entity within that of a body or of `data`. */
export const entitySchema = (schema: Schema | null | undefined, { set }: Kind): Schema | undefined =>
  set === undefined ? (schema ?? undefined) : schema?.properties?.[set]?.items;

/** Returns the entities in an answer, without those that nothing identifies. */
export function showingsOf(row: Endpoint, data: unknown, param: string): readonly Showing[] {
  const kind = kinds[row.resource];
  const { set } = kind;
  const [shown, at] = set === undefined ? [data, '/data'] : [membersOf(data)[set], `/data/${set}`];
  const areSeveral = row.list || set !== undefined;
  const items = areSeveral ? shown : [shown];
  if (!Array.isArray(items)) return [];
  return items.flatMap((entity: unknown, index) => {
    if (!isObject(entity)) return [];
    // An entity in a list identifies itself: the path of the list only says where it belongs.
    const own = row.list && kind.subject === undefined ? '' : param;
    const id = kind.id(entity, own);
    const pointer = areSeveral ? `${at}/${index}` : at;
    return id === '' ? [] : [{ id, subject: kind.subject?.(entity, own) ?? id, pointer, entity }];
  });
}

/** An entity that a request writes to, and the documented fields that it sends. */
export interface Target {
  readonly id: string;
  readonly fields: JsonObject;
}

/** Returns the entities that a request writes to if it is carried out. */
export function targetsOf(row: Endpoint, body: unknown, param: string): readonly Target[] {
  const kind = kinds[row.resource];
  const fields = isObject(body) ? body : {};
  const { properties = {} } = entitySchema(row.body, kind) ?? {};
  const documented = (sent: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(properties, name)));
  if (kind.set !== undefined)
    return objectsIn(fields[kind.set]).map(item => ({ id: kind.id(item, ''), fields: documented(item) }));
  const id = kind.created?.(fields) ?? param;
  return id === '' ? [] : [{ id, fields: documented(fields) }];
}
