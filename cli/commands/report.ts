import { endpoints } from '../../contracts/endpoints.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { foldJournal } from '../../reports/index.ts';
import { joinedShards, NotOneRun } from '../../reports/journal/shards.ts';
import { heldAgainst, readBaseline } from '../baseline-file.ts';
import { openReports, reporterChoice, terminalOf } from '../outputs.ts';
import { eventsOf } from '../report-file.ts';
import { UsageError } from '../usage-error.ts';

/** The flags of `report`. */
export interface ReportFlags {
  readonly reporter: readonly string[];
  readonly out: string;
  readonly baseline?: string;
  readonly verbose?: boolean;
}

/** The events of one run: of a journal, or of all its shards. */
function oneRun(journals: readonly string[]): RunEvent[] {
  try {
    return joinedShards(journals.map(name => ({ name, events: eventsOf(name) })));
  } catch (error) {
    if (error instanceof NotOneRun) throw new UsageError(error.message);
    throw error;
  }
}

/** Renders journals again, several shards as one run. The exit code is that of the run they tell of. */
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
  const { report, tell } = heldAgainst(baseline, fold.report(), { ...terminal, isPage });
  await reports.end(report);
  tell();
  return report.exitCode;
}
