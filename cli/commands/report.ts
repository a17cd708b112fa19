import { endpoints } from '../../contracts/endpoints.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { foldJournal, joinedShards, NotOneRun } from '../../reports/index.ts';
import { appliedBaseline, readBaseline } from '../baseline-file.ts';
import { UsageError } from '../input.ts';
import { openReports, reporterChoice, terminalOf } from '../outputs.ts';
import { readJournal } from '../report-file.ts';

/** The flags of `report`. */
export interface ReportFlags {
  readonly reporter: readonly string[];
  readonly out: string;
  readonly baseline?: string;
  readonly verbose?: boolean;
}

/** Reads the events of one run from its journal, or from the journals of all its shards. */
function oneRun(journals: readonly string[]): RunEvent[] {
  try {
    return joinedShards(journals.map(name => ({ name, events: readJournal(name) })));
  } catch (error) {
    if (error instanceof NotOneRun) throw new UsageError(error.message);
    throw error;
  }
}

/** Renders journals again, several shards as one run. Returns the exit code of that run. */
export async function reportCommand(
  journals: readonly string[],
  flags: ReportFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const events = oneRun(journals);
  const named = flags.reporter.length > 0 ? flags.reporter : ['terminal'];
  const choices = named.map(text => reporterChoice(text, flags.out));
  const terminal = { ...terminalOf(process.stdout, environment), interactive: false, verbose: flags.verbose ?? false };
  const reports = await openReports(
    choices,
    terminal,
    choices.flatMap(({ file }) => (file === null ? [] : [file])),
  );
  const fold = foldJournal({ endpoints, requirements });
  for (const event of events) {
    fold.add(event);
    reports.event(event);
  }
  const isPage = choices.some(({ name, file }) => name === 'terminal' && file === null);
  const { report, show } = appliedBaseline(baseline, fold.report(), { ...terminal, isPage });
  await reports.end(report);
  show();
  return report.exitCode;
}
