import type { Report } from '../../contracts/report/report.ts';
import type { Output, Reporter } from '../journal/reporter.ts';
import { type Line, paint } from '../text/page.ts';
import { failureLines, warningLines } from './findings.ts';
import { observationLines } from './observations.ts';
import { progressBar } from './progress.ts';
import { endpointLines, errorLines, noticeLines, untestedLines } from './results.ts';
import { isBlank, summaryLines, titleLines, verdictLines } from './summary.ts';

/** For a person at a terminal: live progress, then notices, a line per endpoint, failures, warnings, what was not tested, and the verdict. */
export const terminal: Reporter = out => {
  const bar = out.interactive ? progressBar(out) : undefined;
  let titled = false;
  return {
    event(event) {
      if (event.event === 'run-start' && !titled) {
        titled = true;
        out.write(paint(titleLines(event), out.colour));
      }
      bar?.event(event);
    },
    end(report) {
      bar?.stop();
      out.write(
        paint(
          report.outcome === 'unreachable' && isBlank(report)
            ? unreachableLines(report, out.columns)
            : pageLines(report, out),
          out.colour,
        ),
      );
    },
  };
};

function pageLines(report: Report, { columns, files, verbose }: Output): Line[] {
  return [
    ...noticeLines(report, columns),
    ...endpointLines(report),
    ...failureLines(report, columns),
    ...warningLines(report, columns),
    ...errorLines(report),
    ...untestedLines(report, columns),
    ...(verbose === true ? observationLines(report, columns) : []),
    ...summaryLines(report, columns, files),
  ];
}

/** The notices and the verdict in words: where the target never answered, a table of what was not tested would say nothing more. */
function unreachableLines(report: Report, columns: number | undefined): Line[] {
  return [...noticeLines(report, columns), ...verdictLines(report, columns)];
}
