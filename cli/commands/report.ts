import { joinedShards, NotOneRun } from '../../reports/index.ts';
import { readBaseline } from '../baseline-file.ts';
import { refusing } from '../input.ts';
import { openReports, reporterChoice, terminalOf } from '../outputs.ts';
import { readJournal } from '../report-file.ts';

/** The flags of `report`. */
export interface ReportFlags {
  readonly reporter: readonly string[];
  readonly out: string;
  readonly baseline?: string;
  readonly verbose?: boolean;
}

/** Renders journals again, several shards as one run. Returns the exit code of that run. */
export async function reportCommand(
  journals: readonly string[],
  flags: ReportFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const read = () => joinedShards(journals.map(name => ({ name, events: readJournal(name) })));
  const events = await refusing([NotOneRun], read);
  const named = flags.reporter.length > 0 ? flags.reporter : ['terminal'];
  const choices = named.map(text => reporterChoice(text, flags.out));
  const terminal = { ...terminalOf(process.stdout, environment), interactive: false, verbose: flags.verbose ?? false };
  const reports = await openReports(choices, terminal, baseline);
  for (const event of events) reports.event(event);
  return reports.end();
}
