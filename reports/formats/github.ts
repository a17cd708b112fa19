import { compact } from '../../contracts/present.ts';
import type { CheckReport, Report } from '../../contracts/report/report.ts';
import { documentMarkdown } from '../document/markdown.ts';
import { causesByCheck } from '../journal/causes.ts';
import { knownChecks, knownReasons, leftVerdicts } from '../journal/known.ts';
import type { Reporter } from '../journal/reporter.ts';
import { checksOf } from '../journal/selections.ts';
import { runDocument } from '../run/document.ts';
import { symptomOf } from '../text/symptom.ts';
import { neverCame, neverCameTodo, partText, remedyTexts, shortCoverageText } from '../text/verdict-text.ts';
import { annotationLine, type WorkflowAnnotation } from './workflow-commands.ts';

/** Maximum annotations of each severity that GitHub shows for a step; it drops the others. */
const mostAnnotations = 10;

/**
 * Writes for a step of a GitHub workflow: workflow commands on the standard output, an annotation for each failing
 * check and each warning. If the output has a step summary, also writes the Markdown page there.
 */
export const github: Reporter = out => ({
  end(report) {
    const all = annotationsOf(report);
    for (const severity of ['error', 'warning', 'notice'] as const) {
      const own = all.filter(one => one.severity === severity);
      for (const one of own.length > mostAnnotations ? withTheRest(own) : own) out.write(annotationLine(one));
    }
    out.stepSummary?.(documentMarkdown(runDocument(report)));
  },
});

function annotationsOf(report: Report): WorkflowAnnotation[] {
  const { baseline, notices } = report;
  const ids = causesByCheck(report);
  const known = knownChecks(report);
  const reasons = knownReasons(report);
  const short = shortCoverageText(report);
  const lacking = short === undefined ? [] : [short, ...remedyTexts(report, 5).map(text => `→ ${text}`)];
  return compact<WorkflowAnnotation>([
    leftVerdicts(report).run === 'incomplete' && {
      severity: 'error',
      title: 'The run is incomplete',
      message: incompleteText(report),
    },
    lacking.length > 0 && { severity: 'error', title: 'Too little was verified', message: lacking.join('\n') },
    ...(baseline?.stale ?? []).map(({ entry, why, place }) => ({
      severity: 'error' as const,
      title: 'A stale entry of the baseline',
      message: `${entry} ${why}: remove ${place} of ${baseline?.file}`,
    })),
    ...neverCame(report).map(entry => ({
      severity: 'error' as const,
      title: 'An expected breach never came',
      message: `${entry}: ${neverCameTodo(report)}`,
    })),
    ...checksOf(report).map(check => annotationOf(check, ids.get(check.id) ?? [], known.get(check.id), reasons)),
    ...notices
      .filter(({ severity }) => severity === 'warning')
      .map(({ text, remedy }) => ({
        severity: 'warning' as const,
        title: 'About the whole run',
        message: remedy === undefined ? text : `${text} → ${remedy}`,
      })),
  ]);
}

function annotationOf(
  { id, verdict, because, title, findings }: CheckReport,
  ids: readonly string[],
  known: string | undefined,
  reasons: ReadonlyMap<string, string>,
): WorkflowAnnotation | undefined {
  if (verdict === 'error')
    return { severity: 'error', title: `${id}: a fault of the suite`, message: because ?? title };
  const first = findings.find((_, index) => !reasons.has(`${id}#${index + 1}`)) ?? findings[0];
  if ((verdict !== 'fail' && verdict !== 'warn') || !first) return undefined;
  const symptom = symptomOf(first);
  if (known !== undefined)
    return { severity: 'notice', title: ['known', ...ids, id].join(' '), message: `${symptom}\n${known}` };
  const replay = first.reproduce === undefined ? '' : `\n${first.reproduce}`;
  return {
    severity: verdict === 'fail' ? 'error' : 'warning',
    title: [...ids, id].join(' '),
    message: `${symptom} (${first.requirement})${replay}`,
  };
}

function incompleteText(report: Report): string {
  const { outcome, because, stats, options } = report;
  const untested = `${stats.checks.untested} checks could not be tested`;
  const reason = because === undefined ? '' : `: ${because}`;
  const part = options.shard ? `a part of a run is not all of it${partText(report)}; ` : '';
  return outcome === 'complete' ? `${part}${untested}` : `the run was not complete (${outcome})${reason}; ${untested}`;
}

/** Returns the annotations that GitHub shows; the last one counts the others. */
function withTheRest(own: readonly WorkflowAnnotation[]): WorkflowAnnotation[] {
  const shown = own.slice(0, mostAnnotations - 1);
  const { severity } = own[0] as WorkflowAnnotation;
  const message = `${own.length - shown.length} more are in the summary of the step and in report.json`;
  return [...shown, { severity, title: 'More of the same', message }];
}
