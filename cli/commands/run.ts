import { compact } from '../../contracts/present.ts';
import type { Report } from '../../contracts/report/report.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { pause } from '../../suites/client/deferral.ts';
import { deferred } from '../../suites/protocol/deferred.ts';
import { whyNotReady } from '../../suites/sut/probe-client.ts';
import type { run as definition, RunFlags } from '../definitions/target.ts';
import { givenOf, type Work } from '../flags.ts';
import { refuse, UsageError } from '../input.ts';
import { onEndingSignal } from '../interruption.ts';
import { type EndedRun, oneRun } from '../one-run.ts';
import type { RunContext } from '../prepared-run.ts';
import { anyRunUnder, lastRunUnder } from '../report-file.ts';
import { recordedTarget, withFoundConfig } from '../target.ts';
import { tell } from '../writer.ts';

/** Carries out `run`. Returns the exit code. */
export const command: Work<typeof definition> = async (flags, _, command) => {
  const given = givenOf(command);
  const last = flags.failed ? lastRunUnder(flags.out) : undefined;
  const located = last?.target.embedded ? flags : withFoundConfig(flags);
  if (flags.watch) return watchCommand(located, { last, given }, process.stdin);
  return (await oneRun(located, { last, given })).exitCode;
};

/** The event that ends a wait between two runs. */
export type Change = 'restart' | 'key' | 'quit' | 'interrupted';

/** A key with a meaning: run again, or end. */
export type Key = Exclude<Change, 'restart'>;

/** The conditions of a wait between two runs. */
export interface Waited {
  /** Reads once and returns why the target does not answer; null if it does. Absent: wait for keys only. */
  readonly look?: (() => Promise<string | null>) | undefined;
  /** True if the target was already gone when the wait began. */
  readonly gone: boolean;
  /** Called once, when a look finds the target gone. */
  readonly onGone?: (why: string) => void;
  readonly keys?: ReturnType<typeof openKeys>;
  readonly signal: AbortSignal;
  /** Milliseconds from one look to the next, given the number of looks so far. */
  readonly interval: (looks: number) => number;
  /** Resolves after the given milliseconds, or when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Number of frequent looks before they become rare: some ten minutes' worth at a loopback target. */
const mostOften = 3_000;

/** Returns a function for the milliseconds between looks: short for a server on this machine, longer for any other. */
export const intervalFor = ({ hostname }: URL) => {
  const isNear = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return (looks: number): number => (looks >= mostOften ? 5_000 : isNear ? 200 : 1_000);
};

/** Returns the change that a key asks for; null for a key without a meaning, such as an arrow. */
export function keyOf(text: string): Key | null {
  if (text.includes('\u0003')) return 'interrupted';
  if (text === 'q' || text === 'Q' || text === '\u0004') return 'quit';
  return /^[\r\n -~]/.test(text) ? 'key' : null;
}

/** The part of the standard input that is needed. */
export type Input = Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'resume' | 'pause' | 'on' | 'off'>;

/** Reads keys of a terminal, without a line end, until closed. Returns undefined if the input is not a terminal. */
export function openKeys(input: Input) {
  if (!input.isTTY) return undefined;
  const { promise: pressed, resolve } = deferred<Key>();
  const listen = (data: unknown): void => {
    const key = keyOf(String(data));
    if (key) resolve(key);
  };
  input.setRawMode(true);
  input.on('data', listen);
  input.resume();
  return {
    /** The next key with a meaning. */
    pressed,
    /** Returns the terminal to its normal mode. */
    close() {
      input.off('data', listen);
      input.setRawMode(false);
      input.pause();
    },
  };
}

/**
 * Waits between two runs until a lost target answers again, a key is pressed, or the signal is aborted. Makes one look
 * at a time.
 */
export async function nextChange({ look, gone, onGone, keys, signal, interval, pause }: Waited): Promise<Change> {
  const over = new AbortController();
  const aborted = new Promise<Change>(resolve => {
    const onAbort = () => resolve('interrupted');
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true, signal: over.signal });
  });
  async function restarted(see: () => Promise<string | null>): Promise<Change> {
    let wasGone = gone;
    let isTold = false;
    for (let looks = 0; !over.signal.aborted; looks += 1) {
      const why = await see();
      if (why === null && wasGone) break;
      if (why !== null && !isTold) onGone?.(why);
      isTold ||= why !== null;
      wasGone ||= why !== null;
      await pause(interval(looks), over.signal);
    }
    return 'restart';
  }
  try {
    return await Promise.race([aborted, ...compact([keys?.pressed, look && restarted(look)])]);
  } finally {
    over.abort();
  }
}

/** Longest wait for the answer to a look at the target, in milliseconds. */
const longestLook = 2_000;

/** The steps of a watch; tests replace the run and the wait. */
interface WatchSteps {
  run(flags: RunFlags, last: Report | undefined): Promise<EndedRun>;
  /** Waits for a change after a run; `gone`: the target was unreachable when the run ended. */
  wait(ended: EndedRun, gone: boolean, signal: AbortSignal): Promise<Change>;
  say(text: string): void;
}

const reasons = { restart: 'the target is back', key: 'a key was pressed' } as const;

/**
 * Runs again whenever the wait ends in a restart or a key. With `failed` repeats only what failed until nothing fails,
 * then runs everything once.
 *
 * A run that did not reach its target is followed by a wait. A mistake in a file ends the first run; later it is
 * reported, and the next change awaited. Returns the exit code: 130 if interrupted, else that of the last run.
 */
export async function watch(
  flags: RunFlags,
  before: Report | undefined,
  signal: AbortSignal,
  { run, wait, say }: WatchSteps,
): Promise<number> {
  let last = before;
  let ended: EndedRun | null = null;
  let waitedOut = false;
  for (;;) {
    try {
      const isLeft = !last || last.verdict === 'non-conformant';
      ended = await run({ ...flags, failed: flags.failed && isLeft }, last);
      // A run that did not reach its target shows nothing about what failed.
      if (ended.report.outcome !== 'unreachable') last = ended.report;
    } catch (error) {
      if (!ended || !(error instanceof UsageError)) throw error;
      say(`conform: ${error.message}\n`);
    }
    if (signal.aborted || ended.exitCode === 130) return 130;
    // If a run reports its target gone but a look finds it there, believe the look only once.
    const gone: boolean = ended.report.outcome === 'unreachable' && !waitedOut;
    waitedOut = gone;
    const change = await wait(ended, gone, signal);
    if (change === 'interrupted') return 130;
    if (change === 'quit') return ended.exitCode;
    say(`\nAgain: ${reasons[change]}.\n`);
  }
}

/** Returns the message to show while waiting for a change. */
function watchingText({ target }: EndedRun, looks: boolean, hasKeys: boolean): string {
  const when = compact([
    looks && `when ${target.baseUrl.href} was gone and is back`,
    hasKeys && 'when a key is pressed',
  ]);
  return `\nWatching: runs again ${when.join(', or ')}. ${hasKeys ? 'q or Ctrl-C ends' : 'Ctrl-C ends'} it.\n`;
}

/** Carries out `run --watch`. Without a terminal only a restart triggers another run. */
async function watchCommand(flags: RunFlags, { last: failed, given }: RunContext, input: Input): Promise<number> {
  const named = failed && recordedTarget(failed, `the last run under ${flags.out}`, flags);
  const asked = { ...flags, ...named };
  const isEmbedded = (asked.baseUrl ?? asked.config) === undefined;
  if (isEmbedded && !input.isTTY)
    refuse('--watch waits for a server that restarts, or for a key: name a server with --base-url');
  const controller = new AbortController();
  const unheed = onEndingSignal(() => controller.abort());
  try {
    return await watch(asked, failed ?? anyRunUnder(flags.out), controller.signal, {
      say: tell,
      run: (chosen, last) => oneRun(chosen, { last, given }),
      async wait(ended, gone, signal) {
        const keys = openKeys(input);
        tell(watchingText(ended, !isEmbedded, keys !== undefined));
        const look = () => whyNotReady(ended.target, Math.min(flags.timeout, longestLook));
        const onGone = (why: string): void =>
          tell(`${ended.target.baseUrl.href} is gone (${safeText(why, 200)}): waiting until it answers again.\n`);
        const interval = intervalFor(ended.target.baseUrl);
        try {
          return await nextChange({ look: isEmbedded ? undefined : look, gone, onGone, keys, signal, interval, pause });
        } finally {
          keys?.close();
        }
      },
    });
  } finally {
    unheed();
  }
}
