import type { Verdict } from '../../contracts/report/journal.ts';
import type { Report, RunVerdict, TrafficReport } from '../../contracts/report/report.ts';
import { countedRunVerdict, trafficVerdict } from '../../contracts/report/verdict.ts';

/** The fields of a check from which the verdicts of the sides follow. */
interface SidedCheck {
  readonly verdict: Verdict;
  readonly side?: 'client' | 'server' | undefined;
}

/** Returns the verdicts of the client and of the server of recorded traffic. */
export const sidesOf = (checks: readonly SidedCheck[]): TrafficReport['sides'] => ({
  client: trafficVerdict(checks.filter(({ side }) => side === 'client')),
  server: trafficVerdict(checks.filter(({ side }) => side !== 'client')),
});

/**
 * Returns the verdict of a run, incomplete if it would conform without one answer that could be judged: the server of
 * such traffic may not have been there.
 */
export function seenVerdict(
  verdict: RunVerdict,
  checks: readonly SidedCheck[],
  { traffic }: Pick<Report['options'], 'traffic'>,
): RunVerdict {
  const isUnseen = traffic && traffic.failOn !== 'client' && sidesOf(checks).server === 'not-applicable';
  return verdict === 'conformant' && isUnseen ? 'incomplete' : verdict;
}

/** Returns the verdict of a run for its exit code: in judged traffic, of the sides that may fail it. */
export const verdictForExit = (
  verdict: RunVerdict,
  checks: readonly SidedCheck[],
  options: Pick<Report['options'], 'traffic'>,
): RunVerdict => seenVerdict(countedRunVerdict(verdict, checks, options), checks, options);
