import XMLBuilder from 'fast-xml-builder';
import type { Report } from '../../contracts/report/report.ts';
import type { Reporter } from '../journal/reporter.ts';
import { safeText } from '../text/safe-text.ts';
import { type Case, type Suite, suitesOf } from './cases.ts';

/** `junit.xml`: the suites of `suitesOf`, for continuous integration. */
export const junit: Reporter = out => ({
  event() {},
  end(report) {
    out.write(builder.build(documentOf(report)));
  },
});

/** A name that begins with `@` is an attribute's; whatever the values are, the builder escapes them. */
const builder = new XMLBuilder({
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

function documentOf(report: Report): object {
  const suites = suitesOf(report);
  // The schema that Jenkins holds reports against knows no count of skipped cases of a whole run.
  const { '@skipped': _, ...sums } = counts(suites.flatMap(suite => suite.cases));
  return {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'console-conformance',
      ...sums,
      '@time': seconds(report.stats.durationMs),
      testsuite: suites.map(suite => suiteOf(suite, report.startedAt)),
    },
  };
}

function suiteOf({ name, cases }: Suite, startedAt: string): object {
  return {
    '@name': xmlText(name),
    ...counts(cases),
    '@time': seconds(cases.reduce((sum, one) => sum + one.milliseconds, 0)),
    '@timestamp': xmlText(startedAt),
    testcase: cases.map(one => ({
      '@classname': xmlText(name),
      '@name': xmlText(one.name),
      '@time': seconds(one.milliseconds),
      ...toldOf(one),
    })),
  };
}

/** What a case tells besides its name: an element with a message and a text, or with what was written, or nothing. */
function toldOf({ outcome, message = '', text = '' }: Case): object {
  const told = text === '' ? {} : { '#text': xmlText(text) };
  if (outcome !== 'pass') return { [outcome]: { '@message': xmlText(message), ...told } };
  return text === '' ? {} : { 'system-out': told };
}

function counts(cases: readonly Case[]) {
  const of = (outcome: Case['outcome']) => cases.filter(one => one.outcome === outcome).length;
  return { '@tests': cases.length, '@failures': of('failure'), '@errors': of('error'), '@skipped': of('skipped') };
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
