/** Lets two runs wait for one another, so that both carry out the same phase at the same time. */
export interface Phases {
  /**
   * Waits until every run that has not ended is at this phase; the work is done once, by the last to come, before any
   * goes on: where all runs are there, for it needs each of them. An error of the work is thrown to all.
   */
  meet(phase: string, work?: () => Promise<void>): Promise<void>;
  /** A run ended: nobody waits for it any more. */
  leave(): void;
}

interface Waiting {
  count: number;
  work: (() => Promise<void>) | undefined;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function newWaiting(): Waiting {
  let resolve = (): void => undefined;
  let reject = (_error: unknown): void => undefined;
  const done = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { count: 0, work: undefined, done, resolve, reject };
}

/** Phases of so many runs. */
export function createPhases(runs: number): Phases {
  let present = runs;
  const phases = new Map<string, Waiting>();
  const waitingAt = (phase: string): Waiting => {
    const known = phases.get(phase);
    if (known !== undefined) return known;
    const made = newWaiting();
    phases.set(phase, made);
    return made;
  };
  const open = ({ work, resolve, reject }: Waiting): void => {
    const done = present === runs && work !== undefined ? work() : Promise.resolve();
    void done.then(resolve, reject);
  };
  return {
    meet(phase, work) {
      const waiting = waitingAt(phase);
      waiting.count += 1;
      waiting.work ??= work;
      if (waiting.count === present) open(waiting);
      return waiting.done;
    },
    leave() {
      present -= 1;
      for (const waiting of phases.values()) if (waiting.count > 0 && waiting.count === present) open(waiting);
    },
  };
}
