import { randomBytes } from 'node:crypto';
import type { Collection } from '../../contracts/endpoint.ts';
import { redactions } from '../../contracts/report/evidence.ts';
import type { RunEnd, RunEvent } from '../../contracts/report/journal.ts';
import { allUnits, lanes } from '../checks/units.ts';
import { createHttpClient } from '../client/client.ts';
import { createSecrets } from '../client/secrets.ts';
import { createObservations } from '../observations/observations.ts';
import { RunStopped } from '../protocol/stop.ts';
import { nearMisses } from '../sut/near-miss-keys.ts';
import { isAlive, openProbeClient } from '../sut/probe-client.ts';
import { createWire, openSession } from '../sut/session.ts';
import { amountsOf, wholeAmountsOf } from './amounts.ts';
import { createChanges } from './changes.ts';
import { createEffectiveness } from './effectiveness.ts';
import { createHealthMonitor } from './health-monitor.ts';
import { runLane } from './lane.ts';
import { select } from './plan.ts';
import { preflight } from './preflight.ts';
import { createResidue } from './residue.ts';
import { restorations, restoreLane, withoutSecrets } from './restore.ts';
import type { RunOptions } from './run-options.ts';
import { runStart } from './run-start.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** A `--path` that does not go with its selection. */
export class PathNeedsOneCheck extends Error {}

/** Told where time was left over that nothing could be done with. */
const nothingToExtend = {
  event: 'notice',
  severity: 'info',
  text: 'The checks that were run have no random cases to go on with, so the run ended before its --time was up.',
} as const;

/**
 * Runs the selected checks against a target and tells every step as an event, synchronously and in order. Throws `NothingSelected` and
 * `PathNeedsOneCheck` for a selection that cannot be run; whatever the target does ends as a verdict, never as an exception.
 */
export async function run(options: RunOptions, emit: (event: RunEvent) => void): Promise<void> {
  const { target } = options;
  const units = select(options.selection);
  const active = units.filter(unit => unit.check.kind === 'active');
  if (options.path !== undefined && active.length !== 1) {
    throw new PathNeedsOneCheck(`--path replays one case of one check, and the selection holds ${active.length}`);
  }
  const token = options.token ?? randomBytes(4).toString('hex');
  const secrets = createSecrets();
  secrets.add(target.apiKey, redactions.key);
  for (const [secret, mark] of nearMisses(target.apiKey)) secrets.add(secret, mark);
  let beside = 0;
  const health = createHealthMonitor({
    signal: options.signal,
    maxRequests: options.maxRequests,
    probe: () => {
      beside += 2;
      return isAlive(target, options.timeoutMs);
    },
  });
  const changes = createChanges();
  const residue = createResidue(token);
  const observations = createObservations();
  const effectiveness = createEffectiveness(target);
  const client = createHttpClient({
    baseUrl: target.baseUrl,
    timeoutMs: options.timeoutMs,
    connections: options.concurrency,
    rate: options.rate,
    signal: options.signal,
  });
  const wire = createWire({
    client,
    target,
    secrets,
    token,
    admit: health.admit,
    onAnswer: answer => {
      health.note(answer);
      residue.note(answer);
      changes.note(answer);
      observations.note(answer);
      effectiveness.note(answer);
    },
  });
  const clock = options.clock ?? (() => performance.now());
  const start = clock();
  const deadline = start + (options.timeMs ?? Number.POSITIVE_INFINITY);
  const isTimeUp = () => clock() >= deadline;
  const cases = new Map<string, number>();
  let extended = 0;
  const tell = (event: RunEvent) => {
    if (event.event === 'check-end') cases.set(event.id, event.stats.cases);
    emit(event);
  };
  const finish = (outcome: RunEnd['outcome'], because?: string) => {
    for (const notice of effectiveness.notices()) tell({ ...notice, text: secrets.redact(notice.text) });
    for (const observation of observations.all()) {
      tell({ ...observation, subject: secrets.redact(observation.subject), value: secrets.redact(observation.value) });
    }
    for (const left of residue.all()) tell(left);
    const durationMs = Math.round(clock() - start);
    const tried = [...cases.values()].reduce((sum, count) => sum + count, 0);
    tell({
      event: 'run-end',
      outcome,
      ...(because === undefined ? {} : { because: secrets.redact(because) }),
      stats: {
        requests: client.sent() + beside,
        cases: tried,
        ...(options.timeMs === undefined ? {} : { extended }),
        durationMs,
      },
    });
  };
  tell(runStart(options, units, token));
  try {
    const session = openSession(wire, 'preflight', () => []);
    const hopeless = await preflight(target, session, options.readOnly);
    if (hopeless !== null) {
      if (hopeless.notice !== undefined) tell(hopeless.notice);
      return finish(hopeless.outcome, hopeless.because);
    }
    const collections = new Set<Collection>(units.map(unit => unit.lane));
    const snapshot = await takeSnapshot(target, session, collections, options.readOnly);
    if (!options.readOnly) {
      for (const lane of collections) {
        for (const original of restorations(target, snapshot, lane)) tell(withoutSecrets(original, secrets));
      }
    }
    const passiveUnits =
      options.path === undefined
        ? []
        : allUnits().filter(
            unit => unit.endpoint === active[0]?.endpoint && unit.check.kind === 'passive' && !units.includes(unit),
          );
    const { timeMs } = options;
    // A path may name a case that only a run with time has sent.
    const isAll = timeMs !== undefined || options.path !== undefined;
    const cuts = await Promise.all(
      lanes
        .filter(lane => collections.has(lane))
        .map(lane =>
          runLane({
            lane,
            units: units.filter(unit => unit.lane === lane),
            passiveUnits: passiveUnits.filter(unit => unit.lane === lane),
            wire,
            snapshot,
            amounts: isAll ? wholeAmountsOf(options.profile) : amountsOf[options.profile],
            seed: options.seed,
            path: options.path,
            concurrency: options.concurrency,
            settleMs: options.settleMs ?? 2_000,
            readOnly: options.readOnly,
            isTimeUp,
            onExtended:
              timeMs === undefined
                ? null
                : count => {
                    extended += count;
                    const elapsedMs = Math.round(clock() - start);
                    tell({ event: 'progress', requests: client.sent() + beside, extended, elapsedMs, timeMs });
                  },
            emit: tell,
          }),
        ),
    );
    if (!options.readOnly) await putAllBack(collections, snapshot);
    end(cuts.find(cut => cut !== null) ?? null);
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    end(error);
  } finally {
    await client.close();
  }

  /** `cut`: what kept the run from carrying out its plan. A limit that only ended what goes beyond the plan is none. */
  function end(cut: RunStopped | null): void {
    const stopped = health.stopped();
    const why = stopped === null || stopped.reason === 'limit' ? cut : stopped;
    if (why === null) {
      if (options.timeMs !== undefined && extended === 0 && stopped === null && !isTimeUp()) tell(nothingToExtend);
      finish('complete');
      return;
    }
    const { message, remedy, reason } = why;
    if (remedy !== undefined) tell({ event: 'notice', severity: 'warning', text: secrets.redact(message), remedy });
    finish(reason === 'limit' ? 'complete' : reason, message);
  }

  /** After an interruption too, and even where the target seemed to be gone: it may have come back. */
  async function putAllBack(collections: ReadonlySet<Collection>, snapshot: Snapshot): Promise<void> {
    const probe = openProbeClient(target, { timeoutMs: options.timeoutMs, rate: options.rate, gates: wire.gates });
    try {
      for (const lane of lanes.filter(one => collections.has(one))) {
        const { problems, leftBehind } = await restoreLane(lane, probe.wire, snapshot, changes);
        for (const problem of problems) tell({ event: 'notice', severity: 'warning', text: secrets.redact(problem) });
        for (const left of leftBehind) tell(left);
      }
    } finally {
      beside += probe.sent();
      await probe.close();
    }
  }
}
