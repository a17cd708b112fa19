import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { causesByCheck } from '../journal/causes.ts';
import type { Reporter } from '../journal/reporter.ts';
import { checksOf } from '../journal/selections.ts';
import { symptomOf } from '../text/symptom.ts';
import { remedyTexts, shortCoverageText } from '../text/verdict-text.ts';
import { markdownPage } from './markdown.ts';
import { annotationLine, type WorkflowAnnotation } from './workflow-commands.ts';

/** The annotations of each severity that GitHub shows for a step; it drops the others. */
const mostAnnotations = 10;

/**
 * Writes for a step of a GitHub workflow: an annotation for each failing check and each warning, as workflow commands
 * on the standard output, and the Markdown page as the summary of the step, if the output has one.
 */
export const github: Reporter = out => ({
  end(report) {
    const all = annotationsOf(report);
    for (const severity of ['error', 'warning'] as const) {
      const own = all.filter(one => one.severity === severity);
      for (const one of own.length > mostAnnotations ? withTheRest(own) : own) out.write(annotationLine(one));
    }
    out.stepSummary?.(markdownPage(report));
  },
});

function annotationsOf(report: Report): WorkflowAnnotation[] {
  const unfinished: WorkflowAnnotation[] =
    report.verdict === 'incomplete'
      ? [{ severity: 'error', title: 'The run is incomplete', message: incompleteText(report) }]
      : [];
  const ids = causesByCheck(report);
  const short = shortCoverageText(report);
  const notices = report.notices.filter(({ severity }) => severity === 'warning');
  return [
    ...unfinished,
    ...(short === undefined
      ? []
      : [{ severity: 'error', title: 'Too little was verified', message: coverageMessage(report, short) } as const]),
    ...checksOf(report).flatMap(check => annotationOf(check, ids.get(check.id) ?? []) ?? []),
    ...notices.map(({ text, remedy }): WorkflowAnnotation => {
      const message = remedy === undefined ? text : `${text} → ${remedy}`;
      return { severity: 'warning', title: 'About the whole run', message };
    }),
  ];
}

function annotationOf(
  { id, verdict, because, title, findings }: CheckReport,
  ids: readonly string[],
): WorkflowAnnotation | undefined {
  if (verdict === 'error') {
    return { severity: 'error', title: `${id}: a fault of the suite`, message: because ?? title };
  }
  const [first] = findings;
  if ((verdict !== 'fail' && verdict !== 'warn') || first === undefined) return undefined;
  const replay = first.reproduce === undefined ? '' : `\n${first.reproduce}`;
  return {
    severity: verdict === 'fail' ? 'error' : 'warning',
    title: [...ids, id].join(' '),
    message: `${symptomOf(first)} (${first.requirement})${replay}`,
  };
}

const coverageMessage = (report: Report, short: string): string =>
  [short, ...remedyTexts(report, 5).map(text => `→ ${text}`)].join('\n');

function incompleteText({ outcome, because, stats }: Report): string {
  const untested = `${stats.checks.untested} checks could not be tested`;
  const reason = because === undefined ? '' : `: ${because}`;
  return outcome === 'complete' ? untested : `the run was not complete (${outcome})${reason}; ${untested}`;
}

/** The annotations that GitHub shows, the last of them with the number of the others. */
function withTheRest(own: readonly WorkflowAnnotation[]): WorkflowAnnotation[] {
  const shown = own.slice(0, mostAnnotations - 1);
  const { severity } = own[0] as WorkflowAnnotation;
  const message = `${own.length - shown.length} more are in the summary of the step and in report.json`;
  return [...shown, { severity, title: 'More of the same', message }];
}
