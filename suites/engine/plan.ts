import type { Collection } from '../../contracts/endpoint.ts';
import type { PlannedCheck, RunStart } from '../../contracts/report/journal.ts';
import { tool } from '../../contracts/report/tool.ts';
import { newestSet, setNamed, setReference } from '../../contracts/requirements/sets.ts';
import { allUnits, lanes, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import { generatorVersions } from '../generators/versions.ts';
import type { RunConfig } from './config.ts';
import { requirementsNamed, unitsNamed } from './filters.ts';
import { withFirst } from './order.ts';
import type { RunState } from './run-state.ts';

/** Which part of the whole plan to run. */
export interface Selection {
  /** Globs over `endpoint/check`, `endpoint`, `check` or requirements, see `unitsNamed`; empty: everything. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly shard?: { readonly index: number; readonly total: number } | undefined;
  /** Units that are run as early as their lane allows, by id: those that failed last. */
  readonly first?: readonly string[] | undefined;
}

/** A filter that selects nothing: a mistake of the caller, never a success. */
export class NothingSelected extends Error {
  /** The glob that matches nothing; absent where it is the filters together. */
  readonly glob: string | undefined;

  constructor(message: string, glob?: string) {
    super(message);
    this.glob = glob;
  }
}

/** A `--path` whose selection is not exactly one active check. */
export class PathNeedsOneCheck extends Error {}

/** The units that the globs of a flag name. Throws `NothingSelected` for one that names none. */
function namedBy(flag: string, globs: readonly string[], units: readonly Unit[]): ReadonlySet<Unit> {
  return new Set(
    globs.flatMap(glob => {
      const named = unitsNamed(glob, units);
      if (named.length > 0) return named;
      const why =
        requirementsNamed(glob).length > 0
          ? 'names only what no check verifies; `explain` says why'
          : 'matches no endpoint, no check and no requirement; `list` shows them all';
      throw new NothingSelected(`${flag} ${glob} ${why}`, glob);
    }),
  );
}

/** The units of a selection. Throws `NothingSelected` when a glob matches nothing or nothing is left. */
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

/** Lanes are dealt out in turn, so that shards running at once never write to the same collection. */
function inShard(lane: Collection, shard: Selection['shard']): boolean {
  return shard === undefined || lanes.indexOf(lane) % shard.total === shard.index - 1;
}

/** The units that a run carries out. Throws `NothingSelected` and `PathNeedsOneCheck`. */
export function planOf({ selection, path }: RunConfig): readonly Unit[] {
  const units = select(selection);
  const active = units.filter(unit => unit.check.kind === 'active').length;
  if (path !== undefined && active !== 1)
    throw new PathNeedsOneCheck(`--path replays one case of one check, and the selection holds ${active}`);
  return units;
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

/** This suite and what its generated values depend on, by version: only the same versions send the same again. */
export const toolVersions = (): RunStart['tool'] => ({
  ...tool,
  node: process.versions.node,
  ...generatorVersions(),
});

/** The set of requirements by which a run is judged. */
export function judgedBy(name = newestSet): Pick<RunStart, 'requirementSet'> {
  const set = setNamed(name);
  if (set === undefined) throw new RangeError(`There is no set of requirements ${name}.`);
  return { requirementSet: setReference(set) };
}

/** The first event of a run: everything that decides what it sends. */
export function runStart({ config, units }: RunState): RunStart {
  const { target, selection, path, timeMs, minCoverage, bail } = config;
  return {
    event: 'run-start',
    version: 2,
    tool: toolVersions(),
    target: { baseUrl: target.baseUrl.href.replace(/\/+$/, ''), embedded: config.embedded },
    seed: config.seed,
    token: config.token,
    profile: config.profile,
    ...judgedBy(config.requirements),
    options: {
      readOnly: config.readOnly,
      strict: config.strict,
      only: [...selection.only],
      skip: [...selection.skip],
      ...(config.config === undefined ? {} : { config: config.config }),
      ...(config.journal === undefined ? {} : { journal: config.journal }),
      ...(path === undefined ? {} : { path }),
      ...(timeMs === undefined ? {} : { timeMs }),
      ...(minCoverage === undefined ? {} : { minCoverage }),
      ...(bail === undefined ? {} : { bail }),
      ...(selection.shard === undefined ? {} : { shard: selection.shard }),
    },
    startedAt: new Date().toISOString(),
    plan: units.map(plannedCheck),
  };
}
