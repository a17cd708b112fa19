import type { Report } from '../../contracts/report/report.ts';
import type { Reporter } from '../journal/reporter.ts';
import { safeText } from '../text/safe-text.ts';
import { type Case, suitesOf } from './cases.ts';

/** The version of the Common Test Report Format (https://ctrf.io) whose schema the report keeps. */
const specVersion = '0.0.0';

/** Our outcomes as that format knows them. A case that could not be judged at all counts as failed: readers take every other status for harmless. */
const statuses = { pass: 'passed', failure: 'failed', error: 'failed', skipped: 'skipped' } as const satisfies Record<
  Case['outcome'],
  string
>;

/** `ctrf-report.json`: the cases that JUnit has, in the Common Test Report Format; `rawStatus` is our own verdict. */
export const ctrf: Reporter = out => ({
  event() {},
  end(report) {
    out.write(`${JSON.stringify(ctrfReport(report), null, 2)}\n`);
  },
});

function ctrfReport(report: Report) {
  const suites = suitesOf(report);
  const tests = suites.flatMap(suite => suite.cases.map(one => testOf(suite.name, one)));
  const of = (status: string) => tests.filter(one => one.status === status).length;
  const start = Date.parse(report.startedAt);
  return {
    reportFormat: 'CTRF',
    specVersion,
    generatedBy: report.tool.name,
    results: {
      tool: { name: report.tool.name, version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: of('passed'),
        failed: of('failed'),
        skipped: of('skipped'),
        pending: 0,
        other: 0,
        suites: suites.length,
        start,
        stop: start + Math.round(report.stats.durationMs),
      },
      tests,
      environment: {
        testEnvironment: report.target.baseUrl,
        extra: { verdict: report.verdict, exitCode: report.exitCode, seed: report.seed, profile: report.profile },
      },
    },
  };
}

function testOf(suite: string, one: Case) {
  return {
    name: `${suite}/${one.name}`,
    status: statuses[one.outcome],
    duration: Math.round(one.milliseconds),
    suite: [suite],
    rawStatus: one.verdict,
    ...(one.message === undefined ? {} : { message: shown(one.message) }),
    ...(one.text === undefined || one.text === '' ? {} : { trace: shown(one.text) }),
  };
}

/** What a reader prints to a terminal as it is must not work there. */
function shown(text: string): string {
  return text
    .split('\n')
    .map(line => safeText(line, Number.POSITIVE_INFINITY))
    .join('\n');
}
