import { type BehaviourRequest, longestWait } from '../../contracts/behaviour.ts';

/** Returns the n-th pseudorandom number of a seed, uniform in [0, 1). Deterministic. */
export const draw = (seed: number, n: number): number => {
  let bits = Math.imul(seed | 0, 0x9e37_79b1) ^ Math.imul(n + 1, 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb_352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846c_a68b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
};

/** The 95th percentile of the standard normal distribution. */
const p95 = 1.6449;

/** Returns the n-th random latency, in milliseconds. */
export const latencyOf = (latency: NonNullable<BehaviourRequest['latency']>, seed: number, n: number): number => {
  if ('ms' in latency) return latency.ms;
  if ('fromMs' in latency) return latency.fromMs + draw(seed, n) * (latency.toMs - latency.fromMs);
  const { medianMs, p95Ms } = latency;
  if (medianMs === 0) return 0;
  // Box-Muller transform of two uniform draws; 1 - x avoids the logarithm of 0.
  const normal = Math.sqrt(-2 * Math.log(1 - draw(seed, 2 * n))) * Math.cos(2 * Math.PI * draw(seed, 2 * n + 1));
  return Math.min(longestWait, medianMs * Math.exp((Math.log(p95Ms / medianMs) / p95) * normal));
};
