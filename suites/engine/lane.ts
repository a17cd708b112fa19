import type { Collection, EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { CheckEnd, RunEvent, Verdict } from '../../contracts/report/journal.ts';
import type { ActiveCheck, Amounts, CheckContext, WatchingCheck } from '../checks/check.ts';
import { isBlockedRequest, plainRequest } from '../target/plain-request.ts';
import { type Casebook, createCasebook, findingOf, signatureOf } from './casebook.ts';
import { type Originals, restorations } from './originals.ts';
import { isOneShot, type Unit } from './plan.ts';
import { RunStopped } from './pulse.ts';
import { openSession, type Wire } from './session.ts';
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
  readonly readOnly: boolean;
  emit(event: RunEvent): void;
}

const noCases = { cases: 0, requests: 0, accepted: 0, refused: 0, durationMs: 0 };

type Ending = Pick<CheckEnd, 'verdict' | 'findings' | 'notExercised' | 'stats'> &
  Partial<Pick<CheckEnd, 'because' | 'remedy' | 'blockedBy'>>;

const untested = (because: string, more: Partial<Ending> = {}): Ending => ({
  verdict: 'untested',
  because,
  findings: [],
  notExercised: [],
  stats: noCases,
  ...more,
});

/**
 * Runs the units of one collection one after another, so that no check disturbs another's subject, then judges what depends on the lane as a whole (the
 * watching checks, and refusals that prove something only because the plain request was accepted), then puts back what can be put back.
 */
export async function runLane(input: LaneInput): Promise<void> {
  const { wire, units, emit } = input;
  const casebooks = new Map<string, Casebook>();
  const casebookOf = (unit: string): Casebook => {
    const known = casebooks.get(unit) ?? createCasebook();
    casebooks.set(unit, known);
    return known;
  };
  const sightings = new Map<string, number>();
  const onSighting = (unit: string) => void sightings.set(unit, (sightings.get(unit) ?? 0) + 1);
  const everyWatcher = [...units, ...input.watchers].filter(unit => unit.check.kind === 'watching');
  const watchingBy = new Map<EndpointId, WatchingCheck[]>();
  for (const unit of everyWatcher) {
    const list = watchingBy.get(unit.endpoint) ?? [];
    if (!list.some(check => check.id === unit.check.id)) list.push(unit.check as WatchingCheck);
    watchingBy.set(unit.endpoint, list);
  }
  const watching = (endpoint: EndpointId) => watchingBy.get(endpoint) ?? [];
  const accepted = new Set<EndpointId>();
  const pending: { unit: Unit; outcome: UnitOutcome; durationMs: number }[] = [];

  const contextOf = (unit: Unit): CheckContext | Ending => {
    const row = endpoints[unit.endpoint];
    const plain = plainRequest(wire.target, input.originals, unit.endpoint);
    if (input.readOnly && row.method !== 'GET') {
      return { ...untested('the run is read-only'), verdict: 'not-applicable' };
    }
    if (unit.check.kind === 'active' && input.readOnly && unit.check.writes(row)) {
      return { ...untested('the run is read-only, and this check sends more than GET'), verdict: 'not-applicable' };
    }
    if (isBlockedRequest(plain)) return untested(plain.because, { remedy: plain.remedy });
    return {
      endpoint: unit.endpoint,
      row,
      target: wire.target,
      learned: input.originals,
      plain,
      amounts: input.amounts,
      token: wire.token,
      oneShot: isOneShot(unit.endpoint),
      readOnly: input.readOnly,
    };
  };

  const end = (unit: Unit, ending: Ending): void => {
    const found = [...(casebooks.get(unit.id)?.grievances.values() ?? [])]
      .sort((a, b) => a.source.index - b.source.index)
      .map(grievance => findingOf(grievance, unit.id, wire.target, wire.secrets));
    const verdict: Verdict = found.some(finding => finding.level === 'MUST')
      ? 'fail'
      : found.length > 0 && ending.verdict !== 'error'
        ? 'warn'
        : ending.verdict;
    const { because, remedy, blockedBy, ...rest } = ending;
    const why = verdict === 'fail' || verdict === 'warn' ? {} : { because, remedy, blockedBy };
    emit({
      event: 'check-end',
      id: unit.id,
      endpoint: unit.endpoint,
      check: unit.check.id,
      level: unit.check.level,
      ...rest,
      ...Object.fromEntries(Object.entries(why).filter(([, text]) => text !== undefined)),
      verdict,
      findings: found,
    });
  };

  const endActive = ({ unit, outcome, durationMs }: (typeof pending)[number]): void => {
    const { cases, requests, accepted: taken, refused, notExercised, because, remedy } = outcome;
    const proved = outcome.proved - (accepted.has(unit.endpoint) ? 0 : outcome.provisional);
    const stats = { cases, requests, accepted: taken, refused, durationMs: Math.round(durationMs) };
    if (proved > 0) return end(unit, { verdict: 'pass', findings: [], notExercised: [...notExercised], stats });
    const reason =
      because[0] ??
      (outcome.proved > 0
        ? 'the plain request of this endpoint was not accepted, so a refusal proves nothing'
        : 'nothing was sent');
    return end(unit, {
      ...untested(reason, { notExercised: [...notExercised], stats }),
      ...(remedy === undefined ? {} : { remedy }),
      ...(outcome.proved > 0 ? { blockedBy: `${unit.endpoint}/accepts` } : {}),
    });
  };

  const ended = new Set<string>();
  try {
    for (const unit of units) {
      if (unit.check.kind !== 'active') continue;
      const context = contextOf(unit);
      if ('verdict' in context) {
        ended.add(unit.id);
        end(unit, context);
        continue;
      }
      emit({ event: 'check-start', id: unit.id });
      const start = performance.now();
      try {
        const outcome = await runUnit({
          id: unit.id,
          check: unit.check as ActiveCheck<never>,
          context,
          wire,
          seed: unitSeed(input.seed, unit.endpoint, unit.check.id),
          concurrency: input.concurrency,
          path: input.path,
          watching,
          casebookOf,
          onSighting,
        });
        const finished = { unit, outcome, durationMs: performance.now() - start };
        if (outcome.accepted > 0) accepted.add(unit.endpoint);
        ended.add(unit.id);
        if (outcome.provisional > 0) pending.push(finished);
        else endActive(finished);
      } catch (error) {
        if (error instanceof RunStopped) throw error;
        ended.add(unit.id);
        end(unit, {
          ...untested(
            `the suite itself failed: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error)}`,
          ),
          verdict: 'error',
        });
      }
    }
    if (input.path === undefined) await exerciseTheUnseen();
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    for (const unit of units) {
      if (unit.check.kind === 'active' && !ended.has(unit.id)) end(unit, untested(error.message));
    }
  }
  pending.forEach(endActive);
  for (const unit of units) {
    if (unit.check.kind === 'watching') endWatching(unit);
  }
  for (const unit of input.watchers) {
    if ((casebooks.get(unit.id)?.grievances.size ?? 0) > 0) endWatching(unit);
  }

  /** Watching checks of an endpoint that nothing called (their own filter left only them) get one plain request to watch. */
  async function exerciseTheUnseen(): Promise<void> {
    const wanting = new Set(
      units.filter(unit => unit.check.kind === 'watching' || isOneShot(unit.endpoint)).map(unit => unit.endpoint),
    );
    for (const endpoint of wanting) {
      if (accepted.has(endpoint)) continue;
      const unit = units.find(one => one.endpoint === endpoint) as Unit;
      const context = contextOf(unit);
      if ('verdict' in context) continue;
      const path = 'plain';
      const session = openSession(wire, `${unit.id}#${path}`, watching);
      const answer = await session.send({ endpoint, param: context.plain.param, body: context.plain.body });
      if (answer.success) accepted.add(endpoint);
      for (const { check, drafts } of session.sightings) {
        const owner = `${endpoint}/${check.id}`;
        onSighting(owner);
        for (const draft of drafts) {
          const description = { title: 'the plain request', pointer: '' };
          casebookOf(owner).add(signatureOf(owner, draft, null), draft, { unit: owner, index: 0, path, description });
        }
      }
    }
  }

  function endWatching(unit: Unit): void {
    const seen = sightings.get(unit.id) ?? 0;
    const stats = { ...noCases, cases: seen };
    if (seen > 0) return end(unit, { verdict: 'pass', findings: [], notExercised: [], stats });
    const context = contextOf(unit);
    if ('verdict' in context) return end(unit, context);
    return end(
      unit,
      untested('no answer of this endpoint could be judged by it', { blockedBy: `${unit.endpoint}/accepts` }),
    );
  }
}

/** Puts back what a collection's checks changed; returns, in words, what could not be. Never throws for the target's sake. */
export async function restoreLane(lane: Collection, wire: Wire, originals: Originals): Promise<string[]> {
  const session = openSession(wire, `restore/${lane}`, () => []);
  const left: string[] = [];
  for (const restore of restorations(wire.target, originals, lane)) {
    const problem = await restore(session);
    if (problem !== null) left.push(problem);
  }
  return left;
}
