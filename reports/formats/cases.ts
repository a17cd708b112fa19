import { compact } from '../../contracts/present.ts';
import type { CheckReport, EndpointReport, Report } from '../../contracts/report/report.ts';
import { causesByCheck } from '../journal/causes.ts';
import { knownChecks, knownReasons, leftVerdicts } from '../journal/known.ts';
import { findingText } from '../text/finding-text.ts';
import { symptomOf } from '../text/symptom.ts';
import { neverCame, neverCameTodo, partText, remedyTexts, shortCoverageText } from '../text/verdict-text.ts';

/**
 * Turns a run into suites of test cases for the test reports of continuous integration. Untested checks must not look
 * green there. So each endpoint has a case for its verdict, and a run that proved nothing has a case that says so.
 */

/** One test case before it is written. `verdict` is our verdict on its subject. */
export interface TestCase {
  readonly name: string;
  /** Absent: it takes no time of its own. */
  readonly milliseconds?: number;
  readonly outcome: 'pass' | 'failure' | 'error' | 'skipped';
  /** `known` if the baseline knows the failure. */
  readonly verdict: string;
  readonly message?: string;
  readonly text?: string;
}

/** The cases of one endpoint, or of the run. */
interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/** Maximum number of written findings of a case. */
const mostFindings = 10;

/**
 * Returns a suite for each endpoint, with a case for each check. An incomplete endpoint has a case `verdict` that is an
 * error, because most readers show a suite of skipped cases as green. If a run is not conformant for another reason (it
 * did not complete, nothing was to run), a suite `run` says so. Too little coverage, and an expected breach that never
 * came, have cases there too. A check whose failure the baseline knows is skipped, with the reason. Stale baseline
 * entries fail a suite `baseline`.
 */
export function testSuites(report: Report): TestSuite[] {
  const ids = causesByCheck(report);
  const known = knownChecks(report);
  const reasons = knownReasons(report);
  const left = leftVerdicts(report);
  const behind = new Set(report.baseline?.behind);
  const suites = report.endpoints.map((endpoint): TestSuite => {
    const cases = endpoint.checks.map((check): TestCase => {
      const reason = known.get(check.id);
      if (reason === undefined) return checkCase(check, reasons, ids.get(check.id));
      return { ...checkCase(check, reasons), outcome: 'skipped', verdict: 'known', message: `known: ${reason}` };
    });
    const untested = endpoint.checks.filter(({ id }) => !behind.has(id));
    const verdict = left.endpoints.get(endpoint.id) === 'incomplete' ? [verdictCase(endpoint, untested)] : [];
    return { name: endpoint.id, cases: [...cases, ...verdict] };
  });
  const isSaid = suites.some(({ cases }) => cases.some(({ outcome }) => outcome === 'failure' || outcome === 'error'));
  return [...suites, ...baselineSuite(report), ...runSuite(report, left.run, isSaid)];
}

/** Returns a check as a case. Findings that the baseline does not know come first; `report.json` has those cut here. */
function checkCase(check: CheckReport, reasons: ReadonlyMap<string, string>, ids: readonly string[] = []): TestCase {
  const { id, verdict, title, because = title, remedy, findings } = check;
  const known = { name: check.check, milliseconds: check.stats.durationMs, verdict };
  const own = findings
    .map((finding, index) => ({ finding, reason: reasons.get(`${id}#${index + 1}`) }))
    .sort((a, b) => Number(a.reason !== undefined) - Number(b.reason !== undefined));
  const more = Math.max(0, findings.length - mostFindings);
  const text = compact([
    ...own
      .slice(0, mostFindings)
      .map(({ finding, reason }) => `${reason === undefined ? '' : `Known: ${reason}\n`}${findingText(finding)}`),
    more > 0 && `${more} more in report.json`,
  ]).join('\n\n');
  switch (verdict) {
    case 'pass':
      return { ...known, outcome: 'pass' };
    case 'warn':
      return { ...known, outcome: 'pass', text: `Warning\n${text}` };
    case 'fail': {
      const [first] = own;
      const others = findings.length - 1;
      const cause = ids.length === 0 ? '' : `${ids.join(', ')}: `;
      const symptom = first && `${cause}${symptomOf(first.finding)} (${first.finding.requirement})`;
      // Failures that the baseline knows do not fail the check, but those that no report holds do.
      if ((check.moreFindings ?? 0) > 0 && first?.reason !== undefined)
        return {
          ...known,
          outcome: 'failure',
          message: 'more failures than a report holds; those listed are known',
          text,
        };
      const message = symptom === undefined ? title : `${symptom}${others > 0 ? ` (and ${others} more)` : ''}`;
      return { ...known, outcome: 'failure', message, text };
    }
    case 'error':
      return { ...known, outcome: 'error', message: `fault of the suite: ${because}`, text };
    case 'untested':
    case 'not-applicable': {
      const todo = remedy === undefined ? '' : `; ${remedy}`;
      return { ...known, outcome: 'skipped', message: `${verdict.replace('-', ' ')}: ${because}${todo}` };
    }
  }
}

/** Returns the case of an incomplete endpoint. Failed checks fail in their own cases. */
function verdictCase({ verdict }: EndpointReport, checks: readonly CheckReport[]): TestCase {
  const without = checks.filter(check => check.verdict === 'untested' || check.verdict === 'error');
  const text = without.map(check => `${check.check}: ${check.because ?? check.verdict}`).join('\n');
  const message = 'the endpoint is incomplete: not all of it could be tested';
  return { name: 'verdict', verdict, outcome: 'error', message, text };
}

/** Returns the suite of stale baseline entries. */
function baselineSuite({ baseline }: Report): TestSuite[] {
  if (!baseline || baseline.stale.length === 0) return [];
  const { file, stale } = baseline;
  const cases = stale.map(
    ({ entry, why, place, reason }): TestCase => ({
      name: entry,
      verdict: 'stale',
      outcome: 'failure',
      message: `stale: it ${why}; remove ${place} of ${file}`,
      text: `its reason was: ${reason}`,
    }),
  );
  return [{ name: 'baseline', cases }];
}

/** Returns the suite of what is wrong with the run and with none of its endpoints. */
function runSuite(report: Report, verdict: Report['verdict'], isSaid: boolean): TestSuite[] {
  const short = shortCoverageText(report);
  const cases = compact<TestCase>([
    verdict !== 'conformant' && !(isSaid && report.outcome === 'complete') && runCase(report, verdict),
    short !== undefined && {
      name: 'coverage',
      outcome: 'error',
      verdict: 'incomplete',
      message: `too little was verified: ${short}`,
      text: remedyTexts(report, mostFindings).join('\n'),
    },
    ...neverCame(report).map(
      (entry): TestCase => ({
        name: entry,
        outcome: 'failure',
        verdict: 'stale',
        message: `an expected breach that never came; ${neverCameTodo(report)}`,
      }),
    ),
  ]);
  return cases.length === 0 ? [] : [{ name: 'run', cases }];
}

function runCase(report: Report, verdict: Report['verdict']): TestCase {
  const { outcome, because, options } = report;
  const part = options.shard ? `a part of a run is not all of it${partText(report)}` : 'no endpoint was tested';
  const reason = outcome === 'complete' ? part : `the run was not complete: ${outcome}`;
  const message = because === undefined ? reason : `${reason}: ${because}`;
  return { name: 'verdict', outcome: 'error', verdict, message };
}
