import picomatch from 'picomatch';
import type { Collection } from '../../contracts/endpoint.ts';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import type { PlannedCheck, RunStart } from '../../contracts/report/journal.ts';
import { tool } from '../../contracts/report/tool.ts';
import { type RequirementId, requirements } from '../../contracts/requirements/index.ts';
import { newestSet, setNamed, setReference } from '../../contracts/requirements/sets.ts';
import { allUnits, effectOrder, isOneShot, lanes, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { generatorVersions } from '../generators/versions.ts';
import type { RunConfig } from './config.ts';
import type { RunState } from './run-state.ts';

/** Returns a test of texts against a glob. The empty glob, for which the library throws, matches nothing. */
function globOf(glob: string): (text: string) => boolean {
  const matches = glob === '' ? () => false : picomatch(glob);
  // Pass one argument only: with more, the library's matcher returns more than a boolean.
  return text => matches(text);
}

/** Returns an id's prefixes up to each dot: `gate`, `gate.name`, `gate.name.maxLength`. */
function beginnings(id: string): readonly string[] {
  const parts = id.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

/**
 * Returns the requirements that a filter names: the glob matches the id or a prefix up to a dot. So `gate.name` names
 * every requirement of that field.
 */
export function requirementsNamed(glob: string): readonly RequirementId[] {
  const matches = globOf(glob);
  return requirements.flatMap(({ id }) => (beginnings(id).some(matches) ? [id] : []));
}

/**
 * Returns the units that a filter names by `endpoint/check`, endpoint or check. Only if there are none, returns the
 * units that verify a requirement that the filter names.
 */
export function unitsNamed(glob: string, units: readonly Unit[]): readonly Unit[] {
  const matches = globOf(glob);
  const named = units.filter(unit => matches(unit.id) || matches(unit.endpoint) || matches(unit.check.id));
  if (named.length > 0) return named;
  const wanted = new Set(requirementsNamed(glob));
  if (wanted.size === 0) return [];
  return units.filter(({ check, endpoint }) => citedBy(check, endpoint).some(id => wanted.has(id)));
}

/** The part of the whole plan to run. */
export interface Selection {
  /** Globs over `endpoint/check`, `endpoint`, `check` or requirements, see `unitsNamed`; empty: everything. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly shard?: { readonly index: number; readonly total: number } | undefined;
  /** Ids of units to run as early as their lane allows: those that failed last. */
  readonly first?: readonly string[] | undefined;
}

/** Thrown for a filter that selects nothing: a mistake of the caller, never a success. */
export class NothingSelected extends Error {
  /** The glob that matches nothing; absent if only the combination of filters is empty. */
  readonly glob: string | undefined;

  constructor(message: string, glob?: string) {
    super(message);
    this.glob = glob;
  }
}

/** Thrown for a `--path` whose selection is not exactly one active check. */
export class PathNeedsOneCheck extends Error {}

/** Returns the units that the globs of a flag name. Throws `NothingSelected` for a glob that names none. */
function namedBy(flag: string, globs: readonly string[], units: readonly Unit[]): ReadonlySet<Unit> {
  return new Set(
    globs.flatMap(glob => {
      const named = unitsNamed(glob, units);
      if (named.length > 0) return named;
      const why =
        requirementsNamed(glob).length > 0
          ? 'names only what no check verifies; `explain` says why'
          : glob.includes(',')
            ? `matches nothing: give ${flag} once for each (${flag} A ${flag} B)`
            : 'matches no endpoint, no check and no requirement; `list` shows them all';
      throw new NothingSelected(`${flag} ${glob} ${why}`, glob);
    }),
  );
}

/** Returns the units of a selection. Throws `NothingSelected` when a glob matches nothing or nothing is left. */
export function select({ only, skip, shard, first = [] }: Selection): readonly Unit[] {
  const units = allUnits();
  const wanted = namedBy('--only', only, units);
  const unwanted = namedBy('--skip', skip, units);
  const chosen = units.filter(
    unit => (only.length === 0 || wanted.has(unit)) && !unwanted.has(unit) && inShard(unit.lane, shard),
  );
  if (chosen.length === 0 && shard === undefined) throw new NothingSelected('--only and --skip leave nothing to run');
  return first.length === 0 ? chosen : withFirst(chosen, new Set(first));
}

/** True if a shard runs a lane. Parallel shards never write to the same collection. */
function inShard(lane: Collection, shard: Selection['shard']): boolean {
  return shard === undefined || lanes.indexOf(lane) % shard.total === shard.index - 1;
}

/** Returns the units that a run carries out. Throws `NothingSelected` and `PathNeedsOneCheck`. */
export function planOf({ selection, path }: RunConfig): readonly Unit[] {
  const units = select(selection);
  const active = units.filter(unit => unit.check.kind === 'active').length;
  if (path !== undefined && active !== 1)
    throw new PathNeedsOneCheck(`--path replays one case of one check, and the selection holds ${active}`);
  return units;
}

/** Returns the operations of some units, in their order. */
export const operationsOf = (units: readonly Unit[]): ReadonlySet<EndpointId> =>
  new Set(units.map(({ endpoint }) => endpoint));

/** Returns a unit as the journal announces it. */
export function plannedCheck(unit: Unit): PlannedCheck {
  const { id, check, endpoint, lane } = unit;
  const { level, title } = check;
  return { id, endpoint, check: check.id, level, title, requirements: [...citedBy(check, endpoint)], lane };
}

/** Returns the versions of this suite and its generators: only the same versions generate the same requests. */
export const toolVersions = (): RunStart['tool'] => ({
  ...tool,
  node: process.versions.node,
  ...generatorVersions(),
});

/** Returns the set of requirements that judges a run. */
export function judgedBy(name = newestSet): Pick<RunStart, 'requirementSet'> {
  const set = setNamed(name);
  if (set === undefined) throw new RangeError(`There is no set of requirements ${name}.`);
  return { requirementSet: setReference(set) };
}

/** Returns the first event of a run: everything that decides what it sends. */
export function runStart({ config, units }: RunState): RunStart {
  const { target, selection, path, timeMs, minCoverage, bail, journal, embedded, seed, token, profile } = config;
  const { only, skip, shard } = selection;
  const { readOnly, strict } = config;
  return {
    event: 'run-start',
    version: 2,
    tool: toolVersions(),
    target: { baseUrl: target.baseUrl.href.replace(/\/+$/, ''), embedded },
    seed,
    token,
    profile,
    ...judgedBy(config.requirements),
    options: {
      readOnly,
      strict,
      only: [...only],
      skip: [...skip],
      ...present({ config: config.config, journal, path, timeMs, minCoverage, bail, shard }),
    },
    startedAt: new Date().toISOString(),
    plan: units.map(plannedCheck),
  };
}

/** A position in a lane, compared number by number. */
type Place = readonly number[];

function compared(a: Place, b: Place): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/**
 * Moves some units as early as their lane allows. Irreversible operations stay last, and units up to the minimal
 * request stay first, because they need unchanged entities. Units of one-shot operations keep their order.
 *
 * @param first ids of units, which may include ids that are not among `units`
 */
export function withFirst(units: readonly Unit[], first: ReadonlySet<string>): readonly Unit[] {
  const isFirst = ({ id }: Unit): boolean => first.has(id);
  const early = operationsOf(units.filter(isFirst));
  const ids = [...operationsOf(units)];
  function placeWithin(unit: Unit, own: readonly Unit[]): number {
    if (isOneShot(unit.endpoint)) return 0;
    const untilMinimal = own.findIndex(({ check }) => check.role === 'minimal-request');
    if (own.indexOf(unit) <= untilMinimal) return 0;
    return isFirst(unit) ? 1 : 2;
  }
  const places = new Map(
    units.map((unit, index): [Unit, Place] => {
      const { endpoint, lane } = unit;
      const own = units.filter(one => one.endpoint === endpoint);
      const effect = effectOrder[endpoints[endpoint].effect];
      const within = placeWithin(unit, own);
      return [unit, [lanes.indexOf(lane), effect, Number(!early.has(endpoint)), ids.indexOf(endpoint), within, index]];
    }),
  );
  return units.toSorted((a, b) => compared(places.get(a) ?? [], places.get(b) ?? []));
}
