interface Waiting {
  count: number;
  work: (() => Promise<void>) | undefined;
  readonly done: Promise<void>;
  /** Settles `done` with the given outcome. */
  readonly open: (outcome: Promise<void> | undefined) => void;
}

function newWaiting(): Waiting {
  let open: Waiting['open'] = () => {};
  const done = new Promise<void>(resolve => {
    open = resolve;
  });
  return { count: 0, work: undefined, done, open };
}

/** Synchronises runs, so that all of them enter a phase at the same time. */
export function createPhases(runs: number) {
  let present = runs;
  const phases = new Map<string, Waiting>();
  const open = (waiting: Waiting): void => waiting.open(present === runs ? waiting.work?.() : undefined);
  return {
    /**
     * Waits until every unfinished run is at this phase. The last to arrive does the work once, before any goes on.
     * Skips the work if a run has ended, because it needs every run. All runs get an error of the work.
     */
    meet(phase: string, work?: () => Promise<void>): Promise<void> {
      const waiting = phases.get(phase) ?? newWaiting();
      phases.set(phase, waiting);
      waiting.count += 1;
      waiting.work ??= work;
      if (waiting.count === present) open(waiting);
      return waiting.done;
    },
    /** Reports that a run has ended: the others no longer wait for it. */
    leave(): void {
      present -= 1;
      for (const waiting of phases.values()) if (waiting.count > 0 && waiting.count === present) open(waiting);
    },
  };
}
