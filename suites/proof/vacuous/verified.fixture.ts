import type { Report } from '../../../contracts/report/report.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import { justified } from './justified.fixture.ts';
import { reportOn } from './run.fixture.ts';
import type { VacuousTarget } from './targets.fixture.ts';

/** The noted result for a vacuous server: the requirements that a standard run verifies, sorted. */
export interface VerifiedOfNothing {
  readonly verified: readonly string[];
}

/** The file of the results; `npm run prove -- vacuous` writes it. */
export const verifiedFile = new URL('verified.json', import.meta.url);

/** Returns the noted results of all vacuous servers. */
export const verifiedOfNothing = (): NotedRows<VerifiedOfNothing> => readRows<VerifiedOfNothing>(verifiedFile);

/**
 * Returns the problems of a report on such a server, one line each: it conforms, or endpoints conform without a reason.
 */
export function problemsOfReport({ id }: VacuousTarget, report: Report): readonly string[] {
  const expected = (justified[id]?.conformant ?? []).map(({ endpoint }) => endpoint);
  const conforming = report.endpoints.filter(({ verdict }) => verdict === 'conformant').map(one => one.id);
  return [
    ...(report.verdict === 'conformant' || report.exitCode === 0 ? ['it conforms'] : []),
    ...conforming.filter(one => !expected.includes(one)).map(one => `${one} conforms`),
    ...expected.filter(one => !conforming.includes(one)).map(one => `${one} does not conform any more`),
  ];
}

/** Measures such a server by the standard profile and returns the results to note. */
export async function measureVacuous(target: VacuousTarget) {
  const report = await reportOn(target, 'standard');
  const verified = report.requirements.filter(({ verdict }) => verdict === 'verified').map(({ id }) => id);
  return { noted: { verified: verified.sort() }, problems: problemsOfReport(target, report) };
}
