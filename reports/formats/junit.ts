import XMLBuilder from 'fast-xml-builder';
import { atEnd } from '../journal/reporter.ts';
import { safeLines } from '../text/safe-text.ts';
import { type TestCase, testSuites } from './cases.ts';

/**
 * Writes `junit.xml`: the suites of `testSuites`, for continuous integration. `safeLines` writes out characters that
 * XML 1.0 forbids (section 2.2 of the recommendation) or a log would not show.
 */
export const junit = atEnd(report => {
  const { startedAt, coverage } = report;
  const head = {
    '@timestamp': safeLines(startedAt),
    // The format has no place for the coverage of the run except in a suite.
    ...(coverage
      ? {
          properties: {
            property: [{ '@name': 'coverage of the run in percent', '@value': coverage.percent.toFixed(1) }],
          },
        }
      : {}),
  };
  return suitesXml('console-conformance', testSuites(report), { time: report.stats.durationMs, head });
});

const builder = new XMLBuilder({
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

/** A case of a suite. */
export type SuiteCase = Omit<TestCase, 'verdict'>;

/** The duration of a run in milliseconds, and the first members of each suite. */
interface SuitesOfRun {
  readonly time: number;
  readonly head: object;
}

/** Returns suites as XML: names that begin with `@` are attributes, and all values are escaped. */
export function suitesXml(
  name: string,
  suites: readonly { readonly name: string; readonly cases: readonly SuiteCase[] }[],
  run?: SuitesOfRun,
): string {
  const timed = (milliseconds = 0) => (run ? { '@time': seconds(milliseconds) } : {});
  // The schema of Jenkins (junit-10.xsd) has no count of skipped cases for a whole run.
  const { '@skipped': _, ...sums } = counts(suites.flatMap(({ cases }) => cases));
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': name,
      ...sums,
      ...timed(run?.time),
      testsuite: suites.map(suite => ({
        '@name': safeLines(suite.name),
        ...counts(suite.cases),
        ...timed(suite.cases.reduce((sum, { milliseconds = 0 }) => sum + milliseconds, 0)),
        ...run?.head,
        testcase: suite.cases.map(one => ({
          '@classname': safeLines(suite.name),
          '@name': safeLines(one.name),
          ...timed(one.milliseconds),
          ...outcomeElement(one),
        })),
      })),
    },
  });
}

/** Returns the child element of a case: its outcome with message and text, its output, or nothing. */
function outcomeElement({ outcome, message = '', text = '' }: SuiteCase): object {
  const body = text === '' ? {} : { '#text': safeLines(text) };
  if (outcome !== 'pass') return { [outcome]: { '@message': safeLines(message), ...body } };
  return text === '' ? {} : { 'system-out': body };
}

function counts(cases: readonly SuiteCase[]) {
  const of = (outcome: TestCase['outcome']) => cases.filter(one => one.outcome === outcome).length;
  return { '@tests': cases.length, '@failures': of('failure'), '@errors': of('error'), '@skipped': of('skipped') };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
