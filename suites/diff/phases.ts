import { type Deferred, deferred } from '../protocol/deferred.ts';
import { entryOf } from '../protocol/entries.ts';

interface Waiting {
  count: number;
  work?: (() => Promise<void>) | undefined;
  readonly done: Deferred<void>;
}

/** Synchronises runs, so that all of them enter a phase at the same time. */
export function createPhases(runs: number) {
  let present = runs;
  const phases = new Map<string, Waiting>();
  const open = ({ done, work }: Waiting): void => done.resolve(present === runs ? work?.() : undefined);
  return {
    /**
     * Waits until every unfinished run is at this phase. The last to arrive does the work once, before any goes on.
     * Skips the work if a run has ended, because it needs every run. All runs get an error of the work.
     */
    meet(phase: string, work?: () => Promise<void>): Promise<void> {
      const waiting = entryOf(phases, phase, (): Waiting => ({ count: 0, done: deferred() }));
      waiting.count += 1;
      waiting.work ??= work;
      if (waiting.count === present) open(waiting);
      return waiting.done.promise;
    },
    /** Reports that a run has ended: the others no longer wait for it. */
    leave(): void {
      present -= 1;
      for (const waiting of phases.values()) if (waiting.count > 0 && waiting.count === present) open(waiting);
    },
  };
}
