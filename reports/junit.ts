import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import type { CheckReport, EndpointReport, Report } from '../contracts/report/report.ts';
import { findingText } from './finding-text.ts';
import type { Reporter } from './reporter.ts';
import { safeText } from './terminal/safe-text.ts';

/** One test case before it is written. */
interface Case {
  readonly name: string;
  readonly seconds: number;
  readonly outcome: 'pass' | 'failure' | 'error' | 'skipped';
  readonly message?: string;
  readonly text?: string;
}

/** The most findings of a case that are written. */
const mostFindings = 10;

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

/**
 * `junit.xml`: a suite for each endpoint, a case for each check, and a case `verdict` for each endpoint, which is an error when the endpoint is
 * incomplete: to the usual readers skipped cases alone are green. A run that is not conformant for another reason (it
 * did not come to its end, nothing was to be run) has a suite `run` that says so.
 */
export const junit: Reporter = out => ({
  event() {},
  end(report) {
    out.write(`${junitXml(report)}\n`);
  },
});

function junitXml(report: Report): string {
  const suites = [...report.endpoints.map(endpointSuite), ...runSuite(report)];
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele('testsuites', {
    name: 'console-conformance',
    ...counts(suites.flatMap(suite => suite.cases)),
    time: seconds(report.stats.durationMs),
  });
  for (const suite of suites) {
    const element = root.ele('testsuite', {
      name: xmlText(suite.name),
      ...counts(suite.cases),
      time: suite.cases.reduce((sum, one) => sum + one.seconds, 0).toFixed(3),
      timestamp: xmlText(report.startedAt),
    });
    for (const one of suite.cases) writeCase(element, suite.name, one);
  }
  return document.end({ prettyPrint: true });
}

function writeCase(suite: XMLBuilder, classname: string, one: Case): void {
  const time = one.seconds.toFixed(3);
  const element = suite.ele('testcase', { classname: xmlText(classname), name: xmlText(one.name), time });
  const message = xmlText(one.message ?? '');
  const text = xmlText(one.text ?? '');
  if (one.outcome !== 'pass') element.ele(one.outcome, { message }).txt(text);
  else if (text !== '') element.ele('system-out').txt(text);
}

function endpointSuite(endpoint: EndpointReport): Suite {
  return { name: endpoint.id, cases: [...endpoint.checks.map(checkCase), verdictCase(endpoint)] };
}

function checkCase(check: CheckReport): Case {
  const known = { name: check.check, seconds: check.stats.durationMs / 1000 };
  const findings = findingsText(check);
  const because = check.because ?? check.title;
  const reason = check.remedy === undefined ? because : `${because}; ${check.remedy}`;
  switch (check.verdict) {
    case 'pass':
      return { ...known, outcome: 'pass' };
    case 'warn':
      return { ...known, outcome: 'pass', text: `Warning\n${findings}` };
    case 'fail':
      return { ...known, outcome: 'failure', message: failureMessage(check), text: findings };
    case 'error':
      return { ...known, outcome: 'error', message: `fault of the suite: ${because}`, text: findings };
    case 'untested':
      return { ...known, outcome: 'skipped', message: `untested: ${reason}` };
    case 'not-applicable':
      return { ...known, outcome: 'skipped', message: `not applicable: ${reason}` };
  }
}

/** The first findings of a check: the others are in `report.json`. */
function findingsText({ findings, moreFindings = 0 }: CheckReport): string {
  const more = Math.max(0, findings.length - mostFindings) + moreFindings;
  const shown = findings.slice(0, mostFindings).map(findingText);
  return [...shown, ...(more > 0 ? [`${more} more in report.json`] : [])].join('\n\n');
}

function failureMessage({ title, findings, moreFindings = 0 }: CheckReport): string {
  const [first] = findings;
  if (!first) return title;
  const more = findings.length - 1 + moreFindings;
  return `${first.requirement}: expected ${first.expected}, got ${first.actual}${more > 0 ? ` (and ${more} more)` : ''}`;
}

function verdictCase({ verdict, checks }: EndpointReport): Case {
  const known = { name: 'verdict', seconds: 0 };
  const without = checks.filter(check => check.verdict === 'untested' || check.verdict === 'error');
  const text = without.map(check => `${check.check}: ${check.because ?? check.verdict}`).join('\n');
  if (verdict === 'conformant') return { ...known, outcome: 'pass' };
  if (verdict === 'non-conformant') return { ...known, outcome: 'failure', message: 'the endpoint is non-conformant' };
  if (verdict === 'incomplete')
    return { ...known, outcome: 'error', message: 'the endpoint is incomplete: not all of it could be tested', text };
  return { ...known, outcome: 'skipped', message: 'not applicable: nothing of the endpoint was to be run' };
}

function runSuite({ verdict, outcome, because, endpoints }: Report): Suite[] {
  const said = endpoints.some(one => one.verdict === 'incomplete' || one.verdict === 'non-conformant');
  if (verdict === 'conformant' || (said && outcome === 'complete')) return [];
  const reason = outcome === 'complete' ? 'no endpoint was tested' : `the run was not complete: ${outcome}`;
  const message = because === undefined ? reason : `${reason}: ${because}`;
  return [{ name: 'run', cases: [{ name: 'verdict', seconds: 0, outcome: 'error', message }] }];
}

function counts(cases: readonly Case[]) {
  const of = (outcome: Case['outcome']) => String(cases.filter(one => one.outcome === outcome).length);
  return { tests: String(cases.length), failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Text without the characters that XML 1.0 cannot hold (section 2.2 of the recommendation), nor those that a log would not show: written `\u{…}`. */
function xmlText(text: string): string {
  return text
    .split('\n')
    .map(line => safeText(line, Number.POSITIVE_INFINITY))
    .join('\n');
}
