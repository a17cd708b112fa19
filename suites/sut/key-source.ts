import type { KeySource } from '../protocol/sut.ts';

/** A key that never changes. */
export const fixedKey = (key: string): KeySource => ({
  current: () => key,
  watch: listener => listener(key),
  took: () => undefined,
  renew: async () => key,
});

/** A target that refuses a key right after it was asked for is not helped by another; milliseconds. */
const leastBetween = 5_000;

/**
 * Keys that live for a while only. However many requests are refused at once, one new key is asked for; and no other
 * within five seconds. A new key that is refused too, and was never taken, gives way to the one that was: what a run
 * changed has to be put back.
 *
 * @param first the key to begin with
 * @param ask resolves to a new key, or to null where there is none
 */
export function renewableKey(first: string, ask: () => Promise<string | null>): KeySource {
  const listeners: ((key: string) => void)[] = [];
  let key = first;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  let taken: string | null = null;

  function use(next: string): void {
    key = next;
    for (const listener of listeners) listener(key);
  }

  async function askAnew(): Promise<void> {
    askedAt = performance.now();
    const next = await ask();
    asking = null;
    if (next !== null && next !== key) use(next);
  }

  return {
    current: () => key,
    watch(listener) {
      listeners.push(listener);
      listener(key);
    },
    took(used) {
      // What is answered late says nothing of a key that came in between.
      if (used === key) taken = used;
    },
    async renew(refused) {
      if (key === refused && asking === null) {
        if (performance.now() - askedAt >= leastBetween) asking = askAnew();
        else if (taken !== null && taken !== key) use(taken);
      }
      if (asking !== null) await asking;
      return key;
    },
  };
}
