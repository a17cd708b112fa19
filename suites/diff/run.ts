import { present } from '../../contracts/present.ts';
import type { Shown } from '../../contracts/redaction/shown.ts';
import type { Comparison } from '../../contracts/report/difference.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { pause } from '../client/deferral.ts';
import { newToken, type RunOptions, type RunWatch, runDefaults } from '../engine/config.ts';
import { run } from '../engine/run.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { answerOrNull, RunStopped, unlessGivenUp } from '../protocol/stop.ts';
import type { Target } from '../protocol/sut.ts';
import { createEventually } from '../state/eventually.ts';
import { readGate } from '../state/reading.ts';
import { openSession } from '../sut/session.ts';
import { compareSides, type RunsOfSide } from './explain/compare-sides.ts';
import { createPhases } from './phases.ts';
import { createRecorder, type Recorder } from './record/recorder.ts';
import type { Recording } from './record/recording.ts';
import { type LiveSide, placeKey, type Shrunk, shrinkExamples } from './shrink.ts';

/** A server to compare. */
export interface DiffServer {
  readonly target: Target;
  /** Receives every event of its runs: `run` counts from 1 for the runs that look for noise, and is 0 for the last. */
  emit(event: Shown<RunEvent>, run: number): void;
  /** The path of its target file, for the commands in a report. */
  readonly config?: string | undefined;
}

/** The options of a comparison. Durations are in milliseconds. */
export interface DiffOptions {
  /** A server, or the recording of one of its runs. */
  readonly a: DiffServer | Recording;
  readonly b: DiffServer;
  /** The options of both runs; the comparison itself sets target, token and watch. */
  readonly run: Omit<RunOptions, 'target' | 'token' | 'config' | 'journal' | 'path' | 'timeMs' | 'learned'>;
  /** Number of runs in which each server is compared with itself first. */
  readonly noiseRuns: number;
  /** True if both were reset or seeded alike: values from before the run are then compared in full. */
  readonly sameStart: boolean;
  /** Called with the current phase, for display: "A and B, to see what differs from itself (1 of 1)". */
  readonly onPhase?: (what: string) => void;
}

/** How the last run of one side ended. */
export type DiffSideOutcome = Pick<Recording, 'outcome' | 'because' | 'requests'>;

/** The result of a comparison. */
export interface DiffOutcome {
  readonly comparison: Comparison;
  readonly a: DiffSideOutcome;
  readonly b: DiffSideOutcome;
}

/** Thrown if two addresses lead to one server or store: a write at one shows at the other. */
export class OneBackend extends Error {}

const isRecording = (side: DiffServer | Recording): side is Recording => 'exchanges' in side;

/** Returns a writable gate that both sides have, and whether both show the same state of it. */
function commonGate(a: Snapshot, b: Snapshot): { id: string; description: string; isAlike: boolean } | undefined {
  for (const [id, gate] of a.gates ?? []) {
    const other = b.gates?.get(id);
    const isWritable =
      !a.writable?.entity('patch-gate', id) && a.writable?.field('patch-gate', id, 'description') === undefined;
    const { description } = gate;
    if (other && isWritable && typeof description === 'string')
      return { id, description, isAlike: other.lastModifiedTime === gate.lastModifiedTime };
  }
  return undefined;
}

/**
 * Returns whether two addresses share one server or store: a write to a gate at A shows at B. Restores the gate at
 * once; if that fails, the run of A restores it at its end. False if the sides have no gate in common.
 */
async function haveOneBackend(a: LiveSide, b: LiveSide): Promise<boolean> {
  const gate = commonGate(a.snapshot, b.snapshot);
  if (!gate || a.run.config.readOnly) return false;
  const { token, settleMs } = a.run.config;
  const mark = `written to one address by conform_${token}, to see whether it shows at the other`;
  const writing = openSession(a.run.wire, 'one-backend');
  const reading = openSession(b.run.wire, 'one-backend');
  const write = (description: string) =>
    answerOrNull(writing, { endpoint: 'patch-gate', param: gate.id, body: { description } });
  if (!(await write(mark))?.success) return false;
  // If both gates began alike, B may be a replica that lags behind A.
  const seen = await unlessGivenUp(
    createEventually(gate.isAlike ? settleMs : 0)(
      () => readGate(reading, gate.id),
      ({ entity }) => entity?.description === mark,
    ),
    null,
  );
  await write(gate.description);
  return seen?.entity?.description === mark;
}

/** A side with its run under way; `ready` once it is about to write. */
interface RunningSide {
  readonly server: DiffServer;
  readonly token: string;
  readonly recorder: Recorder;
  ready?: LiveSide;
}

const oneBackend = 'both addresses have one backend behind them: what is written to one shows at the other';

/** Runs every server once, in step. Returns the recordings. */
async function runBoth(
  servers: readonly DiffServer[],
  number: number,
  { run: options, noiseRuns }: DiffOptions,
  beforeRestore: (sides: readonly RunningSide[]) => Promise<void> = async () => {},
): Promise<Recording[]> {
  const phases = createPhases(servers.length);
  let shared = false;
  const meetAtLanes = async (): Promise<void> => {
    const [a, b] = sides.map(({ ready }) => ready);
    if (!a || !b) return;
    shared ||= await haveOneBackend(a, b);
    if (shared) throw new RunStopped('limit', oneBackend);
  };
  const sides = servers.map(
    (server): RunningSide => ({ server, token: newToken(), recorder: createRecorder(server.target) }),
  );
  const enough = (): string | null => (shared ? oneBackend : (options.enough?.() ?? null));
  await Promise.all(
    sides.map(async side => {
      const { server, token, recorder } = side;
      const others = sides.filter(one => one !== side).map(one => `conform_${one.token}`);
      const emit = (event: Shown<RunEvent>): void => {
        recorder.event(event);
        server.emit(event, number);
      };
      const watch: RunWatch = {
        ...recorder.watch,
        // Each side waits for the others before its first write and before it restores the snapshot.
        beforeLanes(run, snapshot) {
          side.ready = { run, snapshot, asked: recorder.asked };
          return phases.meet('lanes', meetAtLanes);
        },
        beforeRestore: () => phases.meet('restore', () => beforeRestore(sides)),
        answer(answer) {
          const { body } = answer.reply;
          // Leftovers of earlier runs have another token.
          shared ||= body.kind === 'json' && others.some(other => body.text.includes(other));
          recorder.watch.answer(answer);
        },
      };
      const target = withSharedLimits(server.target, noiseRuns);
      await run({ ...options, target, config: server.config, token, watch, enough }, emit).finally(phases.leave);
    }),
  );
  if (shared) throw new OneBackend(oneBackend);
  return sides.map(({ recorder }) => recorder.recording());
}

/** Divides the limits of the target file among all runs, because they hold for all of them together. */
function withSharedLimits(target: Target, noiseRuns: number): Target {
  const { limits } = target;
  if (!limits || noiseRuns === 0) return target;
  const shared = Object.entries(limits).map(([name, most]) => [
    name,
    Math.max(1, Math.floor(Number(most) / (noiseRuns + 1))),
  ]);
  const value = Object.fromEntries(shared);
  // Copy descriptors, not values, so that getters stay live: a key may be renewed during the run.
  const members = { ...Object.getOwnPropertyDescriptors(target), limits: { value, enumerable: true } };
  return Object.defineProperties({}, members) as Target;
}

const endOf = ({ outcome, because, requests }: Recording): DiffSideOutcome => present({ outcome, requests, because });

/**
 * Compares two servers: first each with itself, then both with one another, in step. Throws `OneBackend` if both are
 * one server, and everything that `run` throws.
 */
export async function diff(options: DiffOptions): Promise<DiffOutcome> {
  const { a, b, noiseRuns, sameStart, onPhase } = options;
  const servers = isRecording(a) ? [b] : [a, b];
  const who = isRecording(a) ? 'B' : 'A and B';
  const earlier: Recording[][] = [];
  // Replicas may still show values from before the restore, which the next run would take as its snapshot.
  const settled = async (): Promise<void> => {
    const { settleMs = runDefaults.settleMs, readOnly = runDefaults.readOnly, signal } = options.run;
    if (earlier.length === 0 || readOnly || settleMs === 0) return;
    onPhase?.('waiting until what was put back shows everywhere');
    await pause(settleMs, signal);
  };
  for (let number = 1; number <= noiseRuns; number += 1) {
    await settled();
    onPhase?.(`${who}, to see what differs from itself (${number} of ${noiseRuns})`);
    const recordings = await runBoth(servers, number, options);
    earlier.push(recordings);
    if (recordings.some(({ outcome }) => outcome !== 'complete')) break;
  }
  const noiseOf = (index: number): Recording[] => earlier.flatMap(one => one[index] ?? []);
  const runsOf = (last: readonly Recording[]): readonly [RunsOfSide, RunsOfSide] => {
    const [first, second = first] = last as readonly [Recording, Recording?];
    const runs: RunsOfSide = [first, ...noiseOf(0)];
    return isRecording(a) ? [[a], runs] : [runs, [second, ...noiseOf(1)]];
  };
  const hasEnded = earlier.flat().every(({ outcome }) => outcome === 'complete');
  let shrunk: Shrunk = new Map();
  let last = earlier.at(-1) ?? [];
  if (hasEnded) {
    await settled();
    onPhase?.(isRecording(a) ? 'B, against the recording' : 'A and B, against one another');
    last = await runBoth(servers, 0, options, async sides => {
      const [liveA, liveB] = sides.map(({ ready }) => ready);
      if (!liveA || !liveB) return;
      const now = runsOf(sides.map(({ recorder }) => recorder.recording()));
      const { found, until } = compareSides(...now, sameStart);
      onPhase?.('the smallest sequences that show the differences');
      shrunk = await shrinkExamples(found, until, { a: liveA, b: liveB });
    });
  }
  const [runsOfA, runsOfB] = runsOf(last);
  const { comparison, found } = compareSides(runsOfA, runsOfB, sameStart);
  const places = found.map(({ place }) => ({ ...place, example: shrunk.get(placeKey(place)) ?? place.example }));
  return { comparison: { ...comparison, places }, a: endOf(runsOfA[0]), b: endOf(runsOfB[0]) };
}
