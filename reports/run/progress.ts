import { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { countedVerdict } from '../../contracts/report/verdict.ts';
import type { Output } from '../journal/reporter.ts';
import { counted } from '../text/page.ts';
import { timeText } from '../text/time-text.ts';

/** The progress of a run. */
export interface ProgressState {
  readonly total: number;
  readonly done: number;
  readonly requests: number;
  readonly failing: number;
  /** The latest check to begin among those that have not ended. */
  readonly running?: string | undefined;
  /** Set during extended fuzzing, after the last check: the elapsed time and the cases. */
  readonly extended?: { readonly elapsedMs: number; readonly timeMs: number; readonly cases: number } | undefined;
}

/** Counts the events of a run; `add` returns the state after an event. */
export function progressOf(): { add(event: RunEvent): ProgressState } {
  let strict = false;
  let [total, done, requests] = [0, 0, 0];
  let extended: ProgressState['extended'];
  const failing = new Set<string>();
  const running = new Set<string>();
  return {
    add(event) {
      if (event.event === 'run-start') {
        strict = event.options.strict;
        total += event.plan.length;
      } else if (event.event === 'check-start') running.add(event.id);
      else if (event.event === 'progress') {
        const { elapsedMs, timeMs, extended: cases } = event;
        requests = event.requests;
        if (done >= total) extended = { elapsedMs, timeMs, cases };
      } else if (event.event === 'check-end') {
        running.delete(event.id);
        if (countedVerdict(event.verdict, strict) === 'fail') failing.add(event.id);
        // A replacing end does not count as another check.
        if (!event.replaces) {
          done += 1;
          total = Math.max(total, done);
          requests += event.stats.requests;
        }
      }
      return { total, done, requests, failing: failing.size, running: [...running].at(-1), extended };
    },
  };
}

/** Returns the requests per second between two moments; their times are in milliseconds. */
export function currentRate(before: { at: number; requests: number }, now: { at: number; requests: number }): number {
  const milliseconds = now.at - before.at;
  return milliseconds > 0 ? Math.round(((now.requests - before.requests) * 1000) / milliseconds) : 0;
}

/** Returns how much of a run is done, and of how much; on a narrow display only the share. */
function partOf({ done, total, extended }: ProgressState, isNarrow: boolean) {
  const share = `${Math.floor((100 * done) / Math.max(1, total))} %`;
  if (!extended) return { value: done, of: total, what: isNarrow ? share : `${done}/${total} checks` };
  const { elapsedMs, timeMs, cases } = extended;
  const what = `${timeText(elapsedMs)} of ${timeText(timeMs)}  ${cases} extended cases`;
  return { value: Math.min(elapsedMs, timeMs), of: timeMs, what };
}

/** Returns the estimated remaining time in words, from the time that the done share took; empty at first. */
export function leftText(elapsedMs: number, value: number, of: number): string {
  if (value === 0 || value >= of || elapsedMs < 1_000) return '';
  return `  ${timeText(Math.max(1_000, (elapsedMs / value) * (of - value)))} left`;
}

/** Interval between two progress lines, in milliseconds. */
const quietMs = 30_000;

/**
 * Writes a line on the progress of a run at most every 30 seconds, for a log where no line can be redrawn. Short runs
 * write none.
 */
export function progressLines(write: (text: string) => void, clock: () => number = () => performance.now()) {
  const counting = progressOf();
  const begun = clock();
  let latest = begun;
  return (event: RunEvent): void => {
    const progress = counting.add(event);
    const at = clock();
    if (at < latest + quietMs) return;
    latest = at;
    const { what } = partOf(progress, false);
    const requests = counted(progress.requests, 'request');
    write(`  after ${timeText(at - begun)}: ${what}, ${requests}, ${progress.failing} failing\n`);
  };
}

/** Minimum columns for figures on the line; on a narrower one the current check matters more. */
const roomForFigures = 100;

/** Redraws the live line of a run while the run goes on, and clears it when stopped. */
export function progressBar(out: Output, clock: () => number = () => performance.now()) {
  const counting = progressOf();
  const columns = out.columns ?? 80;
  // The bar needs a stream with these two properties of a terminal.
  const stream = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        out.write(String(chunk));
        done();
      },
    }),
    { isTTY: true, columns },
  );
  const bar = new SingleBar({
    stream,
    format: '{bar} {what}{left}{figures}{failures}{running}',
    barsize: 12,
    barCompleteChar: '━',
    barIncompleteChar: '─',
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const isNarrow = columns < roomForFigures;
  let begun: number | undefined;
  let recent: { at: number; requests: number }[] = [];
  return {
    event(event: RunEvent): void {
      const progress = counting.add(event);
      const { requests, failing } = progress;
      const { value, of, what } = partOf(progress, isNarrow);
      const at = clock();
      // The rate over the last two seconds.
      recent = [...recent.filter(one => one.at > at - 2_000), { at, requests }].slice(-100);
      begun ??= at;
      const rate = currentRate(recent[0] ?? { at, requests }, { at, requests });
      const figures = isNarrow ? '' : `  ${requests} requests  ${rate}/s`;
      const failures = isNarrow && failing === 0 ? '' : `  ${failing} failing`;
      const shown = { what, figures, failures, left: leftText(at - begun, value, of), running: '' };
      // As much of the name as fits: a line that wraps cannot be redrawn.
      const taken = 13 + `${what}${shown.left}${figures}${failures}`.length;
      const room = columns - taken - 3;
      if (progress.running !== undefined && room > 8) shown.running = `  ${progress.running.slice(0, room)}`;
      if (event.event === 'run-start') {
        if (bar.isActive) bar.setTotal(of);
        else bar.start(of, value, shown);
      } else if (['check-start', 'check-end', 'progress'].includes(event.event)) {
        bar.setTotal(of);
        bar.update(value, shown);
      }
    },
    stop(): void {
      if (bar.isActive) bar.stop();
    },
  };
}
