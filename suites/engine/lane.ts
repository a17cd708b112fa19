import type { Collection, EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { ActiveCheck, Amounts, CheckContext, WatchingCheck } from '../checks/check.ts';
import { isBlockedRequest, plainRequest } from '../target/plain-request.ts';
import { type Casebook, createCasebook, findingOf, signatureOf } from './casebook.ts';
import { checkEnd, type Ending, endingOf, noCases, untested } from './ending.ts';
import type { Originals } from './originals.ts';
import { isOneShot, type Unit } from './plan.ts';
import { GivenUp, RunStopped } from './pulse.ts';
import { openSession, type Sighting, type Wire } from './session.ts';
import { runUnit, type UnitOutcome, unitSeed } from './unit.ts';

/** What a lane is run with. */
export interface LaneInput {
  readonly lane: Collection;
  readonly units: readonly Unit[];
  /** Units whose watching checks watch although they were not selected (a replayed case is judged whole). */
  readonly watchers: readonly Unit[];
  readonly wire: Wire;
  readonly originals: Originals;
  readonly amounts: Amounts;
  readonly seed: number;
  readonly path?: string | undefined;
  readonly concurrency: number;
  readonly settleMs: number;
  readonly readOnly: boolean;
  emit(event: RunEvent): void;
}

/** What the units of a lane write down for one another. */
interface Ledger {
  casebookOf(unit: string): Casebook;
  /** Answers that a watching unit could judge. */
  readonly sightings: Map<string, Seen>;
  /** Endpoints that accepted a request in this run. */
  readonly accepted: Set<EndpointId>;
  readonly watching: (endpoint: EndpointId) => readonly WatchingCheck[];
}

/** What a watching unit saw. */
interface Seen {
  count: number;
  readonly exercised: Set<RequirementId>;
}

/** So many answers are looked through for the fields they have; later ones rarely have others. */
const mostLookedThrough = 60;

function noteSighting(ledger: Ledger, unit: string, { check, answer }: Sighting): void {
  const seen = ledger.sightings.get(unit) ?? { count: 0, exercised: new Set() };
  seen.count += 1;
  if (seen.count <= mostLookedThrough) check.shows?.(answer, seen.exercised);
  ledger.sightings.set(unit, seen);
}

/** Of the first findings of a check the evidence is kept whole; of the others its beginning. */
const mostShownWhole = 10;

interface Finished {
  readonly unit: Unit;
  readonly outcome: UnitOutcome;
  readonly durationMs: number;
}

function watchersByEndpoint(units: readonly Unit[]): ReadonlyMap<EndpointId, readonly WatchingCheck[]> {
  const by = new Map<EndpointId, WatchingCheck[]>();
  for (const { check, endpoint } of units) {
    if (check.kind !== 'watching') continue;
    by.set(endpoint, [...(by.get(endpoint) ?? []), check]);
  }
  return by;
}

function openLedger(input: LaneInput): Ledger {
  const casebooks = new Map<string, Casebook>();
  const watchers = watchersByEndpoint([...input.units, ...input.watchers]);
  return {
    casebookOf(unit) {
      const known = casebooks.get(unit) ?? createCasebook();
      casebooks.set(unit, known);
      return known;
    },
    sightings: new Map(),
    accepted: new Set(),
    watching: endpoint => watchers.get(endpoint) ?? [],
  };
}

/** What a unit is planned with, or why it cannot be. */
function contextOf(unit: Unit, input: LaneInput): CheckContext | Ending {
  const { target, token } = input.wire;
  const row = endpoints[unit.endpoint];
  const writes = row.method !== 'GET' || (unit.check.kind === 'active' && unit.check.writes(row));
  if (input.readOnly && writes) return untested('the run is read-only', { verdict: 'not-applicable' });
  const plain = plainRequest(target, input.originals, unit.endpoint);
  if (isBlockedRequest(plain)) return untested(plain.because, { remedy: plain.remedy });
  return {
    endpoint: unit.endpoint,
    row,
    target,
    learned: input.originals,
    plain,
    amounts: input.amounts,
    token,
    oneShot: isOneShot(unit.endpoint),
    settleMs: input.settleMs,
    readOnly: input.readOnly,
  };
}

const isEnding = (context: CheckContext | Ending): context is Ending => 'verdict' in context;

/**
 * Runs the units of one collection one after another, so that no check disturbs another's subject, then judges what depends on the lane as a whole: the
 * watching checks, and refusals that prove something only because the plain request was accepted.
 */
export async function runLane(input: LaneInput): Promise<void> {
  const { units, wire } = input;
  const ledger = openLedger(input);
  const pending: Finished[] = [];
  const ended = new Set<string>();

  const end = (unit: Unit, ending: Ending): void => {
    ended.add(unit.id);
    const findings = [...ledger.casebookOf(unit.id).grievances.values()]
      .sort((a, b) => a.source.index - b.source.index)
      .map((grievance, index) => findingOf(grievance, unit.id, wire.target, wire.secrets, index >= mostShownWhole));
    input.emit(checkEnd(unit, ending, findings));
  };
  const finish = ({ unit, outcome, durationMs }: Finished): void =>
    end(unit, endingOf(outcome, durationMs, unit.endpoint, ledger.accepted.has(unit.endpoint)));

  const active = units.filter(unit => unit.check.kind === 'active');
  try {
    for (const unit of active) {
      const context = contextOf(unit, input);
      if (isEnding(context)) {
        end(unit, context);
        continue;
      }
      const finished = await runActive(unit, context, input, ledger);
      if ('verdict' in finished) end(unit, finished);
      else if (finished.outcome.provisional > 0) pending.push(finished);
      else finish(finished);
    }
    if (input.path === undefined) await exerciseTheUnseen(input, ledger);
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    const waiting = new Set(pending.map(({ unit }) => unit.id));
    for (const unit of active) {
      if (!ended.has(unit.id) && !waiting.has(unit.id)) end(unit, untested(error.message));
    }
  }
  for (const finished of pending) finish(finished);
  for (const unit of units) {
    if (unit.check.kind === 'watching') end(unit, watchedEnding(unit, input, ledger));
  }
  for (const unit of input.watchers) {
    if (ledger.casebookOf(unit.id).grievances.size > 0) end(unit, watchedEnding(unit, input, ledger));
  }
}

/** Runs one active unit. An exception that is not the end of the run is a fault of the suite, and ends this unit only. */
async function runActive(
  unit: Unit,
  context: CheckContext,
  input: LaneInput,
  ledger: Ledger,
): Promise<Finished | Ending> {
  input.emit({ event: 'check-start', id: unit.id });
  const start = performance.now();
  try {
    const outcome = await runUnit({
      id: unit.id,
      check: unit.check as ActiveCheck<never>,
      context,
      wire: input.wire,
      seed: unitSeed(input.seed, unit.endpoint, unit.check.id),
      concurrency: input.concurrency,
      path: input.path,
      watching: ledger.watching,
      casebookOf: ledger.casebookOf,
      onSighting: (watcher, sighting) => noteSighting(ledger, watcher, sighting),
    });
    if (outcome.accepted > 0) ledger.accepted.add(unit.endpoint);
    return { unit, outcome, durationMs: performance.now() - start };
  } catch (error) {
    if (error instanceof RunStopped) throw error;
    if (error instanceof GivenUp) return untested(error.message);
    const trace = (error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error);
    return untested(`the suite itself failed: ${trace}`, { verdict: 'error' });
  }
}

/**
 * Endpoints that accepted nothing yet although somebody waits for it (their own filter left only watching checks, or refusals that need an accepted
 * twin) get one plain request.
 */
async function exerciseTheUnseen(input: LaneInput, ledger: Ledger): Promise<void> {
  const waiting = input.units.filter(unit => unit.check.kind === 'watching' || isOneShot(unit.endpoint));
  for (const endpoint of new Set(waiting.map(unit => unit.endpoint))) {
    if (ledger.accepted.has(endpoint)) continue;
    const unit = waiting.find(one => one.endpoint === endpoint) as Unit;
    const context = contextOf(unit, input);
    if (isEnding(context)) continue;
    const path = 'plain';
    const session = openSession(input.wire, `${unit.id}#${path}`, ledger.watching);
    const answer = await session
      .send({ endpoint, param: context.plain.param, body: context.plain.body })
      .catch((error: unknown) => {
        if (error instanceof GivenUp) return null;
        throw error;
      });
    if (answer === null) continue;
    if (answer.success) ledger.accepted.add(endpoint);
    for (const sighting of session.sightings) {
      const owner = `${endpoint}/${sighting.check.id}`;
      noteSighting(ledger, owner, sighting);
      for (const draft of sighting.drafts) {
        const description = { title: 'the plain request', pointer: '' };
        const source = { unit: owner, index: 0, path, description };
        ledger.casebookOf(owner).add(signatureOf(owner, draft, null), draft, source);
      }
    }
  }
}

function watchedEnding(unit: Unit, input: LaneInput, ledger: Ledger): Ending {
  const seen = ledger.sightings.get(unit.id);
  if (seen !== undefined) {
    const exercised = unit.check.tracks === true ? { exercised: [...seen.exercised].sort() } : {};
    return { verdict: 'pass', notExercised: [], stats: { ...noCases, cases: seen.count }, ...exercised };
  }
  const context = contextOf(unit, input);
  if (isEnding(context)) return context;
  // Where something was accepted and still nothing could be judged, the answers lack the frame that the envelope check reports.
  const blocker = ledger.accepted.has(unit.endpoint) ? 'envelope' : 'accepts';
  return untested('no answer of this endpoint could be judged by it', { blockedBy: `${unit.endpoint}/${blocker}` });
}
