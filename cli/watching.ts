/** What ends a wait between two runs. */
export type Change = 'restart' | 'key' | 'quit' | 'interrupted';

/** A key that means something: run again, or end. */
export type Key = Exclude<Change, 'restart'>;

/** Keys of a terminal, one after another, without a line end. */
interface Keys {
  /** The next key that means something. */
  readonly pressed: Promise<Key>;
  /** Gives the terminal back. */
  close(): void;
}

/** What a wait looks at. */
export interface Waited {
  /** Why the target does not answer, by one read; null where it answers. Absent: only keys are waited for. */
  readonly look?: (() => Promise<string | null>) | undefined;
  /** True if the target was gone already when the wait began. */
  readonly gone: boolean;
  /** Called once, when a look finds the target gone. */
  readonly onGone?: (why: string) => void;
  readonly keys?: Keys | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds from one look to the next, by the number of looks until then. */
  readonly interval: (looks: number) => number;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Looks at most so often before they become rare: at a loopback target those of some ten minutes. */
const mostOften = 3_000;

/** Returns the milliseconds between looks: short enough to see a server on this machine restart, long for any other. */
export const intervalFor = ({ hostname }: URL) => {
  const isNear = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return (looks: number): number => (looks >= mostOften ? 5_000 : isNear ? 200 : 1_000);
};

/** The change that a key asks for; null for one that asks for nothing, such as an arrow. */
export function keyOf(text: string): Key | null {
  if (text.includes('\u0003')) return 'interrupted';
  if (text === 'q' || text === 'Q' || text === '\u0004') return 'quit';
  return /^[\r\n -~]/.test(text) ? 'key' : null;
}

/** The part of the standard input that is needed. */
export type Input = Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'resume' | 'pause' | 'on' | 'off'>;

/** Reads keys of a terminal until they are closed; undefined where the input is none. */
export function openKeys(input: Input): Keys | undefined {
  if (input.isTTY !== true) return undefined;
  let listen: (data: unknown) => void = () => {};
  const pressed = new Promise<Key>(resolve => {
    listen = data => {
      const key = keyOf(String(data));
      if (key !== null) resolve(key);
    };
  });
  input.setRawMode(true);
  input.on('data', listen);
  input.resume();
  return {
    pressed,
    close() {
      input.off('data', listen);
      input.setRawMode(false);
      input.pause();
    },
  };
}

/**
 * Waits between two runs: until the target was gone and answers again, a key is pressed, or the signal is aborted. Looks
 * one at a time.
 */
export async function nextChange({ look, gone, onGone, keys, signal, interval, pause }: Waited): Promise<Change> {
  const over = new AbortController();
  const aborted = new Promise<Change>(resolve => {
    const onAbort = () => resolve('interrupted');
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true, signal: over.signal });
  });
  async function restarted(see: () => Promise<string | null>): Promise<Change> {
    let wasGone = gone;
    let isTold = false;
    for (let looks = 0; !over.signal.aborted; looks += 1) {
      const why = await see();
      if (why === null && wasGone) break;
      if (why !== null && !isTold) onGone?.(why);
      isTold ||= why !== null;
      wasGone ||= why !== null;
      await pause(interval(looks), over.signal);
    }
    return 'restart';
  }
  try {
    return await Promise.race([
      aborted,
      ...(keys === undefined ? [] : [keys.pressed]),
      ...(look ? [restarted(look)] : []),
    ]);
  } finally {
    over.abort();
  }
}
