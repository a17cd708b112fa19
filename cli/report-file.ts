import { readFileSync } from 'node:fs';
import { endpoints } from '../contracts/endpoints.ts';
import { type RunEvent, runEvent } from '../contracts/report/journal.ts';
import { type Report, reportSchema } from '../contracts/report/report.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { validatorFor } from '../contracts/validation.ts';
import { foldJournal } from '../reports/index.ts';
import { UsageError } from './usage-error.ts';

/** The events of a journal. A last line that was cut off (a killed run) is passed over; any other broken line is a mistake of the caller. */
export function eventsOf(file: string): RunEvent[] {
  return parseJournal(file, textOf(file, 'journal'));
}

function textOf(file: string, kind: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `cannot read the ${kind} ${file} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    );
  }
}

function parseJournal(file: string, text: string): RunEvent[] {
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

/** The report of events that were read. */
export function reportOfEvents(events: readonly RunEvent[]): Report {
  const fold = foldJournal({ endpoints, requirements });
  for (const event of events) fold.add(event);
  return fold.report();
}

/** The report of a run from its `report.json` or its `journal.ndjson`, whichever the file is. Throws a `UsageError` for anything else. */
export function readReport(file: string): Report {
  const text = textOf(file, 'report or journal');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Several lines: a journal.
  }
  if (value === undefined || typeof (value as { event?: unknown } | null)?.event === 'string')
    return reportOfEvents(parseJournal(file, text));
  const problem = validatorFor(reportSchema)(value)[0];
  if (problem !== undefined)
    throw new UsageError(`${file} is no report (${problem.pointer || 'it'} ${problem.message})`);
  return value as Report;
}
