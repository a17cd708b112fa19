import type { Report } from '../../contracts/report/report.ts';
import { sinceLastText } from '../journal/last-run.ts';
import type { Output, Reporter } from '../journal/reporter.ts';
import { type Line, paint, styled } from '../text/page.ts';
import { isUnjudged } from '../text/verdict-text.ts';
import { causeListLines, failureLines } from './causes.ts';
import { effectLines } from './effects.ts';
import { progressBar } from './progress.ts';
import { endpointLines, errorLines, noticeLines, observationLines, untestedLines } from './results.ts';
import { summaryLines, titleLines, verdictLines } from './summary.ts';

/** Shows a run at a terminal: live progress, then endpoints, failures, what was not tested, and the verdict. */
export const terminal: Reporter = out => {
  const bar = out.interactive ? progressBar(out) : undefined;
  let titled = false;
  return {
    event(event) {
      if (event.event === 'run-start' && !titled) {
        titled = true;
        out.write(paint(titleLines(event, out.columns), out.colour));
      }
      if (event.event === 'planned-effects') out.write(paint(effectLines(event, out.columns), out.colour));
      bar?.event(event);
    },
    end(report) {
      bar?.stop();
      out.write(paint(pageLines(report, out), out.colour));
    },
  };
};

function pageLines(report: Report, out: Output): Line[] {
  const { columns, files, verbose, last } = out;
  // If the target never answered, a table of what was not tested would say nothing more.
  if (report.outcome === 'unreachable' && isUnjudged(report))
    return [...noticeLines(report, columns), ...verdictLines(report, columns)];
  return [
    ...(last === undefined ? [] : [[styled('strong', sinceLastText(last, report))], []]),
    ...noticeLines(report, columns),
    ...endpointLines(report, columns),
    ...failureLines(report, out),
    ...errorLines(report),
    ...untestedLines(report, columns),
    ...(verbose === true ? observationLines(report, columns) : []),
    ...causeListLines(report, out),
    ...summaryLines(report, columns, files),
  ];
}
