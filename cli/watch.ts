import { compact } from '../contracts/present.ts';
import type { Report } from '../contracts/report/report.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { pause } from '../suites/client/deferral.ts';
import { whyNotReady } from '../suites/sut/readiness.ts';
import type { RunFlags } from './definitions/target.ts';
import { UsageError } from './input.ts';
import { onEndingSignal } from './interruption.ts';
import { shown } from './known-secrets.ts';
import { anyRunUnder, lastRunUnder } from './last-run-file.ts';
import { type EndedRun, oneRun } from './one-run.ts';
import { recordedTarget } from './recorded-target.ts';
import { type Change, type Input, intervalFor, nextChange, openKeys } from './watching.ts';
import { errors } from './writer.ts';

/** Longest wait for the answer to a look at the target, in milliseconds. */
const longestLook = 2_000;

/** What a watch is made with; tests replace how runs are made and changes are waited for. */
interface WatchSteps {
  run(flags: RunFlags, last: Report | undefined): Promise<EndedRun>;
  /** Waits for a change after a run; `gone`: the target was not there when it ended. */
  wait(ended: EndedRun, gone: boolean, signal: AbortSignal): Promise<Change>;
  say(text: string): void;
}

const reasons = { restart: 'the target is back', key: 'a key was pressed' } as const;

/**
 * Runs again and again, each time that the wait ends in a restart or a key. With `failed` only what failed goes again,
 * until nothing of it fails any more: then everything once. A run that did not reach its target is waited out. A mistake
 * in a file ends the first run; later it is told, and the next change waited for. Returns the exit code: 130 if it was
 * interrupted, else that of the last run.
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
      const isLeft = last === undefined || last.verdict === 'non-conformant';
      ended = await run({ ...flags, failed: flags.failed === true && isLeft }, last);
      // What did not reach its target says nothing of what failed.
      if (ended.report.outcome !== 'unreachable') last = ended.report;
    } catch (error) {
      if (ended === null || !(error instanceof UsageError)) throw error;
      say(`conform: ${error.message}\n`);
    }
    if (signal.aborted || ended.exitCode === 130) return 130;
    // Where a run says that its target is gone and a look says that it is not, that is believed once.
    const gone: boolean = ended.report.outcome === 'unreachable' && !waitedOut;
    waitedOut = gone;
    const change = await wait(ended, gone, signal);
    if (change === 'interrupted') return 130;
    if (change === 'quit') return ended.exitCode;
    say(`\nAgain: ${reasons[change]}.\n`);
  }
}

/** What is said while a change is waited for. */
function watchingText({ target }: EndedRun, looks: boolean, hasKeys: boolean): string {
  const when = compact([
    looks && `when ${target.baseUrl.href} was gone and is back`,
    hasKeys && 'when a key is pressed',
  ]);
  return `\nWatching: runs again ${when.join(', or ')}. ${hasKeys ? 'q or Ctrl-C ends' : 'Ctrl-C ends'} it.\n`;
}

/** Carries out `run --watch` at a terminal, or without one: then only a restart makes it run again. */
export async function watchCommand(
  flags: RunFlags,
  environment: NodeJS.ProcessEnv,
  given: ReadonlySet<string>,
  input: Input,
): Promise<number> {
  const before = flags.failed === true ? lastRunUnder(flags.out) : anyRunUnder(flags.out);
  const named =
    flags.failed === true && before !== undefined
      ? recordedTarget(before, `the last run under ${flags.out}`, flags)
      : undefined;
  const asked = { ...flags, ...named };
  const isEmbedded = asked.baseUrl === undefined && asked.config === undefined;
  if (isEmbedded && input.isTTY !== true)
    throw new UsageError('--watch waits for a server that restarts, or for a key: name a server with --base-url');
  const controller = new AbortController();
  const unheed = onEndingSignal(() => controller.abort());
  const say = (text: string): void => errors.say(shown(text));
  try {
    return await watch(asked, before, controller.signal, {
      say,
      run: (chosen, last) => oneRun(chosen, environment, { last, given }),
      async wait(ended, gone, signal) {
        const keys = openKeys(input);
        say(watchingText(ended, !isEmbedded, keys !== undefined));
        const look = () => whyNotReady(ended.target, Math.min(flags.timeout, longestLook));
        const onGone = (why: string): void =>
          say(`${ended.target.baseUrl.href} is gone (${safeText(why, 200)}): waiting until it answers again.\n`);
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
