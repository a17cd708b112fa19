/** A place in the queue of a mutex. */
export interface Slot {
  /** True when the slot holds the mutex at once; otherwise `go` is called when it does. */
  take(go: () => void): boolean;
  /** Releases the mutex, or ends the waiting for it. Safe to call at any time, also without a `take`. */
  leave(): void;
}

/**
 * A mutex that one slot at a time holds, in the order of `take`; each call makes a new slot. The next one follows in a
 * later turn of the event loop, when what the one before it brought has been dealt with.
 */
export function createMutex(): () => Slot {
  let holder: Slot | null = null;
  const waiting = new Map<Slot, () => void>();
  function next(): void {
    const first = waiting.entries().next();
    if (holder !== null || first.done === true) return;
    const [slot, go] = first.value;
    waiting.delete(slot);
    holder = slot;
    go();
  }
  return () => {
    const slot: Slot = {
      take(go) {
        if (holder === null && waiting.size === 0) {
          holder = slot;
          return true;
        }
        waiting.set(slot, go);
        return false;
      },
      leave() {
        waiting.delete(slot);
        if (holder !== slot) return;
        holder = null;
        setImmediate(next);
      },
    };
    return slot;
  };
}
