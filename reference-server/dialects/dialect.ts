import type { Capability } from '../../contracts/dialect.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Naming } from '../../contracts/target.ts';
import type { Decorator, Variation } from '../decorators/layers.ts';
import type { Snapshot } from '../store/store.ts';

/**
 * A correct way for a server to differ: where the specification is silent, or where a service is stricter in meaning
 * than any schema can say. A suite must accuse none of them. The title says what the server does: "answers …".
 */
export interface Dialect extends Variation {
  /** The sections of the specification that leave it open. */
  readonly section: string;
  /** The requirements that it breaks: those of level SHOULD alone, each of which draws a warning. */
  readonly warns?: readonly RequirementId[];
  /** The checks (`endpoint/check`) that cannot be carried out against it. */
  readonly untested?: readonly string[];
  /** The warnings that it may draw, or not, by what meets what. */
  readonly mayWarn?: readonly RequirementId[];
  /** What may end untested beside them. */
  readonly mayBeUntested?: MayBeUntested;
  /**
   * What others change in the store meanwhile: `gates/dark_mode/checksPerHour`, `metrics`. A path ends where all below
   * it is meant; `*` is every entity, or every member.
   */
  readonly changes?: readonly string[];
  /** How far what it shows is behind what is stored, in milliseconds; nothing when absent, or too little to count. */
  readonly behindMs?: number;
  /** What the store holds at first, made from the fixtures. */
  readonly holds?: (fixtures: Snapshot) => Snapshot;
  /** The names that the service uses. */
  readonly naming?: Partial<Naming>;
  /** The key, where its form matters. */
  readonly apiKey?: string;
  /** The features that it still has, where it lacks some of those that a target file declares. */
  readonly capabilities?: readonly Capability[];
  /** Why the suite wrongly accuses it as things stand. */
  readonly accused?: string;
  /**
   * What the judge of traffic may wrongly say of it as things stand, because it judges the echo of each write alone, also
   * of one that another overlapped.
   */
  readonly mayBeAccusedInTraffic?: readonly RequirementId[];
  /** What the suite wrongly leaves changed as things stand. */
  readonly damages?: string;
}

/** What cannot be proved of a service that is used by others, or that refuses what it could do. */
export interface MayBeUntested {
  /** The checks that may end untested, as `--only` takes them: `create-metric/*`. */
  readonly checks: readonly string[];
  /** Words of the service that at least one of those checks has to quote as a reason. */
  readonly because?: string;
}

/** What a row says beyond its columns. The checks that may end untested are those of its operations unless it names them. */
export type Remarks = Omit<Partial<Dialect>, keyof Variation | 'section' | 'mayBeUntested'> & {
  readonly mayBeUntested?: Partial<MayBeUntested>;
};

/**
 * A dialect as a row of a table: its id, the sections that leave it open, the operations that differ (`all` where the
 * whole server does), what the server does, how, and what more there is to say.
 */
export type DialectRow = readonly [
  id: string,
  section: string,
  operations: EndpointId | readonly EndpointId[] | typeof all,
  title: string,
  decorator: Decorator,
  remarks?: Remarks,
];

/** What a file of the catalogue holds. */
export type DialectTable = readonly (DialectRow | Dialect)[];

/** Stands for the whole server in the column of the operations. */
export const all = 'all';

/** The dialect of a row. */
export function dialectOf(row: DialectRow | Dialect): Dialect {
  if (!('length' in row)) return row;
  const [id, section, operations, title, decorator, { mayBeUntested, ...remarks } = {}] = row;
  const endpoints = operations === all ? undefined : typeof operations === 'string' ? [operations] : operations;
  return {
    id,
    section,
    title,
    decorator,
    ...remarks,
    ...(endpoints !== undefined && { endpoints }),
    ...(mayBeUntested !== undefined && {
      mayBeUntested: { checks: (endpoints ?? endpointIds).map(one => `${one}/*`), ...mayBeUntested },
    }),
  };
}

/** Of a service whose rules a combination of valid values may meet. */
export const combined: Remarks = { mayWarn: ['accept.combination'] };

/** The operations that list. */
export const lists: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].list);

/** The operations that have a body. */
export const withBody: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].body !== null);

/** Of a service at which a quick run may use up what it creates at most: what is sent again may have been created twice. */
export const usesUpBudget: MayBeUntested = { checks: ['create-metric/*', 'create-prompt-version/*'] };
