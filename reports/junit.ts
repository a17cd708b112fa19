import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import type { Report } from '../contracts/report/report.ts';
import { type Case, suitesOf } from './cases.ts';
import type { Reporter } from './reporter.ts';
import { safeText } from './terminal/safe-text.ts';

/** `junit.xml`: the suites of `suitesOf`, for continuous integration. */
export const junit: Reporter = out => ({
  event() {},
  end(report) {
    out.write(`${junitXml(report)}\n`);
  },
});

function junitXml(report: Report): string {
  const suites = suitesOf(report);
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  // The schema that Jenkins holds reports against knows no count of skipped cases here.
  const { skipped: _, ...sums } = counts(suites.flatMap(suite => suite.cases));
  const root = document.ele('testsuites', {
    name: 'console-conformance',
    ...sums,
    time: seconds(report.stats.durationMs),
  });
  for (const suite of suites) {
    const element = root.ele('testsuite', {
      name: xmlText(suite.name),
      ...counts(suite.cases),
      time: seconds(suite.cases.reduce((sum, one) => sum + one.milliseconds, 0)),
      timestamp: xmlText(report.startedAt),
    });
    for (const one of suite.cases) writeCase(element, suite.name, one);
  }
  return document.end({ prettyPrint: true });
}

function writeCase(suite: XMLBuilder, classname: string, one: Case): void {
  const time = seconds(one.milliseconds);
  const element = suite.ele('testcase', { classname: xmlText(classname), name: xmlText(one.name), time });
  const message = xmlText(one.message ?? '');
  const text = xmlText(one.text ?? '');
  if (one.outcome !== 'pass') element.ele(one.outcome, { message }).txt(text);
  else if (text !== '') element.ele('system-out').txt(text);
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
