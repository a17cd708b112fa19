import type { CheckReport, EndpointReport, Report } from '../../contracts/report/report.ts';
import { causesByCheck } from '../journal/causes.ts';
import { knownChecks, knownReasons, leftVerdicts } from '../journal/known.ts';
import { findingText } from '../text/finding-text.ts';
import { symptomOf } from '../text/symptom.ts';
import { partText } from '../text/verdict-text.ts';

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
  /** `known` of a failure that the baseline knows. */
  readonly verdict: string;
  readonly message?: string;
  readonly text?: string;
}

/** The cases of one endpoint, or of the run. */
interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/** The most findings of a case that are written. */
const mostFindings = 10;

/**
 * Returns a suite for each endpoint, with a case for each check. An incomplete endpoint has a case `verdict`, an error:
 * most readers take a suite of skipped cases for green. A run that is not conformant for another reason
 * (it did not come to its end, nothing was to be run) has a suite `run` that says so. A check that fails as the baseline
 * knows is skipped, with the reason; an entry that holds no more is a failure of a suite `baseline`.
 */
export function testSuites(report: Report): TestSuite[] {
  const ids = causesByCheck(report);
  const known = knownChecks(report);
  const reasons = knownReasons(report);
  const left = leftVerdicts(report);
  const behind = new Set(report.baseline?.behind);
  const caseOf = (check: CheckReport): TestCase => {
    const reason = known.get(check.id);
    if (reason !== undefined) return { ...checkCase(check, [], reasons), ...knownAs(reason) };
    return checkCase(check, ids.get(check.id) ?? [], reasons);
  };
  const suites = report.endpoints.map((endpoint): TestSuite => {
    const untested = endpoint.checks.filter(({ id }) => !behind.has(id));
    const verdict = left.endpoints.get(endpoint.id) === 'incomplete' ? verdictCase(endpoint, untested) : [];
    return { name: endpoint.id, cases: [...endpoint.checks.map(caseOf), ...verdict] };
  });
  const isSaid = suites.some(({ cases }) => cases.some(({ outcome }) => outcome === 'failure' || outcome === 'error'));
  return [...suites, ...baselineSuite(report), ...runSuite(report, left.run, isSaid)];
}

const knownAs = (reason: string) => ({ outcome: 'skipped', verdict: 'known', message: `known: ${reason}` }) as const;

function checkCase(check: CheckReport, ids: readonly string[], reasons: ReadonlyMap<string, string>): TestCase {
  const known = { name: check.check, milliseconds: check.stats.durationMs, verdict: check.verdict };
  const findings = findingsText(check, reasons);
  const because = check.because ?? check.title;
  const reason = check.remedy === undefined ? because : `${because}; ${check.remedy}`;
  switch (check.verdict) {
    case 'pass':
      return { ...known, outcome: 'pass' };
    case 'warn':
      return { ...known, outcome: 'pass', text: `Warning\n${findings}` };
    case 'fail':
      return { ...known, outcome: 'failure', message: failureMessage(check, ids, reasons), text: findings };
    case 'error':
      return { ...known, outcome: 'error', message: `fault of the suite: ${because}`, text: findings };
    case 'untested':
      return { ...known, outcome: 'skipped', message: `untested: ${reason}` };
    case 'not-applicable':
      return { ...known, outcome: 'skipped', message: `not applicable: ${reason}` };
  }
}

/** The first findings of a check; `report.json` has the others. */
function findingsText(check: CheckReport, reasons: ReadonlyMap<string, string>): string {
  const { moreFindings = 0 } = check;
  const findings = newFirst(check, reasons);
  const more = Math.max(0, findings.length - mostFindings) + moreFindings;
  const shown = findings
    .slice(0, mostFindings)
    .map(({ finding, reason }) => `${reason === undefined ? '' : `Known: ${reason}\n`}${findingText(finding)}`);
  return [...shown, ...(more > 0 ? [`${more} more in report.json`] : [])].join('\n\n');
}

/** The findings of a check with why they may be there: those that the baseline does not know first. */
function newFirst({ id, findings }: CheckReport, reasons: ReadonlyMap<string, string>) {
  const own = findings.map((finding, index) => ({ finding, reason: reasons.get(`${id}#${index + 1}`) }));
  return [...own.filter(({ reason }) => reason === undefined), ...own.filter(({ reason }) => reason !== undefined)];
}

function failureMessage(check: CheckReport, ids: readonly string[], reasons: ReadonlyMap<string, string>): string {
  const { title, findings, moreFindings = 0 } = check;
  const first = newFirst(check, reasons)[0]?.finding;
  if (!first) return title;
  const more = findings.length - 1 + moreFindings;
  const id = ids.length === 0 ? '' : `${ids.join(', ')}: `;
  return `${id}${symptomOf(first)} (${first.requirement})${more > 0 ? ` (and ${more} more)` : ''}`;
}

/** The case of an endpoint that is incomplete; what failed has failed in a case of its own. */
function verdictCase({ verdict }: EndpointReport, checks: readonly CheckReport[]): TestCase[] {
  const without = checks.filter(check => check.verdict === 'untested' || check.verdict === 'error');
  const text = without.map(check => `${check.check}: ${check.because ?? check.verdict}`).join('\n');
  const message = 'the endpoint is incomplete: not all of it could be tested';
  return [{ name: 'verdict', milliseconds: 0, verdict, outcome: 'error', message, text }];
}

/** The entries of the baseline that hold no more. */
function baselineSuite({ baseline }: Report): TestSuite[] {
  if (baseline === undefined || baseline.stale.length === 0) return [];
  const { file, stale } = baseline;
  const cases = stale.map(({ entry, why, place, reason }): TestCase => {
    const message = `stale: it ${why}; remove ${place} of ${file}`;
    return {
      name: entry,
      milliseconds: 0,
      verdict: 'stale',
      outcome: 'failure',
      message,
      text: `its reason was: ${reason}`,
    };
  });
  return [{ name: 'baseline', cases }];
}

function runSuite(report: Report, verdict: Report['verdict'], isSaid: boolean): TestSuite[] {
  const { outcome, because, options } = report;
  if (verdict === 'conformant' || (isSaid && outcome === 'complete')) return [];
  const part =
    options.shard === undefined ? 'no endpoint was tested' : `a part of a run is not all of it${partText(report)}`;
  const reason = outcome === 'complete' ? part : `the run was not complete: ${outcome}`;
  const message = because === undefined ? reason : `${reason}: ${because}`;
  return [{ name: 'run', cases: [{ name: 'verdict', milliseconds: 0, outcome: 'error', verdict, message }] }];
}
