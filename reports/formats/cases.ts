import type { CheckReport, EndpointReport, Report } from '../../contracts/report/report.ts';
import { causesByCheck } from '../journal/causes.ts';
import { findingText } from '../text/finding-text.ts';
import { symptomOf } from '../text/symptom.ts';

/**
 * Turns a run into suites of test cases, for the test reports of continuous integration. What could not be tested must
 * not look green there: each endpoint has a case for its verdict, and a run that proved nothing has a case that says
 * so.
 */

/** One test case before it is written. `verdict` is our verdict on what it stands for. */
export interface TestCase {
  readonly name: string;
  readonly milliseconds: number;
  readonly outcome: 'pass' | 'failure' | 'error' | 'skipped';
  readonly verdict: string;
  readonly message?: string;
  readonly text?: string;
}

/** The cases of one endpoint, or of the run. */
export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/** The most findings of a case that are written. */
const mostFindings = 10;

/**
 * Returns a suite for each endpoint, with a case for each check. An incomplete endpoint has a case `verdict`, an error:
 * most readers take a suite of skipped cases for green. A run that is not conformant for another reason
 * (it did not come to its end, nothing was to be run) has a suite `run` that says so.
 */
export function testSuites(report: Report): TestSuite[] {
  const ids = causesByCheck(report);
  return [...report.endpoints.map(endpoint => endpointSuite(endpoint, ids)), ...runSuite(report)];
}

function endpointSuite(endpoint: EndpointReport, ids: CauseIds): TestSuite {
  const cases = endpoint.checks.map(check => checkCase(check, ids.get(check.id) ?? []));
  return { name: endpoint.id, cases: [...cases, ...verdictCase(endpoint)] };
}

/** The ids of the causes that a check shows. */
type CauseIds = ReadonlyMap<string, readonly string[]>;

function checkCase(check: CheckReport, ids: readonly string[]): TestCase {
  const known = { name: check.check, milliseconds: check.stats.durationMs, verdict: check.verdict };
  const findings = findingsText(check);
  const because = check.because ?? check.title;
  const reason = check.remedy === undefined ? because : `${because}; ${check.remedy}`;
  switch (check.verdict) {
    case 'pass':
      return { ...known, outcome: 'pass' };
    case 'warn':
      return { ...known, outcome: 'pass', text: `Warning\n${findings}` };
    case 'fail':
      return { ...known, outcome: 'failure', message: failureMessage(check, ids), text: findings };
    case 'error':
      return { ...known, outcome: 'error', message: `fault of the suite: ${because}`, text: findings };
    case 'untested':
      return { ...known, outcome: 'skipped', message: `untested: ${reason}` };
    case 'not-applicable':
      return { ...known, outcome: 'skipped', message: `not applicable: ${reason}` };
  }
}

/** The first findings of a check; `report.json` has the others. */
function findingsText({ findings, moreFindings = 0 }: CheckReport): string {
  const more = Math.max(0, findings.length - mostFindings) + moreFindings;
  const shown = findings.slice(0, mostFindings).map(findingText);
  return [...shown, ...(more > 0 ? [`${more} more in report.json`] : [])].join('\n\n');
}

function failureMessage({ title, findings, moreFindings = 0 }: CheckReport, ids: readonly string[]): string {
  const [first] = findings;
  if (!first) return title;
  const more = findings.length - 1 + moreFindings;
  const id = ids.length === 0 ? '' : `${ids.join(', ')}: `;
  return `${id}${symptomOf(first)} (${first.requirement})${more > 0 ? ` (and ${more} more)` : ''}`;
}

/** The case of an endpoint that is incomplete; what failed has failed in a case of its own. */
function verdictCase({ verdict, checks }: EndpointReport): TestCase[] {
  if (verdict !== 'incomplete') return [];
  const without = checks.filter(check => check.verdict === 'untested' || check.verdict === 'error');
  const text = without.map(check => `${check.check}: ${check.because ?? check.verdict}`).join('\n');
  const message = 'the endpoint is incomplete: not all of it could be tested';
  return [{ name: 'verdict', milliseconds: 0, verdict, outcome: 'error', message, text }];
}

function runSuite({ verdict, outcome, because, endpoints }: Report): TestSuite[] {
  const said = endpoints.some(one => one.verdict === 'incomplete' || one.verdict === 'non-conformant');
  if (verdict === 'conformant' || (said && outcome === 'complete')) return [];
  const reason = outcome === 'complete' ? 'no endpoint was tested' : `the run was not complete: ${outcome}`;
  const message = because === undefined ? reason : `${reason}: ${because}`;
  return [{ name: 'run', cases: [{ name: 'verdict', milliseconds: 0, outcome: 'error', verdict, message }] }];
}
