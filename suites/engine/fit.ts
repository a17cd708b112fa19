import { type ActiveCheck, isNothingToDo } from '../protocol/check.ts';
import type { Rank } from './case-order.ts';
import { rankedCases, seedOfUnit } from './cases.ts';
import { isActive } from './execution.ts';
import { contextOf, isEnding, type LaneInput, openLane } from './lane-state.ts';
import type { RunState } from './run-state.ts';
import { profileTrim, type Trim, trimToFit } from './trim.ts';

/** The cases that the units of a lane would send, ranked. Sends nothing. */
function rankedUnits(input: LaneInput): readonly { readonly ranks: readonly Rank[] }[] {
  const lane = openLane(input);
  const { config } = input.run;
  return input.units.filter(isActive).flatMap(unit => {
    const context = contextOf(unit, lane);
    if (isEnding(context)) return [];
    const plan = (unit.check as unknown as ActiveCheck<unknown>).plan(context);
    if (isNothingToDo(plan)) return [];
    const draw = { seed: seedOfUnit(config.seed, unit), turn: config.seed, token: config.token };
    return [rankedCases(unit, plan, context.amounts, draw)];
  });
}

/** So many requests a unit are kept for what no case counts, and for controls that few cases share. */
const keptPerUnit = 1.4;

/**
 * Which cases a run sends that has a profile, and where there is one a limit of requests: then it is trimmed before it
 * begins to what the rest of them pays for, so that they are spent on what shows most. Where time is what is given, or
 * one case is named, nothing is left out beforehand.
 */
export function trimOf(run: RunState, lanes: readonly LaneInput[]): Trim {
  const { config, wire } = run;
  const { maxRequests, path, timeMs } = config;
  const trim = profileTrim(config);
  if (maxRequests === undefined || path !== undefined || timeMs !== undefined) return trim;
  const units = lanes.flatMap(rankedUnits);
  const left = maxRequests - wire.client.sent() - keptPerUnit * units.length;
  return trimToFit(units, trim, left, {
    because: `beyond the ${maxRequests} requests of the run`,
    remedy: 'a higher --max-requests, or none',
  });
}
