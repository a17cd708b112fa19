/** A place in a queue of which one at a time has its turn. */
export interface Place {
  /** True when it is this one's turn at once; otherwise `go` is called when it is. */
  take(go: () => void): boolean;
  /** Ends the turn, or the waiting for it. Safe to call at any time, also without a `take`. */
  leave(): void;
}

/**
 * A queue of which one at a time has its turn; each call makes a new place. The next one is let go in a later turn of the event loop, so that whatever the
 * one before handed on has been dealt with.
 */
export function createSingleFile(): () => Place {
  let now: Place | null = null;
  const waiting = new Map<Place, () => void>();
  function next(): void {
    const first = waiting.entries().next();
    if (now !== null || first.done === true) return;
    const [place, go] = first.value;
    waiting.delete(place);
    now = place;
    go();
  }
  return () => {
    const place: Place = {
      take(go) {
        if (now === null && waiting.size === 0) {
          now = place;
          return true;
        }
        waiting.set(place, go);
        return false;
      },
      leave() {
        waiting.delete(place);
        if (now !== place) return;
        now = null;
        setImmediate(next);
      },
    };
    return place;
  };
}
