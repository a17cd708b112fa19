import { type Endpoint, resourceNames } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import { checkOf } from '../checks/index.ts';
import type { Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';
import type { RunStopped } from '../protocol/stop.ts';
import { checkEnd, type Ending, endingOf, noCases, untested } from './ending.ts';
import { type ActiveUnit, isActive } from './execution.ts';
import { failuresFirst, findingOf, leftOutNotice } from './findings.ts';
import { contextOf, isEnding, type LaneState, unshownBy } from './lane-state.ts';
import type { OpenUnit } from './unit.ts';

/** The number of findings of a check whose evidence is kept whole; the others keep the beginning. */
const mostShownWhole = 10;

/** An active unit whose cases were sent. */
export interface Running {
  readonly unit: ActiveUnit;
  readonly open: OpenUnit;
  durationMs: number;
  /** Why it could not continue, if the suite itself failed. */
  failure?: Ending;
}

/** Returns the check that judges frames, if no answer of an endpoint had a sound one: nothing else can be judged. */
function frameBlocking({ endpoint }: Unit, lane: LaneState): string | undefined {
  const id = `${endpoint}/${checkOf('envelope').id}`;
  return !lane.accepted.has(endpoint) && lane.collectorOf(id).groups.size > 0 ? id : undefined;
}

/** Adds the broken frame to an ending, if that is why nothing could be proved. */
function behindFrame(ending: Ending, unit: Unit, lane: LaneState): Ending {
  const blockedBy = frameBlocking(unit, lane);
  return ending.verdict === 'untested' && blockedBy !== undefined ? { ...ending, blockedBy } : ending;
}

/** Turns a pass into untested if a suspicion about the unit was not fully investigated. */
function unlessLeftOpen(ending: Ending, { id }: Unit, { leftOpen }: LaneState): Ending {
  const because = leftOpen.get(id);
  const { verdict, notExercised, stats } = ending;
  return verdict === 'pass' && because !== undefined ? untested(because, { notExercised, stats }) : ending;
}

/** Returns an emitter for the ends of a lane's units, which tracks how many findings were emitted. */
export function openLaneEmitter(lane: LaneState) {
  const { config, wire, emit, otherRuns } = lane.run;
  /** The number of emitted findings by unit. */
  const emitted = new Map<string, number>();
  const end = (unit: Unit, ending: Ending): void => {
    const { groups, leftOut } = lane.collectorOf(unit.id);
    const sorted = [...groups.values()].sort(failuresFirst);
    const own = otherRuns.without(sorted, ending);
    const findings = own.found.map((group, index) =>
      findingOf(group, unit.id, config.target, wire.secrets, index >= mostShownWhole),
    );
    const ended = checkEnd(unit, unlessLeftOpen(own.ending, unit, lane), findings);
    const event = { ...ended, ...present({ leftOut: leftOut() }) };
    emit(emitted.has(unit.id) ? { ...event, replaces: true } : event);
    emitted.set(unit.id, groups.size);
  };
  const finish = ({ unit, open, durationMs, failure }: Running): void =>
    end(
      unit,
      failure ??
        behindFrame(endingOf(open.outcome, durationMs, unit.endpoint, lane.accepted.has(unit.endpoint)), unit, lane),
    );
  // Emit again only when the findings have doubled, so that the journal stays short.
  const isDue = ({ id }: Unit): boolean => {
    const before = emitted.get(id) ?? 0;
    const { size } = lane.collectorOf(id).groups;
    return size > before && size >= 2 * before;
  };
  return {
    end,
    finish,
    /**
     * Emits the ends of continued units and of the passive checks at some endpoints again: if their findings have
     * doubled, or `always`.
     */
    again(endpoints: readonly EndpointId[], running: readonly Running[], always = false): void {
      for (const one of running) if (always || isDue(one.unit)) finish(one);
      for (const unit of lane.units)
        if (endpoints.includes(unit.endpoint) && unit.check.kind === 'passive' && (always || isDue(unit)))
          end(unit, passiveEnding(unit, lane));
    },
    hasEnded: ({ id }: Unit): boolean => emitted.has(id),
  };
}

/** Emits the ends of a lane's units. */
export type LaneEmitter = ReturnType<typeof openLaneEmitter>;

/** Emits the ends of checks that gained findings since the last call. */
export function emitGained(lane: LaneState, running: readonly Running[], emitter: LaneEmitter): void {
  for (const unit of lane.gained) {
    // A unit that is still to run reports them when it ends.
    if (lane.units.includes(unit) && !emitter.hasEnded(unit)) continue;
    const own = running.find(one => one.unit.id === unit.id);
    if (own !== undefined) emitter.finish(own);
    else emitter.end(unit, isActive(unit) ? untested('none of its cases was sent') : passiveEnding(unit, lane));
  }
  lane.gained.clear();
}

/** Tells of checks that found more than is kept: a report without a word would look complete. */
export function tellLeftOut(lane: LaneState): void {
  for (const { id } of [...lane.units, ...lane.passiveUnits]) {
    if (lane.collectorOf(id).leftOut() === undefined) continue;
    lane.run.emit(leftOutNotice(id, `mend what it shows, then run --only '${id}' again`));
  }
}

/** Checks that judge only refusals. */
const ofRefusals: ReadonlySet<string> = new Set(['refusals', 'disclosure', 'message']);

/**
 * Returns what helps where a list shows nothing to judge: something in it, or another entity whose list has something;
 * where the links of pages are judged (`ofPages`), a second page.
 */
function remedyOfEmpty({ path, resource, fixture }: Endpoint, ofPages: boolean, param = ''): string {
  const list = `GET ${path.replace(/\{[^}]*\}/, param)}`;
  if (ofPages) return `have ${list} list more than one page holds`;
  const filled = `add a ${resourceNames[resource]} that ${list} lists`;
  return fixture === null
    ? filled
    : `${filled}, or name another fixture under fixtures.${fixture} whose list is not empty`;
}

/**
 * Returns how a passive check ended: by the answers it judged, or by why there were none. `cut`: what ended the lane
 * early.
 */
export function passiveEnding(unit: Unit, lane: LaneState, cut: RunStopped | null = null): Ending {
  const seen = lane.passiveResults.get(unit.id);
  if (seen !== undefined) {
    const exercised = [...seen.exercised].sort();
    return { verdict: 'pass', notExercised: unshownBy(seen), stats: { ...noCases, cases: seen.count }, exercised };
  }
  const context = contextOf(unit, lane);
  if (isEnding(context)) return context;
  if (cut !== null) return untested(cut.message);
  const isAccepted = lane.accepted.has(unit.endpoint);
  if (ofRefusals.has(unit.check.id) && isAccepted)
    return untested('no request to this endpoint was refused, and a refusal is what it judges');
  const cited = citedBy(unit.check, unit.endpoint);
  // Of a list that was accepted, and of which nothing could be judged, an item is missing, or a page.
  if (context.row.list && isAccepted) {
    const ofPages = cited.every(id => id.startsWith('pagination.'));
    return untested(`the list shows ${ofPages ? 'no second page' : 'no item'} that it could judge`, {
      remedy: remedyOfEmpty(context.row, ofPages, context.minimal.param),
    });
  }
  const envelope = `${unit.endpoint}/${checkOf('envelope').id}`;
  // An answer whose frame is whole may lack what the check is about.
  if (isAccepted && lane.collectorOf(envelope).groups.size === 0)
    return untested(`no answer of this endpoint shows what it judges (${cited.join(', ')})`);
  const blocker = isAccepted ? envelope : `${unit.endpoint}/${checkOf('minimal-request').id}`;
  const blockedBy = frameBlocking(unit, lane) ?? blocker;
  return untested('no answer of this endpoint could be judged by it', { blockedBy });
}
