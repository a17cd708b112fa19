import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Collection } from '../../contracts/endpoint.ts';
import { redactions } from '../../contracts/report/evidence.ts';
import type { Profile, RunEnd, RunEvent, RunStart } from '../../contracts/report/journal.ts';
import { tool } from '../../contracts/report/tool.ts';
import { nearMisses } from '../checks/active/authentication.ts';
import type { Amounts } from '../checks/check.ts';
import { createHttpClient } from '../client/client.ts';
import { createSecrets } from '../client/secrets.ts';
import { createNotebook } from '../observations/notebook.ts';
import type { Target } from '../target/world.ts';
import { openAside, showsLife } from './aside.ts';
import { createChanges } from './changes.ts';
import { createEffectiveness } from './effectiveness.ts';
import { runLane } from './lane.ts';
import { createLeftovers } from './leftovers.ts';
import { type Originals, readOriginals } from './originals.ts';
import { allUnits, lanes, plannedCheck, type Selection, select, type Unit } from './plan.ts';
import { preflight } from './preflight.ts';
import { createPulse, RunStopped } from './pulse.ts';
import { restorations, restoreLane, withoutSecrets } from './restore.ts';
import { createWire, openSession } from './session.ts';

/** Everything that decides what a run sends and how. */
export interface RunOptions {
  readonly target: Target;
  readonly embedded: boolean;
  readonly selection: Selection;
  readonly seed: number;
  readonly profile: Profile;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** How long, in milliseconds, what should become visible is waited for; 2 seconds if absent. */
  readonly settleMs?: number;
  readonly rate?: number | undefined;
  readonly readOnly: boolean;
  readonly strict: boolean;
  /** Replays one case; the selection must be exactly one check. */
  readonly path?: string | undefined;
  /** The target file's path, for the commands a report prints. */
  readonly config?: string | undefined;
  /** Marks what the run creates; absent: a random one. */
  readonly token?: string;
  readonly signal?: AbortSignal;
  /** After so many requests nothing more is sent but what puts the target back. */
  readonly maxRequests?: number | undefined;
}

/** How much each profile sends. */
export const amountsOf: Record<Profile, Amounts> = {
  quick: { fuzz: 8, enumerated: 60, walks: 3 },
  standard: { fuzz: 40, enumerated: Number.POSITIVE_INFINITY, walks: 6 },
  thorough: { fuzz: 600, enumerated: Number.POSITIVE_INFINITY, walks: 12 },
};

/** A `--path` that does not go with its selection. */
export class PathNeedsOneCheck extends Error {}

const require = createRequire(import.meta.url);
const versionOf = (name: string): string => (require(`${name}/package.json`) as { version: string }).version;

/** This suite and what its generated values depend on, by version: only the same versions send the same again. */
export const toolVersions = (): RunStart['tool'] => ({
  ...tool,
  node: process.versions.node,
  'fast-check': versionOf('fast-check'),
  faker: versionOf('@faker-js/faker'),
});

function runStart(options: RunOptions, units: readonly Unit[], token: string): RunStart {
  const { target, selection } = options;
  return {
    event: 'run-start',
    version: 1,
    tool: toolVersions(),
    target: { baseUrl: target.baseUrl.href.replace(/\/+$/, ''), embedded: options.embedded },
    seed: options.seed,
    token,
    profile: options.profile,
    options: {
      readOnly: options.readOnly,
      strict: options.strict,
      only: [...selection.only],
      skip: [...selection.skip],
      ...(options.config === undefined ? {} : { config: options.config }),
      ...(options.path === undefined ? {} : { path: options.path }),
      ...(selection.shard === undefined ? {} : { shard: selection.shard }),
    },
    startedAt: new Date().toISOString(),
    plan: units.map(plannedCheck),
  };
}

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
  const pulse = createPulse({
    signal: options.signal,
    maxRequests: options.maxRequests,
    probe: () => {
      beside += 2;
      return showsLife(target, options.timeoutMs);
    },
  });
  const changes = createChanges();
  const leftovers = createLeftovers(token);
  const notebook = createNotebook();
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
    admit: pulse.admit,
    onAnswer: answer => {
      pulse.note(answer);
      leftovers.note(answer);
      changes.note(answer);
      notebook.note(answer);
      effectiveness.note(answer);
    },
  });
  const start = performance.now();
  let cases = 0;
  const tell = (event: RunEvent) => {
    if (event.event === 'check-end') cases += event.stats.cases;
    emit(event);
  };
  const finish = (outcome: RunEnd['outcome'], because?: string) => {
    for (const notice of effectiveness.notices()) tell({ ...notice, text: secrets.redact(notice.text) });
    for (const observation of notebook.all()) {
      tell({ ...observation, subject: secrets.redact(observation.subject), value: secrets.redact(observation.value) });
    }
    for (const left of leftovers.all()) tell(left);
    const durationMs = Math.round(performance.now() - start);
    tell({
      event: 'run-end',
      outcome,
      ...(because === undefined ? {} : { because: secrets.redact(because) }),
      stats: { requests: client.sent() + beside, cases, durationMs },
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
    const originals = await readOriginals(target, session, collections, options.readOnly);
    if (!options.readOnly) {
      for (const lane of collections) {
        for (const original of restorations(target, originals, lane)) tell(withoutSecrets(original, secrets));
      }
    }
    const watchers =
      options.path === undefined
        ? []
        : allUnits().filter(
            unit => unit.endpoint === active[0]?.endpoint && unit.check.kind === 'watching' && !units.includes(unit),
          );
    await Promise.all(
      lanes
        .filter(lane => collections.has(lane))
        .map(lane =>
          runLane({
            lane,
            units: units.filter(unit => unit.lane === lane),
            watchers: watchers.filter(unit => unit.lane === lane),
            wire,
            originals,
            amounts: amountsOf[options.profile],
            seed: options.seed,
            path: options.path,
            concurrency: options.concurrency,
            settleMs: options.settleMs ?? 2_000,
            readOnly: options.readOnly,
            emit: tell,
          }),
        ),
    );
    if (!options.readOnly) await putAllBack(collections, originals);
    end();
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    end();
  } finally {
    await client.close();
  }

  function end(): void {
    const stopped = pulse.stopped();
    if (stopped === null) {
      finish('complete');
      return;
    }
    const { message, remedy } = stopped;
    if (remedy !== undefined) tell({ event: 'notice', severity: 'warning', text: secrets.redact(message), remedy });
    finish(stopped.reason === 'limit' ? 'complete' : stopped.reason, stopped.message);
  }

  /** After an interruption too, and even where the target seemed to be gone: it may have come back. */
  async function putAllBack(collections: ReadonlySet<Collection>, originals: Originals): Promise<void> {
    const aside = openAside(target, options.timeoutMs, wire.gates);
    try {
      for (const lane of lanes.filter(one => collections.has(one))) {
        const { problems, leftBehind } = await restoreLane(lane, aside.wire, originals, changes);
        for (const problem of problems) tell({ event: 'notice', severity: 'warning', text: secrets.redact(problem) });
        for (const left of leftBehind) tell(left);
      }
    } finally {
      beside += aside.sent();
      await aside.close();
    }
  }
}
