import XMLBuilder from 'fast-xml-builder';
import type { Report } from '../../contracts/report/report.ts';
import { atEnd } from '../journal/reporter.ts';
import { safeLines } from '../text/safe-text.ts';
import { type TestCase, type TestSuite, testSuites } from './cases.ts';

/**
 * Writes `junit.xml`: the suites of `testSuites`, for continuous integration. `safeLines` writes out what XML 1.0
 * cannot hold (section 2.2 of the recommendation) along with what a log would not show.
 */
export const junit = atEnd(report => xmlText(xmlOf(report)));

/** Returns an object as XML: names that begin with `@` are attributes, and all values are escaped. */
export const xmlText = (document: object): string => builder.build(document);

const builder = new XMLBuilder({
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

function xmlOf(report: Report): object {
  const suites = testSuites(report);
  // The schema of Jenkins (junit-10.xsd) has no count of skipped cases for a whole run.
  const { '@skipped': _, ...sums } = counts(suites.flatMap(suite => suite.cases));
  return {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'console-conformance',
      ...sums,
      '@time': seconds(report.stats.durationMs),
      testsuite: suites.map(suite => suiteOf(suite, report)),
    },
  };
}

function suiteOf({ name, cases }: TestSuite, { startedAt, coverage }: Report): object {
  return {
    '@name': safeLines(name),
    ...counts(cases),
    '@time': seconds(cases.reduce((sum, one) => sum + one.milliseconds, 0)),
    '@timestamp': safeLines(startedAt),
    // The coverage is that of the run; the format has no place for it but a suite.
    ...(coverage === undefined
      ? {}
      : {
          properties: {
            property: [{ '@name': 'coverage of the run in percent', '@value': coverage.percent.toFixed(1) }],
          },
        }),
    testcase: cases.map(one => ({
      '@classname': safeLines(name),
      '@name': safeLines(one.name),
      '@time': seconds(one.milliseconds),
      ...outcomeElement(one),
    })),
  };
}

/** The child element of a case: its outcome with a message and a text, or what was written, or none. */
function outcomeElement({ outcome, message = '', text = '' }: TestCase): object {
  const body = text === '' ? {} : { '#text': safeLines(text) };
  if (outcome !== 'pass') return { [outcome]: { '@message': safeLines(message), ...body } };
  return text === '' ? {} : { 'system-out': body };
}

function counts(cases: readonly TestCase[]) {
  const of = (outcome: TestCase['outcome']) => cases.filter(one => one.outcome === outcome).length;
  return { '@tests': cases.length, '@failures': of('failure'), '@errors': of('error'), '@skipped': of('skipped') };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
