/** Watches for a time in which nothing goes on. */
export interface IdleWatch {
  /** Something begins (1), or is over (-1). */
  count(change: 1 | -1): void;
  stop(): void;
}

/**
 * Calls back once when, after something went on, nothing did for so many milliseconds. Before the first thing nobody
 * waits: what sends may be slow to start.
 */
export function createIdleWatch(idleMs: number, onIdle: () => void): IdleWatch {
  let underWay = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    count(change) {
      underWay += change;
      clearTimeout(timer);
      if (underWay > 0 || isOver) return;
      timer = setTimeout(() => {
        isOver = true;
        onIdle();
      }, idleMs);
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
