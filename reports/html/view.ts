import type { Report } from '../../contracts/report/report.ts';
import { checksOf } from '../journal/selections.ts';
import { counted } from '../text/page.ts';
import { timeText } from '../text/time-text.ts';
import { coverageText, partText, requirementsText, setText, verdictSentence } from '../text/verdict-text.ts';
import { causeViews } from './causes.ts';
import { coverageOf } from './coverage.ts';
import type { Fact } from './finding-view.ts';
import { firstSteps, urgentNotices } from './first-steps.ts';
import { legend, mark, wholeMark } from './marks.ts';
import { matrixOf } from './matrix.ts';
import { learnedOf, leftBehindOf, notExercisedOf, observationsOf, sectionsOf } from './rest.ts';
import { trafficOf } from './traffic.ts';
import { untestedReasons } from './untested.ts';

/** The view of a report. */
export type ReportView = ReturnType<typeof reportView>;

/** Returns all that the page of a report shows, in words and numbers; the templates add nothing but markup. */
export function reportView(report: Report) {
  const failures = causeViews(report, 'fail');
  const warnings = causeViews(report, 'warn');
  const untested = untestedReasons(report, [...warnings, ...failures]);
  return {
    tool: `${report.tool.name} ${report.tool.version}`,
    target: report.target.embedded ? `the embedded reference server (${report.target.baseUrl})` : report.target.baseUrl,
    verdict: { ...wholeMark(report.verdict), word: `${wholeMark(report.verdict).word}${partText(report)}` },
    coverage: coverageText(report),
    sentence: verdictSentence(report),
    figures: figuresOf(report),
    steps: firstSteps(report, failures, warnings, untested),
    notices: report.notices.filter(one => !urgentNotices(report).includes(one)),
    legend,
    traffic: trafficOf(report, [...failures, ...warnings]),
    matrix: matrixOf(report, [...failures, ...warnings], untested),
    failures,
    warnings,
    tried: coverageOf(report),
    faults: checksOf(report).flatMap(({ id, verdict, because = 'no reason given' }) =>
      verdict === 'error' ? [{ mark: mark('error'), id, because }] : [],
    ),
    untested,
    sections: sectionsOf(report, [...warnings, ...failures]),
    observations: observationsOf(report),
    leftBehind: leftBehindOf(report),
    learned: learnedOf(report),
    notExercised: notExercisedOf(report),
    facts: factsOf(report),
    endpoints: report.endpoints.map(({ id }) => id),
  };
}

function figuresOf(report: Report): Fact[] {
  const { checks, requests, extended, durationMs } = report.stats;
  const more = extended === undefined ? '' : `, ${counted(extended, 'extended random case')}`;
  const all = Object.values(checks).reduce((sum, count) => sum + count, 0);
  const states = [
    `${checks.pass} of ${all} passed`,
    ...(['fail', 'warn', 'untested', 'error', 'not-applicable'] as const).flatMap(verdict =>
      checks[verdict] > 0 ? [`${checks[verdict]} ${verdictWords[verdict]}`] : [],
    ),
  ];
  return [
    { name: 'Checks', value: states.join(', ') },
    { name: 'Requirements', value: requirementsText(report) },
    { name: 'Run', value: `${counted(requests, 'request')} in ${(durationMs / 1000).toFixed(1)} s${more}` },
  ];
}

const verdictWords = {
  fail: 'failed',
  warn: 'warned',
  untested: 'not tested',
  error: 'ended by a fault of the suite',
  'not-applicable': 'not applicable',
} as const;

function factsOf(report: Report): Fact[] {
  const { tool, target, seed, profile, options, token, startedAt, exitCode } = report;
  const { shard } = options;
  // biome-ignore format: a table
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Target',            target.baseUrl],
    ['Started',           startedAt],
    ['Seed',              String(seed)],
    ['Profile',           profile],
    ['Requirements',      setText(report).replace(/^.*requirements /, '')],
    ['Exit code',         String(exitCode)],
    ['Configuration',     options.config],
    ['Only',              options.only.join(', ')],
    ['Skipped by choice', options.skip.join(', ')],
    ['Time',              options.timeMs === undefined ? undefined : timeText(options.timeMs)],
    ['Read-only',         options.readOnly ? 'yes' : undefined],
    ['Strict',            options.strict ? 'yes' : undefined],
    ['Shard',             shard && `${shard.index} of ${shard.total}`],
    ['Token in names',    token],
    [tool.name,           tool.version],
    ['Node.js',           tool.node],
    ['fast-check',        tool['fast-check']],
    ['faker',             tool.faker],
  ];
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
}
