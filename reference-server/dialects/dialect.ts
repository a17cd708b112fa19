import type { Capability } from '../../contracts/dialect.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Naming } from '../../contracts/target.ts';
import type { Decorator, Variation } from '../decorators/index.ts';
import type { CollectionName } from '../entities.ts';
import type { Snapshot } from '../store/store.ts';

/**
 * A correct way for a server to differ, where the specification is silent or a service has rules that no schema can
 * state. A suite must accuse none of them. The title says what the server does: "answers …".
 */
export interface Dialect extends Variation {
  /** The sections of the specification that leave this open. */
  readonly section: string;
  /** The requirements that it breaks, all of level SHOULD. Each draws a warning. */
  readonly warns?: readonly RequirementId[];
  /** The checks (`endpoint/check`) that cannot run against it. */
  readonly untested?: readonly string[];
  /** The requirements for which it may draw a warning, depending on what is combined. */
  readonly mayWarn?: readonly RequirementId[];
  /** The checks that may also end untested. */
  readonly mayBeUntested?: MayBeUntested;
  /**
   * The paths that others change in the store meanwhile: `gates/dark_mode/checksPerHour`, `metrics`. A path includes
   * everything below it; `*` is every entity or every member.
   */
  readonly changes?: readonly string[];
  /** How far the shown state lags behind the stored one, in milliseconds; absent if it does not lag noticeably. */
  readonly behindMs?: number;
  /** Makes the initial contents of the store from the fixtures. */
  readonly holds?: (fixtures: Snapshot) => Snapshot;
  /** The names in the API that differ. */
  readonly naming?: Partial<Naming>;
  /** The key, if its form matters. */
  readonly apiKey?: string;
  /** The features that it has, if it lacks some that a target file declares. */
  readonly capabilities?: readonly Capability[];
  /** Why the suite still wrongly accuses it. */
  readonly accused?: string;
  /**
   * The requirements that the judge of traffic may still wrongly report as broken, because it judges the echo of each
   * write alone, even if another write overlapped.
   */
  readonly mayBeAccusedInTraffic?: readonly RequirementId[];
  /** What the suite still wrongly leaves changed. */
  readonly damages?: string;
}

/** The checks that cannot be proved against a service that others use, or that refuses optional requests. */
export interface MayBeUntested {
  /** The checks that may end untested, in the form of `--only`: `create-metric/*`. */
  readonly checks: readonly string[];
  /** Words of the service that at least one of these checks must quote as its reason. */
  readonly because?: string;
}

/** The remaining properties of a row. By default the checks that may end untested are all those of its operations. */
export type Remarks = Omit<Partial<Dialect>, keyof Variation | 'section' | 'mayBeUntested'> & {
  readonly mayBeUntested?: Partial<MayBeUntested>;
};

/**
 * A dialect as a row of a table: id, sections that leave it open, operations that differ (`all`: the whole server),
 * title, decorator, and further properties.
 */
export type DialectRow = readonly [
  id: string,
  section: string,
  operations: EndpointId | readonly EndpointId[] | typeof all,
  title: string,
  decorator: Decorator,
  remarks?: Remarks,
];

/** The rows of one file of the catalogue. */
export type DialectTable = readonly (DialectRow | Dialect)[];

/** In the column of the operations: the whole server. */
export const all = 'all';

/** Returns the dialect of a row. */
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

/** For a service whose own rules may refuse a combination of valid values. */
export const combined: Remarks = { mayWarn: ['accept.combination'] };

/** The operations on one kind of entity. */
export const gates: readonly EndpointId[] = ['patch-gate', 'disable-gate'];
export const sources: readonly EndpointId[] = ['update-qualifying-event', 'list-qualifying-events'];
export const experiments: readonly EndpointId[] = ['update-experiment', 'enable-groups'];
export const metrics: readonly EndpointId[] = ['create-metric', 'list-event-metrics'];
export const configs: readonly EndpointId[] = ['list-config-versions', 'disable-config', 'archive-config'];

/** The operations that list. */
export const lists: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].list);

/** The kinds of entities that are listed, and the operations that list or change what is listed. */
export const listedKinds: readonly CollectionName[] = ['qualifyingEvents', 'metrics', 'configs', 'segments', 'events'];
export const listed: readonly EndpointId[] = [...lists, 'update-qualifying-event', 'create-metric'];

/** The operations that have a body. */
export const withBody: readonly EndpointId[] = endpointIds.filter(id => endpoints[id].body !== null);

/**
 * For a service at which a quick run may reach its limit of creations, because a repeated request may have created
 * twice.
 */
export const usesUpBudget = {
  mayBeUntested: { checks: ['create-metric/*', 'create-prompt-version/*'] },
} as const satisfies Remarks;

/** For a service whose list changes from page to page. */
export const pagesMove = (list: EndpointId): Remarks => ({ mayBeUntested: { checks: [`${list}/pagination*`] } });

/**
 * Requirements to accept something that is refused only occasionally: a warning at most, because it was also accepted.
 */
export const refusedNowAndThen: readonly RequirementId[] = [
  'accept.smallest',
  'accept.stated-boundary',
  'accept.plain-value',
  'accept.documented-null',
  'accept.combination',
  'auth.header-case',
];

/** The same for writes of gates, by which disabling one is judged too. */
export const gateRefusedNowAndThen: readonly RequirementId[] = [
  ...refusedNowAndThen,
  'state.patch-empty-reads',
  'state.disable-gate-idempotent',
];

/** For a service at which every check of the row's operations may end untested. */
export const unproven: Remarks = { mayBeUntested: {} };
