/** Knows which checks have requests under way, so that what several cases wait for can be asked for once. */
export interface UnderWay {
  /** A request of a check is sent. */
  begin(check: string): void;
  /** The answer to a request of a check is there, or none will come. */
  end(check: string): void;
  /** Resolves when no request of the check is under way, and none follows at once. */
  quiet(check: string): Promise<void>;
}

/** Nothing is under way yet. */
export function createUnderWay(): UnderWay {
  const counts = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  /** Whoever got the last answer may go on to send: all that is ready is let happen first. */
  async function resume(check: string): Promise<void> {
    await new Promise<void>(resolve => setImmediate(resolve));
    if ((counts.get(check) ?? 0) > 0) return;
    const resolved = waiting.get(check) ?? [];
    waiting.delete(check);
    for (const resolve of resolved) resolve();
  }

  return {
    begin(check) {
      counts.set(check, (counts.get(check) ?? 0) + 1);
    },
    end(check) {
      const left = (counts.get(check) ?? 1) - 1;
      if (left > 0) counts.set(check, left);
      else counts.delete(check);
      if (left === 0 && waiting.has(check)) void resume(check);
    },
    quiet: check =>
      new Promise(resolve => {
        waiting.set(check, [...(waiting.get(check) ?? []), resolve]);
        if ((counts.get(check) ?? 0) === 0) void resume(check);
      }),
  };
}
