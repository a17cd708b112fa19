import type { Endpoint, FixtureKind } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { Members } from '../../contracts/json.ts';
import { dataObject } from '../protocol/answer.ts';
import type { CheckContext, Session } from '../protocol/check.ts';
import { putBackGate, putBackQualifyingEvent } from './control.ts';
import { type Difference, differencesOf, volatile } from './difference.ts';
import type { Eventually } from './eventually.ts';
import { type Reading, readGate, readList, readQualifyingEvent } from './reading.ts';

/** How the entities of one kind are read, whole, and what of them may differ between two readings without a write. */
export interface EntityKind {
  readonly fixtures: FixtureKind;
  /** The operation whose body says how the members of such an entity are compared. */
  readonly row: Endpoint;
  /** Members that say nothing of what was written: stamps, what is computed, what is open. */
  readonly leaveOut: readonly string[];
  /** Reads one as it is now. Not every kind has an operation that only reads. */
  read(context: Pick<CheckContext, 'target'>, session: Session, id: string): Promise<Reading>;
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
const groupsOf = ({ target }: Pick<CheckContext, 'target'>, id: string): readonly string[] =>
  target.fixtures.experiments?.find(one => one.id === id)?.groups ?? [];

/**
 * Every kind of entity that can be read back. Gates are read by the patch that carries nothing, sources by their list,
 * configs by the newest of their versions; an experiment by enabling its first group, which nothing but its flag shows.
 */
export const entityKinds = {
  gate: {
    fixtures: 'gates',
    row: endpoints['patch-gate'],
    leaveOut: volatile,
    read: (_context, session, id) => readGate(session, id),
    putBack: putBackGate,
  },
  'qualifying-event': {
    fixtures: 'qualifyingEvents',
    row: endpoints['update-qualifying-event'],
    leaveOut: volatile,
    at: '/data/*',
    read: (_context, session, id) => readQualifyingEvent(session, id),
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
} as const satisfies Record<string, EntityKind>;

/** The documented members in which two readings of an entity of a kind differ. */
export const differencesIn = ({ row, leaveOut }: EntityKind, before: Members, after: Members): Difference[] =>
  differencesOf(row, before, after, leaveOut);
