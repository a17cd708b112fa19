import { Eta } from 'eta/core';
import type { Report } from '../contracts/report/report.ts';
import { type Case, type Suite, suitesOf } from './cases.ts';
import type { Reporter } from './reporter.ts';
import { safeText } from './terminal/safe-text.ts';

/** `junit.xml`: the suites of `suitesOf`, for continuous integration. */
export const junit: Reporter = out => ({
  event() {},
  end(report) {
    out.write(eta.render('@junit', documentOf(report)));
  },
});

/** Every value in it goes through `xmlText`, and stands in an element or between double quotes, where that is enough. */
const template = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="console-conformance" tests="<%= it.tests %>" failures="<%= it.failures %>" errors="<%= it.errors %>" time="<%= it.time %>">
<% it.suites.forEach(suite => { %>  <testsuite name="<%= suite.name %>" tests="<%= suite.tests %>" failures="<%= suite.failures %>" errors="<%= suite.errors %>" skipped="<%= suite.skipped %>" time="<%= suite.time %>" timestamp="<%= it.timestamp %>">
<% suite.cases.forEach(one => { %>    <testcase classname="<%= suite.name %>" name="<%= one.name %>" time="<%= one.time %>"<% if (one.told === null) { %>/>
<% } else { %>>
      <<%= one.told.element %><% if (one.told.message !== undefined) { %> message="<%= one.told.message %>"<% } %><% if (one.told.text === '') { %>/>
<% } else { %>><%= one.told.text %></<%= one.told.element %>>
<% } %>    </testcase>
<% } }) %>  </testsuite>
<% }) %></testsuites>
`;

const escapeMarkup = new Eta().config.escapeFunction;
const eta = new Eta({ escapeFunction: xmlText, autoTrim: false });
eta.loadTemplate('@junit', template);

function documentOf(report: Report) {
  const suites = suitesOf(report);
  // The schema that Jenkins holds reports against knows no count of skipped cases of a whole run.
  return {
    ...counts(suites.flatMap(suite => suite.cases)),
    time: seconds(report.stats.durationMs),
    timestamp: report.startedAt,
    suites: suites.map(suiteOf),
  };
}

function suiteOf({ name, cases }: Suite) {
  const milliseconds = cases.reduce((sum, one) => sum + one.milliseconds, 0);
  const written = cases.map(one => ({ name: one.name, time: seconds(one.milliseconds), told: toldOf(one) }));
  return { name, ...counts(cases), time: seconds(milliseconds), cases: written };
}

/** What a case tells besides its name: the element, its message and its text; null where it has nothing to tell. */
function toldOf({ outcome, message = '', text = '' }: Case) {
  if (outcome !== 'pass') return { element: outcome, message, text };
  return text === '' ? null : { element: 'system-out', text };
}

function counts(cases: readonly Case[]) {
  const of = (outcome: Case['outcome']) => cases.filter(one => one.outcome === outcome).length;
  return { tests: cases.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/**
 * A value as markup, line by line, without the characters that XML 1.0 cannot hold (section 2.2 of the recommendation) nor those that a log would not
 * show: they are written `\u{…}`.
 */
function xmlText(value: unknown): string {
  const lines = String(value).split('\n');
  return escapeMarkup(lines.map(line => safeText(line, Number.POSITIVE_INFINITY)).join('\n'));
}
