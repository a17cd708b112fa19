import type { RunEvent } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';

/** Where a report goes, and what is known of the place. */
export interface Output {
  /** Appends text as it is; a reporter writes its own line ends. */
  write(text: string): void;
  /** The width in columns, where it is known. */
  readonly columns?: number;
  /** True if colours may be written. */
  readonly colour: boolean;
  /** True if a person watches, so that a line may be drawn over again while the run goes. */
  readonly interactive: boolean;
  /** True if the observations are wanted too. */
  readonly verbose?: boolean;
  /** Appends to the summary of the step of a workflow, where there is one. */
  readonly stepSummary?: (text: string) => void;
  /** The files that this run writes besides, in the order in which to name them. */
  readonly files?: readonly string[];
}

/** A report that is being written: it is shown every event of the run, live or from a journal, and at the end the whole. */
export interface Reporting {
  event(event: RunEvent): void;
  end(report: Report): void | Promise<void>;
}

/** A way to report a run. It depends on nothing but the events and the folded report, so that a journal can be reported again at any time. */
export type Reporter = (out: Output) => Reporting;
