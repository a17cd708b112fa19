import type { Reporter } from '../reporter.ts';
import { failureLines, warningLines } from './findings.ts';
import { paint } from './page.ts';
import { progressBar } from './progress.ts';
import { endpointLines, errorLines, noticeLines, untestedLines } from './results.ts';
import { summaryLines, titleLines } from './summary.ts';

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
      const lines = [
        ...noticeLines(report),
        ...endpointLines(report),
        ...failureLines(report, out.columns),
        ...warningLines(report, out.columns),
        ...errorLines(report),
        ...untestedLines(report),
        ...summaryLines(report, out.files),
      ];
      out.write(paint(lines, out.colour));
    },
  };
};
