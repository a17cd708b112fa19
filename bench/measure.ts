import { performance } from 'node:perf_hooks';

/** Number of interleaved pairs for the median of a ratio. */
export const pairs = 7;

/** Returns the median; for an even count, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [
    sorted[sorted.length % 2 === 1 ? middle : middle - 1] ?? Number.NaN,
    sorted[middle] ?? Number.NaN,
  ];
  return (low + high) / 2;
}

/** Returns the smallest value that a percentage of the values do not exceed (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns the milliseconds that some work takes. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Converts a count in a number of milliseconds to a count per second. */
export const perSecond = (count: number, milliseconds: number): number => (count / milliseconds) * 1000;

/** Formats milliseconds as seconds. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Two measurements and the ratio of the first to the second, pair by pair. */
interface Compared {
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly turns: number;
}

/**
 * Measures two things alternately, so that other load on the machine affects both; they take turns in going first. The
 * first pair only warms up and is discarded.
 */
export async function compared(
  first: () => Promise<number>,
  second: () => Promise<number>,
  turns = pairs,
): Promise<Compared> {
  const measured: [number, number][] = [];
  for (let pair = 0; pair <= turns; pair += 1) {
    let values: [number, number];
    if (pair % 2 === 0) {
      const one = await first();
      values = [one, await second()];
    } else {
      const two = await second();
      values = [await first(), two];
    }
    if (pair > 0) measured.push(values);
  }
  const ratios = measured.map(([one, two]) => one / two);
  return {
    first: median(measured.map(([one]) => one)),
    second: median(measured.map(([, two]) => two)),
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
    turns,
  };
}

/** Returns a ratio with its spread, in a line. */
export const inLine = ({ ratio, lowest, highest, turns }: Compared): string =>
  `${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}, median of ${turns} interleaved pairs)`;
