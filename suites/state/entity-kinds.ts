import type { Endpoint, FixtureKind } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { isObject } from '../../contracts/json.ts';
import { dataObject } from '../protocol/answer.ts';
import type { CheckContext, Session } from '../protocol/check.ts';
import { volatile } from './difference.ts';
import { type Reading, readGate, readList, readMetrics, readQualifyingEvent } from './reading.ts';

/** How the entities of one kind are read whole, and which members may differ between two readings without a write. */
export interface EntityKind {
  readonly fixtures: FixtureKind;
  /** The operation whose body says how the members of such an entity are compared. */
  readonly row: Endpoint;
  /** Members that say nothing of what was written: stamps, computed and open values. */
  readonly leaveOut: readonly string[];
  /** Reads an entity as it is now. Not every kind has an operation that only reads. */
  read(context: Pick<CheckContext, 'target'>, session: Session, id: string): Promise<Reading>;
  /** Members of a body that do not come back as they were sent. */
  readonly notStored?: readonly string[];
  /** Entities of this kind are read from a list. */
  readonly isListed?: true;
}

const experiments = endpoints['update-experiment'];

/**
 * Fields of an experiment that say nothing of what was written: an update merges them, or they are measured, follow
 * from others, or change with a state whose transitions are not shown (section 3).
 */
const notSettings = [
  'manualQualityScores',
  'qualityScore',
  'healthChecks',
  'isStale',
  'startTime',
  'endTime',
  'decisionTime',
  'activeReview',
  'summarySections',
  'shipWithHoldout',
  'owner',
] as const satisfies readonly (keyof typeof experiments.data.properties)[];

/** Returns the names of an experiment's groups, as the target file has them. */
export const groupsOf = ({ target }: Pick<CheckContext, 'target'>, id: string): readonly string[] =>
  target.fixtures.experiments?.find(one => one.id === id)?.groups ?? [];

/** Returns a group without `disabled`: how an operation changes it is not shown (section 3). */
export function withoutDisabled(group: unknown): unknown {
  if (!isObject(group)) return group;
  const { disabled: _, ...rest } = group;
  return rest;
}

/** The event under which the metrics of a run are listed. */
const eventOf = ({ target }: Pick<CheckContext, 'target'>): string => target.fixtures.events?.[0] ?? '';

/**
 * Every kind of entity that can be read back. A gate is read by an empty patch, sources and metrics from their lists, a
 * config from its newest version. An experiment is read by enabling its first group, which shows in nothing but its
 * flag.
 */
export const entityKinds = {
  gate: {
    fixtures: 'gates',
    row: endpoints['patch-gate'],
    leaveOut: volatile,
    read: (_context, session, id) => readGate(session, id),
  },
  'qualifying-event': {
    fixtures: 'qualifyingEvents',
    row: endpoints['update-qualifying-event'],
    leaveOut: volatile,
    // An update never changes the name, and answers show the owner in another form.
    notStored: ['name', 'owner'],
    isListed: true,
    read: (_context, session, id) => readQualifyingEvent(session, id),
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
  },
  experiment: {
    fixtures: 'experiments',
    row: experiments,
    leaveOut: [...volatile, ...notSettings],
    async read(context, session, id) {
      const group_names = [...groupsOf(context, id).slice(0, 1)];
      const answer = await session.send({ endpoint: 'enable-groups', param: id, body: { group_names } });
      return { entity: answer.success ? dataObject(answer) : null, answer };
    },
  },
  metric: {
    fixtures: 'events',
    row: endpoints['create-metric'],
    // Others may hide metrics; the other members are computed.
    leaveOut: [...volatile, 'lineage', 'permalink', 'isHidden'],
    isListed: true,
    async read(context, session, id) {
      const { items, answer } = await readMetrics(session, eventOf(context));
      return { entity: items.find(item => item.id === id) ?? null, answer };
    },
  },
} as const satisfies Record<string, EntityKind>;
