interface Waiting {
  count: number;
  work: (() => Promise<void>) | undefined;
  readonly done: Promise<void>;
  /** Settles `done`, with what it is given. */
  readonly open: (outcome: Promise<void> | undefined) => void;
}

function newWaiting(): Waiting {
  let open: Waiting['open'] = () => {};
  const done = new Promise<void>(resolve => {
    open = resolve;
  });
  return { count: 0, work: undefined, done, open };
}

/** Lets so many runs wait for one another, so that all carry out the same phase at the same time. */
export function createPhases(runs: number) {
  let present = runs;
  const phases = new Map<string, Waiting>();
  const open = (waiting: Waiting): void => waiting.open(present === runs ? waiting.work?.() : undefined);
  return {
    /**
     * Waits until every run that has not ended is at this phase; the work is done once, by the last to come, before any
     * goes on: where all runs are there, for it needs each of them. An error of the work is thrown to all.
     */
    meet(phase: string, work?: () => Promise<void>): Promise<void> {
      const waiting = phases.get(phase) ?? newWaiting();
      phases.set(phase, waiting);
      waiting.count += 1;
      waiting.work ??= work;
      if (waiting.count === present) open(waiting);
      return waiting.done;
    },
    /** A run ended: nobody waits for it any more. */
    leave(): void {
      present -= 1;
      for (const waiting of phases.values()) if (waiting.count > 0 && waiting.count === present) open(waiting);
    },
  };
}
