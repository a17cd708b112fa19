import type { EndpointVerdict, Report, RunVerdict, TrafficReport } from '../../contracts/report/report.ts';
import { runVerdict, type SidedCheck, trafficVerdict } from '../../contracts/report/verdict.ts';

/** Returns the verdicts of the client and of the server of recorded traffic. */
const sidesOf = (checks: readonly SidedCheck[]): TrafficReport['sides'] => ({
  client: trafficVerdict(checks.filter(({ side }) => side === 'client')),
  server: trafficVerdict(checks.filter(({ side }) => side !== 'client')),
});

/**
 * Returns the verdict of a run, that for its exit code, and those of the sides of traffic.
 *
 * A run is incomplete if it would conform without one answer that could be judged: the server of such traffic may not
 * have been there. For the exit code of judged traffic, only the sides that may fail it count.
 */
export function verdictsOf(
  endpoints: readonly EndpointVerdict[],
  checks: readonly SidedCheck[],
  { outcome, options: { shard, traffic } }: Pick<Report, 'outcome' | 'options'>,
) {
  const whole = runVerdict(endpoints, outcome, shard !== undefined);
  const sides = sidesOf(checks);
  const { failOn = 'any' } = traffic ?? {};
  const isUnseen = traffic && failOn !== 'client' && sides.server === 'not-applicable';
  const isForgiven = whole === 'non-conformant' && failOn !== 'any' && sides[failOn] !== whole;
  const seen = (verdict: RunVerdict): RunVerdict => (verdict === 'conformant' && isUnseen ? 'incomplete' : verdict);
  return { verdict: seen(whole), forExit: seen(isForgiven ? 'conformant' : whole), sides };
}
