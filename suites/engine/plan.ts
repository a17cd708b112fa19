import picomatch from 'picomatch';
import type { Collection } from '../../contracts/endpoint.ts';
import type { PlannedCheck } from '../../contracts/report/journal.ts';
import { allUnits, lanes, type Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';

/** What part of the whole plan to run. */
export interface Selection {
  /** Globs over `endpoint/check`, `endpoint` or `check`; empty: everything. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly shard?: { readonly index: number; readonly total: number } | undefined;
}

/** A filter that selects nothing: a mistake of the caller, never a success. */
export class NothingSelected extends Error {}

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
