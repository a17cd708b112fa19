import { readFileSync } from 'node:fs';
import { endpoints } from '../../contracts/endpoints.ts';
import { type RunEvent, runEvent } from '../../contracts/report/journal.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { foldJournal } from '../../reports/index.ts';
import { openReports, reporterChoice, terminalOf } from '../outputs.ts';
import { UsageError } from '../usage-error.ts';

/** The flags of `report`. */
export interface ReportFlags {
  readonly reporter: readonly string[];
  readonly out: string;
  readonly verbose?: boolean;
}

/** The events of a journal. A last line that was cut off (a killed run) is passed over; any other broken line is a mistake of the caller. */
function eventsOf(file: string): RunEvent[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `cannot read the journal ${file} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    );
  }
  const lines = text.split('\n');
  const cut = lines.pop() ?? '';
  const valid = validatorFor(runEvent);
  const events = lines.map((line, index) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new UsageError(`${file}: line ${index + 1} is no JSON; is it a journal?`);
    }
    const problem = valid(value)[0];
    if (problem !== undefined) {
      throw new UsageError(
        `${file}: line ${index + 1} is no event of a journal (${problem.pointer || 'it'} ${problem.message})`,
      );
    }
    return value as RunEvent;
  });
  if (events[0]?.event !== 'run-start') {
    throw new UsageError(
      `${file} does not begin with a run-start${cut === '' ? '' : ' (it was cut off in its first line)'}`,
    );
  }
  return events;
}

/** Renders journals again, several shards as one run. The exit code is that of the run they tell of. */
export async function reportCommand(
  journals: readonly string[],
  flags: ReportFlags,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const events = journals.flatMap(eventsOf);
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
  const report = fold.report();
  await reports.end(report);
  return report.exitCode;
}
