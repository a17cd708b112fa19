import picomatch from 'picomatch';
import { type Collection, type EndpointId, endpointIds } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { PlannedCheck } from '../../contracts/report/journal.ts';
import { checks } from '../checks/index.ts';
import { citedBy } from '../checks/verified-by.ts';
import type { Check } from '../protocol/check.ts';

/** One check of one endpoint. */
export interface Unit {
  /** `endpoint/check`. */
  readonly id: string;
  readonly endpoint: EndpointId;
  readonly check: Check;
  readonly lane: Collection;
}

/** What part of the whole plan to run. */
export interface Selection {
  /** Globs over `endpoint/check`, `endpoint` or `check`; empty: everything. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly shard?: { readonly index: number; readonly total: number } | undefined;
}

/** A filter that selects nothing: a mistake of the caller, never a success. */
export class NothingSelected extends Error {}

/** The collections in the order in which their lanes are begun: the long ones first. */
export const lanes: readonly Collection[] = [
  'experiments',
  'metrics',
  'gates',
  'qualifying-events',
  'prompts',
  'environments',
  'configs',
  'events',
  'segments',
];

/** An operation that cannot be expected to succeed twice on one entity: its one accepted request comes last. */
export const isOneShot = (endpoint: EndpointId): boolean =>
  endpoints[endpoint].effect === 'destructive' && endpoints[endpoint].collection === 'configs';

/** Reads first, then what can be put back or is only added, then what cannot be undone; the archive last of all. */
const effectOrder = { read: 0, restorable: 1, additive: 2, destructive: 3 } as const;

const orderedEndpoints: readonly EndpointId[] = [...endpointIds].sort(
  (a, b) =>
    effectOrder[endpoints[a].effect] - effectOrder[endpoints[b].effect] ||
    endpointIds.indexOf(a) - endpointIds.indexOf(b),
);

function unitsOf(endpoint: EndpointId): Unit[] {
  const row = endpoints[endpoint];
  const bound = checks.filter(check => check.appliesTo(endpoint, row));
  // Where the operation works only once, what must be refused is tried before what must be accepted.
  const ordered = isOneShot(endpoint)
    ? [...bound].sort((a, b) => Number(a.id === 'accepts') - Number(b.id === 'accepts'))
    : bound;
  return ordered.map(check => ({ id: `${endpoint}/${check.id}`, endpoint, check, lane: row.collection }));
}

/** Every unit there is, lane by lane, in the order in which a lane runs them. */
export function allUnits(): readonly Unit[] {
  return lanes.flatMap(lane => orderedEndpoints.filter(id => endpoints[id].collection === lane).flatMap(unitsOf));
}

function matcher(globs: readonly string[]): (unit: Unit) => boolean {
  // The empty glob names nothing; the library takes it for a mistake of the programmer.
  const matchers = globs.filter(glob => glob !== '').map(glob => picomatch(glob));
  return unit => matchers.some(matches => matches(unit.id) || matches(unit.endpoint) || matches(unit.check.id));
}

/** The units of a selection. Throws `NothingSelected` when a glob matches nothing or nothing is left. */
export function select(selection: Selection): readonly Unit[] {
  const units = allUnits();
  for (const [flag, globs] of [
    ['--only', selection.only],
    ['--skip', selection.skip],
  ] as const) {
    for (const glob of globs) {
      if (!units.some(matcher([glob]))) {
        throw new NothingSelected(`${flag} ${glob} matches no endpoint and no check; \`list\` shows them all`);
      }
    }
  }
  const wanted = selection.only.length === 0 ? () => true : matcher(selection.only);
  const unwanted = matcher(selection.skip);
  const { shard } = selection;
  const chosen = units.filter(unit => wanted(unit) && !unwanted(unit) && inShard(unit.lane, shard));
  if (chosen.length === 0 && shard === undefined) throw new NothingSelected('--only and --skip leave nothing to run');
  return chosen;
}

/** Lanes are dealt out in turn, so that shards running at once never write to the same collection. */
function inShard(lane: Collection, shard: Selection['shard']): boolean {
  return shard === undefined || lanes.indexOf(lane) % shard.total === shard.index - 1;
}

/** A unit as the journal announces it. */
export function plannedCheck(unit: Unit): PlannedCheck {
  const { check, endpoint } = unit;
  return {
    id: unit.id,
    endpoint,
    check: check.id,
    level: check.level,
    title: check.title,
    requirements: [...citedBy(check, endpoint)],
    lane: unit.lane,
  };
}
