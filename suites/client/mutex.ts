/** A slot in a queue of which one at a time has its turn. */
export interface Slot {
  /** True when it is this one's turn at once; otherwise `go` is called when it is. */
  take(go: () => void): boolean;
  /** Ends the turn, or the waiting for it. Safe to call at any time, also without a `take`. */
  leave(): void;
}

/**
 * A queue of which one at a time has its turn; each call makes a new slot. The next one is let go in a later turn of the event loop, so that whatever the
 * one before handed on has been dealt with.
 */
export function createMutex(): () => Slot {
  let now: Slot | null = null;
  const waiting = new Map<Slot, () => void>();
  function next(): void {
    const first = waiting.entries().next();
    if (now !== null || first.done === true) return;
    const [slot, go] = first.value;
    waiting.delete(slot);
    now = slot;
    go();
  }
  return () => {
    const slot: Slot = {
      take(go) {
        if (now === null && waiting.size === 0) {
          now = slot;
          return true;
        }
        waiting.set(slot, go);
        return false;
      },
      leave() {
        waiting.delete(slot);
        if (now !== slot) return;
        now = null;
        setImmediate(next);
      },
    };
    return slot;
  };
}
