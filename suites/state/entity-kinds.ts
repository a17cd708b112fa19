import type { Endpoint, FixtureKind } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Members } from '../../contracts/json.ts';
import { type Answer, dataObject } from '../protocol/answer.ts';
import type { CheckContext, Session } from '../protocol/check.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import { putBackGate, putBackQualifyingEvent } from './control.ts';
import { type Difference, differencesOf, volatile } from './difference.ts';
import type { Eventually } from './eventually.ts';
import {
  type Listing,
  type Reading,
  readGate,
  readList,
  readMetrics,
  readQualifyingEvent,
  readSettledGate,
} from './reading.ts';

/** Several entities of one kind as they were read at about the same time. */
export interface Observation {
  /** By id. What could not be read is absent. */
  readonly entities: ReadonlyMap<string, Members>;
  /** True where an entity that is absent is not there. */
  readonly isWhole: boolean;
  /** The answer that showed an entity, or would have; undefined where none was asked for. */
  answerFor(id: string): Answer | undefined;
}

/** How the entities of one kind are read, whole, and what of them may differ between two readings without a write. */
export interface EntityKind {
  readonly fixtures: FixtureKind;
  /** The operation whose body says how the members of such an entity are compared. */
  readonly row: Endpoint;
  /** Members that say nothing of what was written: stamps, what is computed, what is open. */
  readonly leaveOut: readonly string[];
  /** An entity without what is open within its members; as it is when absent. */
  settings?(entity: Members): Members;
  /** Reads one as it is now. Not every kind has an operation that only reads. */
  read(context: Pick<CheckContext, 'target'>, session: Session, id: string): Promise<Reading>;
  /** Reads one once what the run last wrote to it is shown; absent: nothing tells what that was. */
  readSettled?(session: Session, id: string, eventually: Eventually): Promise<Reading>;
  /** Members of a body that do not come back as they were sent. */
  readonly notStored?: readonly string[];
  /** Reads all of a list with one walk, where a list shows them; absent: one after another. */
  readAll?(context: Pick<CheckContext, 'target'>, session: Session): Promise<Observation>;
  /** The JSON Pointer of the entity in the answer that shows it; `/data` when absent. */
  readonly at?: string;
  /** Writes it as it was read before; false where it stays otherwise. Absent: no operation can. */
  putBack?(session: Session, id: string, before: Members, eventually: Eventually): Promise<boolean>;
}

const experiments = endpoints['update-experiment'];

/** What an update of an experiment does not set, or merges: computed, stamped, or open. */
const notSettings = Object.keys(experiments.data.properties).filter(
  field => !Object.hasOwn(experiments.body.properties, field) || ['manualQualityScores', 'status'].includes(field),
);

/** The names of the groups of an experiment, as the target file has them. */
export const groupsOf = ({ target }: Pick<CheckContext, 'target'>, id: string): readonly string[] =>
  target.fixtures.experiments?.find(one => one.id === id)?.groups ?? [];

/** A group without `disabled`: which groups are so after an operation is not shown (section 3). */
export function withoutDisabled(group: unknown): unknown {
  if (!isObject(group)) return group;
  const { disabled: _, ...rest } = group;
  return rest;
}

/** What a list showed, by the member that identifies its items. */
const listed = ({ items, complete, answer }: Listing, key: string): Observation => ({
  entities: new Map(items.flatMap(item => (typeof item[key] === 'string' ? [[item[key], item]] : []))),
  isWhole: complete,
  answerFor: () => answer,
});

/** The event under which the metrics of a run are listed. */
const eventOf = ({ target }: Pick<CheckContext, 'target'>): string => target.fixtures.events?.[0] ?? '';

/**
 * Every kind of entity that can be read back. Gates are read by the patch that carries nothing, sources and metrics by
 * their list, configs by the newest of their versions; an experiment by enabling its first group, which nothing but its
 * flag shows.
 */
export const entityKinds = {
  gate: {
    fixtures: 'gates',
    row: endpoints['patch-gate'],
    leaveOut: volatile,
    read: (_context, session, id) => readGate(session, id),
    readSettled: readSettledGate,
    putBack: putBackGate,
  },
  'qualifying-event': {
    fixtures: 'qualifyingEvents',
    row: endpoints['update-qualifying-event'],
    leaveOut: volatile,
    // An update never changes the name, and an answer shows the owner otherwise.
    notStored: ['name', 'owner'],
    at: '/data/*',
    read: (_context, session, id) => readQualifyingEvent(session, id),
    readAll: async (_context, session) =>
      listed(await readList(session, { endpoint: 'list-qualifying-events' }), 'name'),
    putBack: putBackQualifyingEvent,
  },
  config: {
    fixtures: 'dynamicConfigs',
    row: endpoints['disable-config'],
    leaveOut: volatile,
    async read(_context, session, id) {
      const { items, complete, answer } = await readList(session, { endpoint: 'list-config-versions', param: id });
      const newest = items.toSorted((one, other) => Number(other.version ?? 0) - Number(one.version ?? 0))[0];
      return { entity: complete ? (newest ?? null) : null, answer };
    },
    at: '/data/*',
  },
  experiment: {
    fixtures: 'experiments',
    row: experiments,
    leaveOut: [...volatile, ...notSettings],
    settings: ({ groups, ...rest }) =>
      Array.isArray(groups) ? { ...rest, groups: groups.map(withoutDisabled) } : { ...rest },
    async read(context, session, id) {
      const group_names = [...groupsOf(context, id).slice(0, 1)];
      const answer = await session.send({ endpoint: 'enable-groups', param: id, body: { group_names } });
      return { entity: answer.success ? dataObject(answer) : null, answer };
    },
  },
  metric: {
    fixtures: 'events',
    row: endpoints['create-metric'],
    // Others check and hide metrics; what nobody sent is computed.
    leaveOut: [...volatile, 'lineage', 'permalink', 'isHidden'],
    at: '/data/*',
    async read(context, session, id) {
      const { items, answer } = await readMetrics(session, eventOf(context));
      return { entity: items.find(item => item.id === id) ?? null, answer };
    },
    readAll: async (context, session) => listed(await readMetrics(session, eventOf(context)), 'id'),
  },
} as const satisfies Record<string, EntityKind>;

/** Reads entities of a kind: by one walk where a list shows them, else one after another. */
export async function observe(
  kind: EntityKind,
  context: Pick<CheckContext, 'target'>,
  session: Session,
  ids: readonly string[],
): Promise<Observation> {
  if (kind.readAll !== undefined) return kind.readAll(context, session);
  return observed(ids, id => kind.read(context, session, id));
}

/** Reads entities once what the run last wrote to them is shown, where something tells what that was. */
export const observeSettled = (
  kind: EntityKind,
  context: Pick<CheckContext, 'target'>,
  session: Session,
  ids: readonly string[],
  eventually: Eventually,
): Promise<Observation> => {
  const { readSettled } = kind;
  return readSettled === undefined
    ? observe(kind, context, session, ids)
    : observed(ids, id => readSettled(session, id, eventually));
};

async function observed(ids: readonly string[], read: (id: string) => Promise<Reading>): Promise<Observation> {
  const entities = new Map<string, Members>();
  const answers = new Map<string, Answer>();
  for (const id of ids) {
    const reading = await unlessGivenUp(read(id), null);
    if (reading === null) continue;
    answers.set(id, reading.answer);
    if (reading.entity !== null) entities.set(id, reading.entity);
  }
  return { entities, isWhole: false, answerFor: id => answers.get(id) };
}

/** The documented members in which two readings of an entity of a kind differ, but for those named. */
export const differencesIn = (
  { row, leaveOut, settings = entity => entity }: EntityKind,
  before: Members,
  after: Members,
  more: readonly string[] = [],
): Difference[] => differencesOf(row, settings(before), settings(after), [...leaveOut, ...more]);
