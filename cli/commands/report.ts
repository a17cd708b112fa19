import { present } from '../../contracts/present.ts';
import { redactedEvent } from '../../contracts/redaction/events.ts';
import { isWhole, joinedShards, NotOneRun, reporters } from '../../reports/index.ts';
import { readBaseline } from '../baseline-file.ts';
import type { report } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { namedReporters, openReports, reporterChoices, showsPage } from '../outputs.ts';
import { readJournal, withMinimum } from '../report-file.ts';
import { reproFiles } from '../run-folder.ts';
import { knownSecrets } from '../writer.ts';

/** Renders journals again, several shards as one run. Returns the exit code of that run. */
export const command: Work<typeof report> = async (flags, [journals]) => {
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const read = () => joinedShards(journals.map(name => ({ name, events: readJournal(name) })));
  const events = await refusing([NotOneRun], read);
  const [start] = events;
  const { minCoverage } = flags;
  if (minCoverage !== undefined && start?.event === 'run-start' && !isWhole(start.options))
    refuse('--min-coverage is about a whole run: give the journals of all shards, of a run without filters');
  const chosen = namedReporters(flags, reporters);
  const isJoined = journals.length > 1;
  // The commands that a page tells need one file to read.
  const choices = isJoined && showsPage(chosen) ? reporterChoices(flags, reporters, ['terminal']) : chosen;
  const source = isJoined ? undefined : journals[0];
  const reports = await openReports(choices, flags, { baseline, taken: journals, ...present({ source }) });
  // Causes of joined shards get names of their own, so their scripts are written anew.
  const isShown = showsPage(choices);
  const writes = isShown || choices.some(({ file }) => file);
  const repro = isJoined && writes ? reproFiles(flags.out) : undefined;
  for (const event of events) {
    reports.event(redactedEvent(withMinimum(event, minCoverage), knownSecrets()));
    repro?.event(event);
  }
  const exitCode = await reports.end();
  repro?.write(reports.report(), isShown);
  return exitCode;
};
