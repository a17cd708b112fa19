import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { memoized } from '../../contracts/memoized.ts';
import { present } from '../../contracts/present.ts';
import type { NotExercised } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { allUnits, isOneShot, type Unit } from '../checks/units.ts';
import { coveredBy } from '../checks/verified-by.ts';
import type { CheckContext, Violation } from '../protocol/check.ts';
import { entryOf } from '../protocol/entries.ts';
import type { LearnedWord, Target, Writable } from '../protocol/sut.ts';
import { keyOf, targetWith } from '../sut/learning/words.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import type { PassiveResult, PassiveUnit } from '../sut/session.ts';
import { amountsFor } from './cases.ts';
import { type Ending, untested } from './ending.ts';
import {
  type AttributedViolation,
  createFindingsCollector,
  type FindingGroup,
  type FindingsCollector,
  type Source,
  sentByRun,
  signatureOf,
} from './findings.ts';
import type { RunState } from './run-state.ts';
import type { Snapshot } from './snapshot.ts';
import type { Told } from './suspected.ts';
import type { Trim } from './trim.ts';

const order: ReadonlyMap<string, number> = new Map(allUnits().map(({ id }, index) => [id, index]));
const laneOf: ReadonlyMap<string, string> = new Map(allUnits().map(({ id, lane }) => [id, lane]));

/**
 * True if a word was refused before a unit was planned: while learning, or to an earlier unit of the same lane. Depends
 * only on the order of the plan, so that a replayed unit is planned as before.
 */
const isRefusedBefore =
  ({ id, lane }: Unit) =>
  ({ refusedBy = [] }: LearnedWord): boolean =>
    refusedBy.some(by => !order.has(by) || (laneOf.get(by) === lane && (order.get(by) ?? 0) < (order.get(id) ?? 0)));

/** Tracks the learned words of one lane: a refusal in one lane does not affect the others. */
function openLaneWords({ config, emit }: RunState, learned: readonly LearnedWord[]) {
  let words = learned;
  /** Units planned with the same words share a target and everything derived from it. */
  const made = new Map<string, Target>();
  const refused = new Map<string, LearnedWord>();
  return {
    /** Returns the target with which a unit is planned. */
    targetFor(unit: Unit): Target {
      const { endpoint } = unit;
      const isRefused = isRefusedBefore(unit);
      const key = JSON.stringify([endpoint, words.filter(isRefused).map(keyOf)]);
      return entryOf(made, key, () => targetWith(config.target, words, endpoint, undefined, isRefused));
    },
    /** Records that the target refused a word. Later units do not use it. */
    noteRefused: (word: LearnedWord): void => void refused.set(keyOf(word), word),
    /** Emits the words that were refused to a unit, once it has ended. */
    settle(unit: Unit): void {
      const keys = [...refused.keys()].sort();
      refused.clear();
      for (const key of keys) {
        const known = words.find(word => keyOf(word) === key);
        if (known === undefined || known.refusedBy?.includes(unit.id) === true) continue;
        const now = { ...known, refusedBy: [...(known.refusedBy ?? []), unit.id] };
        words = words.map(word => (word === known ? now : word));
        made.clear();
        emit({ event: 'learned', ...now });
      }
    },
  };
}

/** The input of a lane. */
export interface LaneInput {
  readonly run: RunState;
  readonly snapshot: Snapshot;
  readonly units: readonly Unit[];
  /** The words learned from the target's answers; absent: none. */
  readonly learned?: readonly LearnedWord[];
  /** Units whose passive checks judge although not selected: a replayed case is judged whole. */
  readonly passiveUnits: readonly Unit[];
  /** Selects which cases of the plans are sent; absent: those of the profile. */
  readonly trim?: Trim;
}

/** The state of a running lane, which its units share. */
export interface LaneState extends LaneInput {
  readonly words: ReturnType<typeof openLaneWords>;
  collectorOf(unit: string): FindingsCollector;
  /** The results of each passive unit. */
  readonly passiveResults: Map<string, Seen>;
  /** The sent cases by the id of their first exchange, each with a function that repeats it. */
  readonly cases: Map<
    string,
    { readonly source: Source; readonly again: () => Promise<{ readonly requests: number }> }
  >;
  /** The number of sightings of a suspicion group when it was last investigated. */
  readonly investigated: Map<string, number>;
  /** Firm suspicions that were not reproduced, or not tried to the end. */
  readonly doubtful: Told[];
  /** Why units proved nothing: a suspicion was not fully investigated. */
  readonly leftOpen: Map<string, string>;
  /** Units that gained findings after their end, see `emitGained`. */
  readonly gained: Set<Unit>;
  /** Endpoints that accepted a request in this run. */
  readonly accepted: Set<EndpointId>;
  readonly passive: (endpoint: EndpointId) => readonly PassiveUnit[];
}

/** The results of a passive unit. */
interface Seen {
  count: number;
  readonly exercised: Set<RequirementId>;
  /** Fields that answers left unshown. */
  readonly unshown: Map<string, NotExercised>;
}

/** Records that a passive check could judge an answer of an endpoint. */
export function notePassiveResult(lane: LaneState, result: PassiveResult): void {
  const { unit, check, endpoint } = result;
  const seen = entryOf(lane.passiveResults, unit, () => ({ count: 0, exercised: new Set(), unshown: new Map() }));
  seen.count += 1;
  for (const requirement of coveredBy(check, endpoint, result)) seen.exercised.add(requirement);
  for (const one of result.notExercised ?? []) seen.unshown.set(one.field, one);
}

/** Returns what no answer showed: an empty page beyond the last hides nothing if others had items. */
export const unshownBy = ({ exercised, unshown }: Seen): NotExercised[] =>
  [...unshown.values()].filter(({ requirements = [] }) => !requirements.some(id => exercised.has(id as RequirementId)));

/** True if a unit judges the requests of others. */
const isPassive = (unit: Unit): unit is Unit & PassiveUnit => unit.check.kind === 'passive';

/** Returns a lane in which no unit has begun. */
export function openLane(input: LaneInput): LaneState {
  const collectors = new Map<string, FindingsCollector>();
  // Looked up at every answer, so grouped once.
  const passive = grouped([...input.units, ...input.passiveUnits].filter(isPassive), ({ endpoint }) => endpoint);
  return {
    ...input,
    words: openLaneWords(input.run, input.learned ?? []),
    collectorOf: unit =>
      entryOf(collectors, unit, () =>
        createFindingsCollector((violation, { description }) =>
          input.run.cells.broke(unit, violation, description.pointer),
        ),
      ),
    passiveResults: new Map(),
    cases: new Map(),
    investigated: new Map(),
    doubtful: [],
    leftOpen: new Map(),
    gained: new Set(),
    accepted: new Set(),
    passive: endpoint => passive.get(endpoint) ?? [],
  };
}

/** Returns the finding groups of some units of a lane. */
export const groupsOf = (lane: Pick<LaneState, 'collectorOf'>, units: readonly Unit[]): readonly FindingGroup[] =>
  units.flatMap(({ id }) => [...lane.collectorOf(id).groups.values()]);

/** Adds to the findings of a unit, which may have ended, a violation that no case of it has judged. */
export function tellOfRun(lane: LaneState, owner: Unit, violation: Violation, source = sentByRun(owner.id)): void {
  lane.collectorOf(owner.id).add(signatureOf(owner.id, violation, null), violation, source);
  lane.gained.add(owner);
}

/** Adds the violations that a case has shown to their owners. */
export function tellOfCase(
  lane: LaneState,
  attributed: readonly AttributedViolation[],
  source: Omit<Source, 'description'>,
): void {
  for (const { owner, signature, violation, about } of attributed)
    lane.collectorOf(owner).add(signature, violation, { ...source, description: about });
}

/** The derived targets, by operation and subject. */
const spared = memoized((_writable: Writable) => memoized((_target: Target) => new Map<string, Target>()));

/**
 * Returns the target without the fields of a fixture that could not be restored; the same object for the same fixture.
 */
function sparing(target: Target, { writable }: Snapshot, endpoint: EndpointId, param: string | undefined): Target {
  if (writable === undefined || writable.triesDry(endpoint, param)) return target;
  return entryOf(spared(writable)(target), `${endpoint} ${param}`, () => ({
    ...target,
    withheld: field => writable.field(endpoint, param, field),
  }));
}

/** Returns a unit's context, or its ending if it cannot run. */
export function contextOf(unit: Unit, { run, snapshot, words }: LaneState): CheckContext | Ending {
  const { endpoint } = unit;
  const { token, settleMs, readOnly, seed } = run.config;
  const target = words.targetFor(unit);
  const row = endpoints[endpoint];
  if (readOnly && row.method !== 'GET') return untested('the run is read-only', { verdict: 'not-applicable' });
  const minimal = minimalRequest(target, snapshot, endpoint);
  if (isBlockedRequest(minimal)) return untested(minimal.because, { remedy: minimal.remedy });
  const blocked = snapshot.writable?.entity(endpoint, minimal.param);
  const { check } = unit;
  const isRead = check.kind === 'active' && check.readsUnwritable === true;
  if (blocked !== undefined && !isRead) return untested(blocked.because, present({ remedy: blocked.remedy }));
  const lost = run.wire.bases.get(endpoint)?.lost;
  // Early refusals prove nothing, neither about faults in the request nor about its key.
  if (lost !== undefined && check.kind === 'active' && check.role !== 'minimal-request') return untested(lost);
  return {
    endpoint,
    row,
    target: sparing(target, snapshot, endpoint, minimal.param),
    discovered: snapshot,
    minimal,
    amounts: amountsFor(run.config),
    token,
    oneShot: isOneShot(endpoint),
    seed,
    settleMs,
    readOnly,
    ...present({ unwritable: blocked }),
  };
}

/** True if `contextOf` returned an ending. */
export const isEnding = (context: CheckContext | Ending): context is Ending => 'verdict' in context;
