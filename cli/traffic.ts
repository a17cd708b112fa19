import { join } from 'node:path';
import type { Shown } from '../contracts/redaction/shown.ts';
import { type ExpectedBreaches, expectedBreachesSchema } from '../contracts/report/expected-breaches.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { clientRequirements } from '../contracts/requirements/index.ts';
import { reporters } from '../reports/index.ts';
import type { ExpectedBreach, TrafficJudgeOptions } from '../suites/traffic/index.ts';
import { readBaseline } from './baseline-file.ts';
import type { TrafficFlags } from './definitions/traffic.ts';
import { refuse } from './input.ts';
import { readInput } from './input-file.ts';
import { journalLine, openReports, reporterChoices, shownOf, terminalOf } from './outputs.ts';
import { keepUnrestored } from './run-folder.ts';
import { parseValid } from './target-file.ts';
import { openFile, output } from './writer.ts';

/** Reads the expected breaches. Throws a `UsageError` that names the file and its mistake. */
function readExpectedBreaches(file: string): readonly ExpectedBreach[] {
  const kind = 'file of expected breaches';
  const { expected } = parseValid<ExpectedBreaches>(file, readInput(file, kind), expectedBreachesSchema, kind);
  const ids: readonly string[] = clientRequirements.filter(({ level }) => level !== 'OPEN').map(({ id }) => id);
  const wrong = expected.find(({ requirement }) => !ids.includes(requirement));
  if (wrong !== undefined)
    refuse(`${file}: ${JSON.stringify(wrong.requirement)} is no requirement of clients; there are ${ids.join(', ')}`);
  return expected;
}

/** Returns the options of the traffic judge that the flags set. */
export const judgingOf = (
  flags: TrafficFlags,
): Pick<TrafficJudgeOptions, 'soleWriter' | 'settleMs' | 'failOn' | 'strict' | 'expected' | 'expectedFile'> => ({
  soleWriter: flags.soleWriter === true,
  settleMs: Math.round(flags.settle),
  failOn: flags.failOn,
  strict: flags.strict === true,
  ...(flags.expectBreach === undefined
    ? {}
    : { expected: readExpectedBreaches(flags.expectBreach), expectedFile: flags.expectBreach }),
});

/** Opens the journal and the chosen reporters before anything is judged. `taken` names other files of the command. */
export async function openTrafficReports(flags: TrafficFlags, taken: readonly string[]) {
  const baseline = flags.baseline === undefined ? null : readBaseline(flags.baseline);
  const journalFile = join(flags.out, 'journal.ndjson');
  // An existing journal may be the only record of what has to be restored.
  keepUnrestored(journalFile);
  const journal = openFile(journalFile, '--out', flags.out);
  const terminal = { ...terminalOf(output), interactive: false, ...shownOf(flags) };
  const reports = await openReports(reporterChoices(flags, reporters), terminal, baseline, [journalFile], taken);
  return {
    emit(event: Shown<RunEvent>): void {
      journal.write(journalLine(event));
      reports.event(event);
    },
    /** Writes the reports. Returns the exit code. */
    end(): Promise<number> {
      journal.close();
      return reports.end();
    },
  };
}
