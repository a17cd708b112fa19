import type { RunEvent } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import type { ReportDisplay } from '../text/page.ts';

/** The destination of a report, and how it is shown there. */
export interface Output extends ReportDisplay {
  /** Appends text unchanged; a reporter writes its own line ends. */
  write(text: string): void;
  /** Writes another file beside that of the reporter; absent: there is no such place. */
  readonly beside?: (name: string, text: string) => void;
  /** True if a line may be redrawn during the run: an interactive terminal. */
  readonly interactive: boolean;
  /** The previous run, to report the changes since then. */
  readonly last?: Report;
  /** The journal that is reported again. */
  readonly source?: string;
  /** Appends to the summary of the workflow step, if there is one. */
  readonly stepSummary?: (text: string) => void;
}

/** A report that is being written. */
export interface Reporting {
  /** Receives every event of the run, live or from a journal. Omit it if the folded report is enough. */
  event?(event: RunEvent): void;
  /** Receives the folded report, once, after the last event. */
  end(report: Report): void | Promise<void>;
}

/** Reports a run from its events and folded report alone, so that a journal can be reported again at any time. */
export type Reporter = (out: Output) => Reporting;

/** Returns a reporter that writes one text at the end of the run, and nothing before. */
export const atEnd =
  (textOf: (report: Report) => string): Reporter =>
  out => ({ end: report => out.write(textOf(report)) });
