import type { EndpointId } from '../../contracts/endpoints.ts';
import { checkOf } from '../checks/index.ts';
import type { Unit } from '../checks/units.ts';
import type { RunStopped } from '../protocol/stop.ts';
import { checkEnd, type Ending, endingOf, noCases, untested } from './ending.ts';
import { type ActiveUnit, isActive } from './execution.ts';
import { findingOf } from './findings.ts';
import { contextOf, isEnding, type LaneState, unshownBy } from './lane-state.ts';
import type { OpenUnit } from './unit.ts';

/** Of the first findings of a check the evidence is kept whole; of the others its beginning. */
const mostShownWhole = 10;

/** An active unit whose cases were sent. */
export interface Running {
  readonly unit: ActiveUnit;
  readonly open: OpenUnit;
  durationMs: number;
  /** Why it could not go on, where the suite itself failed. */
  failure?: Ending;
}

/** The check that judges the frame of answers, where no answer of an endpoint had a sound one: nothing else can be told. */
function frameBlocking({ endpoint }: Unit, lane: LaneState): string | undefined {
  const id = `${endpoint}/${checkOf('envelope').id}`;
  return !lane.accepted.has(endpoint) && lane.collectorOf(id).groups.size > 0 ? id : undefined;
}

/** An ending that names the broken frame where that is why nothing could be proved. */
function behindFrame(ending: Ending, unit: Unit, lane: LaneState): Ending {
  const blockedBy = frameBlocking(unit, lane);
  return ending.verdict === 'untested' && blockedBy !== undefined ? { ...ending, blockedBy } : ending;
}

/** An ending, of a pass only where everything was investigated that made it doubtful. */
function unlessLeftOpen(ending: Ending, { id }: Unit, { leftOpen }: LaneState): Ending {
  const because = leftOpen.get(id);
  const { verdict, notExercised, stats } = ending;
  return verdict === 'pass' && because !== undefined ? untested(because, { notExercised, stats }) : ending;
}

/** Emits the ends of the units of a lane, and knows how many findings of each were emitted. */
export function openLaneEmitter(lane: LaneState) {
  const { config, wire, emit } = lane.run;
  /** How many findings of each unit were emitted. */
  const emitted = new Map<string, number>();
  const end = (unit: Unit, ending: Ending): void => {
    const { groups } = lane.collectorOf(unit.id);
    const findings = [...groups.values()]
      .sort((a, b) => a.source.index - b.source.index)
      .map((group, index) => findingOf(group, unit.id, config.target, wire.secrets, index >= mostShownWhole));
    const event = checkEnd(unit, unlessLeftOpen(ending, unit, lane), findings);
    emit(emitted.has(unit.id) ? { ...event, replaces: true } : event);
    emitted.set(unit.id, groups.size);
  };
  const finish = ({ unit, open, durationMs, failure }: Running): void =>
    end(
      unit,
      failure ??
        behindFrame(endingOf(open.outcome, durationMs, unit.endpoint, lane.accepted.has(unit.endpoint)), unit, lane),
    );
  // Emitted anew each time they have doubled, so that the journal stays short whatever the target does.
  const isDue = ({ id }: Unit): boolean => {
    const before = emitted.get(id) ?? 0;
    const { size } = lane.collectorOf(id).groups;
    return size > before && size >= 2 * before;
  };
  return {
    end,
    finish,
    /**
     * Emits the ends of units that went on, and those of the passive checks at some endpoints: where they have many more
     * findings than were emitted, or `always`.
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

/** The ends of the units of a lane, as they are emitted. */
export type LaneEmitter = ReturnType<typeof openLaneEmitter>;

/** Emits the ends of the checks that have come to tell more since it was called last. */
export function emitGained(lane: LaneState, running: readonly Running[], emitter: LaneEmitter): void {
  for (const unit of lane.gained) {
    // What is still to be run tells it when it ends.
    if (lane.units.includes(unit) && !emitter.hasEnded(unit)) continue;
    const own = running.find(one => one.unit.id === unit.id);
    if (own !== undefined) emitter.finish(own);
    else emitter.end(unit, isActive(unit) ? untested('none of its cases was sent') : passiveEnding(unit, lane));
  }
  lane.gained.clear();
}

/** Checks that judge refusals alone. */
const ofRefusals: ReadonlySet<string> = new Set(['refusals', 'disclosure', 'message']);

/** How a passive check ended: by the answers that it saw, or by why there were none; `cut`: what ended the lane early. */
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
  // Where lists were answered and nothing could be judged, they have no items; where other answers were, they lack
  // what the envelope check reports.
  if (context.row.list && isAccepted) {
    const path = context.row.path.replace(/\{[^}]*\}/, context.minimal.param ?? '');
    return untested('the list shows no item that it could judge', { remedy: `give ${path} an item` });
  }
  const blocker = checkOf(isAccepted ? 'envelope' : 'minimal-request').id;
  const blockedBy = frameBlocking(unit, lane) ?? `${unit.endpoint}/${blocker}`;
  return untested('no answer of this endpoint could be judged by it', { blockedBy });
}
