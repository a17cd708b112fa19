import type { RunEvent } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import type { Display } from '../text/page.ts';

/** Where a report goes, and how it is shown there. */
export interface Output extends Display {
  /** Appends text as it is; a reporter writes its own line ends. */
  write(text: string): void;
  /** Writes another file beside the one of this reporter; absent: there is no such place. */
  readonly beside?: (name: string, text: string) => void;
  /** True if a line may be drawn over again while the run goes on: a terminal with a person before it. */
  readonly interactive: boolean;
  /** True if the observations are to be shown too, and the causes with all of their evidence. */
  readonly verbose?: boolean;
  /** How many causes are shown whole; absent: ten. */
  readonly maxFailures?: number;
  /** The run before this one, where what changed since is to be told. */
  readonly last?: Report;
  /** Appends to the summary of the workflow step, if there is one. */
  readonly stepSummary?: (text: string) => void;
  /** The other files that this run writes, in the order in which to name them. */
  readonly files?: readonly string[];
}

/** A report that is being written. */
export interface Reporting {
  /** Receives every event of the run, live or from a journal. Leave it out if the folded report is enough. */
  event?(event: RunEvent): void;
  /** Receives the folded report, once, after the last event. */
  end(report: Report): void | Promise<void>;
}

/** Reports a run from its events and the folded report alone, so that a journal can be reported again at any time. */
export type Reporter = (out: Output) => Reporting;

/** Returns a reporter that writes one text at the end of the run, and nothing before. */
export const atEnd =
  (textOf: (report: Report) => string): Reporter =>
  out => ({ end: report => out.write(textOf(report)) });
