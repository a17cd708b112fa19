import { present } from '../../contracts/present.ts';
import { atEnd } from '../journal/reporter.ts';
import { safeJson, safeLines } from '../text/safe-text.ts';
import { type TestCase, testSuites } from './cases.ts';

/** The version of the Common Test Report Format (https://ctrf.io) whose schema the report follows. */
const specVersion = '0.0.0';

/** Our outcomes in that format. An error counts as failed: readers take every other status for harmless. */
const statuses = { pass: 'passed', failure: 'failed', error: 'failed', skipped: 'skipped' } as const satisfies Record<
  TestCase['outcome'],
  string
>;

/** Writes `ctrf-report.json`: the cases of the JUnit report in that format; `rawStatus` is our verdict. */
export const ctrf = atEnd(report => {
  const suites = testSuites(report);
  const tests = suites.flatMap(suite => suite.cases.map(one => testOf(suite.name, one)));
  const of = (status: string) => tests.filter(one => one.status === status).length;
  const start = Date.parse(report.startedAt);
  return safeJson({
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
        extra: {
          verdict: report.verdict,
          ...present({ coverage: report.coverage?.percent }),
          exitCode: report.exitCode,
          seed: report.seed,
          profile: report.profile,
          ...present({ requirements: report.requirementSet?.name }),
        },
      },
    },
  });
});

/** Returns a case as a test. Its texts are made safe here because readers print them to terminals unchanged. */
function testOf(suite: string, { name, milliseconds = 0, outcome, verdict, message, text }: TestCase) {
  return {
    name: `${suite}/${name}`,
    status: statuses[outcome],
    duration: Math.round(milliseconds),
    suite: [suite],
    rawStatus: verdict,
    ...(message === undefined ? {} : { message: safeLines(message) }),
    ...(text && { trace: safeLines(text) }),
  };
}
