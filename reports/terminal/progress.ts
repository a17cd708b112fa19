import { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { countedVerdict } from '../../contracts/report/verdict.ts';
import type { Output } from '../reporter.ts';

/** How far a run is. */
export interface Progress {
  readonly total: number;
  readonly done: number;
  readonly requests: number;
  readonly failing: number;
}

/** Counts the events of a run. */
export function progressOf(): { add(event: RunEvent): Progress } {
  let strict = false;
  let now: Progress = { total: 0, done: 0, requests: 0, failing: 0 };
  return {
    add(event) {
      if (event.event === 'run-start') {
        strict = event.options.strict;
        now = { ...now, total: now.total + event.plan.length };
      }
      if (event.event === 'check-end')
        now = {
          total: Math.max(now.total, now.done + 1),
          done: now.done + 1,
          requests: now.requests + event.stats.requests,
          failing: now.failing + (countedVerdict(event.verdict, strict) === 'fail' ? 1 : 0),
        };
      return now;
    },
  };
}

/** The requests of a second: how many came since `before`, a moment of the recent past. Times in milliseconds. */
export function currentRate(before: { at: number; requests: number }, now: { at: number; requests: number }): number {
  const milliseconds = now.at - before.at;
  return milliseconds > 0 ? Math.round(((now.requests - before.requests) * 1000) / milliseconds) : 0;
}

/** The live line of a run: drawn over again while the run goes, and gone when it is stopped. */
export function progressBar(out: Output, clock: () => number = () => performance.now()) {
  const counting = progressOf();
  // The bar wants a stream of a terminal; it gets what it needs of one.
  const stream = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        out.write(String(chunk));
        done();
      },
    }),
    { isTTY: true, columns: out.columns ?? 80 },
  );
  const bar = new SingleBar({
    stream,
    format: '{bar} {value}/{total} checks  {requests} requests  {rate}/s  {failing} failing',
    barsize: 20,
    barCompleteChar: '━',
    barIncompleteChar: '─',
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    fps: 10,
  });
  let recent: { at: number; requests: number }[] = [];
  return {
    event(event: RunEvent): void {
      const { total, done, requests, failing } = counting.add(event);
      const at = clock();
      // The rate is that of the last two seconds.
      recent = [...recent.filter(one => one.at > at - 2_000), { at, requests }].slice(-100);
      const shown = { requests, failing, rate: currentRate(recent[0] ?? { at, requests }, { at, requests }) };
      if (event.event === 'run-start') {
        if (bar.isActive) bar.setTotal(total);
        else bar.start(total, done, shown);
      } else if (event.event === 'check-end') {
        bar.setTotal(total);
        bar.update(done, shown);
      }
    },
    stop(): void {
      if (bar.isActive) bar.stop();
    },
  };
}
