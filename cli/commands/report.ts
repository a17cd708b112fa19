import { redactedEvent } from '../../contracts/redaction/events.ts';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { isWhole, joinedShards, NotOneRun, reporters } from '../../reports/index.ts';
import { readBaseline } from '../baseline-file.ts';
import type { ReportFlags, report } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { knownSecrets } from '../known-secrets.ts';
import { namedReporters, openReports, shownOf, showsPage, terminalOf } from '../outputs.ts';
import { readJournal } from '../report-file.ts';
import { reproFiles, scriptsLine } from '../repro-files.ts';
import { output } from '../writer.ts';

/** Returns the event with the flag's minimum coverage instead of the run's. */
const asked = (event: RunEvent, { minCoverage }: ReportFlags): RunEvent =>
  event.event !== 'run-start' || minCoverage === undefined
    ? event
    : { ...event, options: { ...event.options, minCoverage } };

/** Renders journals again, several shards as one run. Returns the exit code of that run. */
export const reportCommand: Work<typeof report> = async (flags, [journals]) => {
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const read = () => joinedShards(journals.map(name => ({ name, events: readJournal(name) })));
  const events = await refusing([NotOneRun], read);
  const [start] = events;
  if (flags.minCoverage !== undefined && start?.event === 'run-start' && !isWhole(start.options))
    refuse('--min-coverage is about a whole run: give the journals of all shards, of a run without filters');
  const choices = namedReporters(flags, reporters);
  const terminal = { ...terminalOf(output), interactive: false, ...shownOf(flags) };
  const reports = await openReports(choices, terminal, baseline, [], journals);
  // Causes of joined shards get names of their own, so their scripts are written anew.
  const isShown = showsPage(choices);
  const writes = isShown || choices.some(({ file }) => file !== null);
  const repro = journals.length > 1 && writes ? reproFiles(flags.out) : undefined;
  for (const event of events) {
    reports.event(redactedEvent(asked(event, flags), knownSecrets()));
    repro?.event(event);
  }
  const exitCode = await reports.end();
  const scripts = repro?.write(reports.report()) ?? [];
  if (isShown && scripts.length > 0) output.write(scriptsLine(scripts));
  return exitCode;
};
