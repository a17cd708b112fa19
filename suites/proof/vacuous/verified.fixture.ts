import type { Report } from '../../../contracts/report/report.ts';
import { type NotedRows, readRows } from '../prove/rows.ts';
import { justified } from './justified.fixture.ts';
import { reportOn } from './run.fixture.ts';
import type { VacuousTarget } from './targets.fixture.ts';

/** What is noted of a server that does nothing: the requirements that a standard run verifies there, sorted. */
export interface VerifiedOfNothing {
  readonly verified: readonly string[];
}

/** Where it is noted; `npm run prove -- vacuous` writes it. */
export const verifiedFile = new URL('verified.json', import.meta.url);

/** What is noted of every such server. */
export const verifiedOfNothing = (): NotedRows<VerifiedOfNothing> => readRows<VerifiedOfNothing>(verifiedFile);

/** What is wrong with a report on such a server, a line each: it conforms, or endpoints do of which nobody said why. */
export function problemsOfReport({ id }: VacuousTarget, report: Report): readonly string[] {
  const expected = (justified[id]?.conformant ?? []).map(({ endpoint }) => endpoint);
  const conforming = report.endpoints.filter(({ verdict }) => verdict === 'conformant').map(one => one.id);
  return [
    ...(report.verdict === 'conformant' || report.exitCode === 0 ? ['it conforms'] : []),
    ...conforming.filter(one => !expected.includes(one)).map(one => `${one} conforms`),
    ...expected.filter(one => !conforming.includes(one)).map(one => `${one} does not conform any more`),
  ];
}

/** Measures such a server by the standard profile, to be noted. */
export async function measureVacuous(target: VacuousTarget) {
  const report = await reportOn(target, 'standard');
  const verified = report.requirements.filter(({ verdict }) => verdict === 'verified').map(({ id }) => id);
  return { noted: { verified: verified.sort() }, problems: problemsOfReport(target, report) };
}
