import { performance } from 'node:perf_hooks';

/** How many interleaved pairs a ratio is the median of. */
export const pairs = 7;

/** The middle of some numbers; of an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [
    sorted[sorted.length % 2 === 1 ? middle : middle - 1] ?? Number.NaN,
    sorted[middle] ?? Number.NaN,
  ];
  return (low + high) / 2;
}

/** The smallest of some numbers that so many percent of them do not exceed (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Milliseconds that some work takes. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A count in so many milliseconds, as a count per second. */
export const perSecond = (count: number, milliseconds: number): number => (count / milliseconds) * 1000;

/** Milliseconds as seconds, in words. */
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
 * Measures two things in turn, so that other load on the machine affects both; which one goes first alternates. A first
 * pair, which warms both up, is discarded.
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

/** A ratio with its spread, in a line. */
export const inLine = ({ ratio, lowest, highest, turns }: Compared): string =>
  `${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}, median of ${turns} interleaved pairs)`;
