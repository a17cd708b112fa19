import type { CheckReport, Report } from '../../contracts/report/report.ts';
import type { Reporter } from '../journal/reporter.ts';
import { markdownPage } from './markdown.ts';
import { type Annotation, annotationLine } from './workflow-commands.ts';

/** GitHub shows ten annotations of each severity for a step and drops the others. */
const mostAnnotations = 10;

/**
 * For a step of a GitHub workflow: an annotation for each failing check and each warning, as workflow commands on the standard output, and the Markdown page as the
 * summary of the step, where the output has one.
 */
export const github: Reporter = out => ({
  event() {},
  end(report) {
    const all = annotationsOf(report);
    for (const severity of ['error', 'warning'] as const) {
      const own = all.filter(one => one.severity === severity);
      for (const one of own.length > mostAnnotations ? withTheRest(own) : own) out.write(annotationLine(one));
    }
    out.stepSummary?.(markdownPage(report));
  },
});

function annotationsOf(report: Report): Annotation[] {
  const checks = report.endpoints.flatMap(endpoint => endpoint.checks);
  const said = checks.flatMap(check => annotationOf(check) ?? []);
  const unfinished: Annotation[] =
    report.verdict === 'incomplete'
      ? [{ severity: 'error', title: 'The run is incomplete', message: incompleteText(report) }]
      : [];
  const notices = report.notices.filter(({ severity }) => severity === 'warning');
  return [
    ...unfinished,
    ...said,
    ...notices.map(({ text, remedy }): Annotation => {
      const message = remedy === undefined ? text : `${text} → ${remedy}`;
      return { severity: 'warning', title: 'About the whole run', message };
    }),
  ];
}

function annotationOf(check: CheckReport): Annotation | undefined {
  const { id, verdict, because, title, findings } = check;
  if (verdict === 'error') {
    return { severity: 'error', title: `${id}: a fault of the suite`, message: because ?? title };
  }
  const [first] = findings;
  if ((verdict !== 'fail' && verdict !== 'warn') || first === undefined) return undefined;
  const what = `${first.requirement}: expected ${first.expected}, got ${first.actual}`;
  const replay = first.reproduce === undefined ? '' : `\n${first.reproduce}`;
  return { severity: verdict === 'fail' ? 'error' : 'warning', title: id, message: `${what}${replay}` };
}

function incompleteText({ outcome, because, stats }: Report): string {
  const untested = `${stats.checks.untested} checks could not be tested`;
  const reason = because === undefined ? '' : `: ${because}`;
  return outcome === 'complete' ? untested : `the run was not complete (${outcome})${reason}; ${untested}`;
}

function withTheRest(own: readonly Annotation[]): Annotation[] {
  const shown = own.slice(0, mostAnnotations - 1);
  const { severity } = own[0] as Annotation;
  const message = `${own.length - shown.length} more are in the summary of the step and in report.json`;
  return [...shown, { severity, title: 'More of the same', message }];
}
