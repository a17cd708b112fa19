import type { CheckEnd, RunEnd, RunEvent } from '../../contracts/report/journal.ts';
import { newestSet, scoredEnd, scoringOf, setNamed } from '../../contracts/requirements/sets.ts';

/** How a check ended, as far as a test needs it. */
export type UnitEnd = Pick<CheckEnd, 'id' | 'level' | 'verdict' | 'findings'> &
  Partial<Pick<CheckEnd, 'because' | 'remedy' | 'blockedBy'>>;

/** Joins a run, which emits events in its own order, to tests, which each wait for one check. */
export interface Bridge {
  /** Takes an event of the run. */
  event(event: RunEvent): void;
  /** Takes the run itself: when it is over, what did not end is untested, or an error where the run failed. */
  follow(run: Promise<void>): void;
  /** How a check ended; waits until it has. */
  end(unit: string): Promise<UnitEnd>;
  /** How the run ended; waits until everything was put back. Rejects when the run itself failed. */
  over(): Promise<RunEnd | undefined>;
  readonly allEnded: () => boolean;
}

/** A bridge for a run of some checks (`endpoint/check`, with their levels). */
export function createBridge(units: readonly Pick<UnitEnd, 'id' | 'level'>[]): Bridge {
  const waiting = new Map(
    units.map(unit => {
      let resolve: (end: UnitEnd) => void = () => {};
      const promise = new Promise<UnitEnd>(done => {
        resolve = done;
      });
      return [unit.id, { ...unit, promise, resolve }] as const;
    }),
  );
  const scoring = scoringOf(setNamed(newestSet));
  const open = new Set(waiting.keys());
  let last: RunEnd | undefined;
  let following: Promise<void> | undefined;

  function endCheck(end: UnitEnd): void {
    waiting.get(end.id)?.resolve(end);
    open.delete(end.id);
  }

  function endTheRest(verdict: 'untested' | 'error', because: string): void {
    for (const id of [...open])
      endCheck({ id, level: waiting.get(id)?.level ?? 'MUST', verdict, findings: [], because });
  }

  return {
    event(event) {
      if (event.event === 'check-end') endCheck(scoredEnd(event, scoring));
      if (event.event === 'run-end') last = event;
    },
    follow(run) {
      following = run.then(
        () => endTheRest('untested', last?.because ?? 'the run ended before it'),
        (error: unknown) => {
          endTheRest('error', error instanceof Error ? error.message : String(error));
          throw error;
        },
      );
      // The rejection is handled by whoever waits for `over`; until then it must not count as unhandled.
      following.catch(() => {});
    },
    async end(unit) {
      const known = waiting.get(unit);
      if (known === undefined) throw new Error(`${unit} is no check of this run`);
      return known.promise;
    },
    async over() {
      await following;
      return last;
    },
    allEnded: () => open.size === 0,
  };
}
