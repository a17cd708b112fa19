import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { membersOf, parsedJson } from '../contracts/json.ts';
import { present } from '../contracts/present.ts';
import { type Learned, type RunEvent, runEvent, runStart } from '../contracts/report/journal.ts';
import { type Report, reportSchema } from '../contracts/report/report.ts';
import { validatorFor } from '../contracts/validation.ts';
import { foldJournal } from '../reports/index.ts';
import { refuse, UsageError } from './input.ts';
import { parseJson, readJsonText } from './input-file.ts';
import { refuseNoFile } from './own-file.ts';

/** Refuses a journal or report whose field `version` is not the number that this version of the tool reads. */
function refuseOtherVersion(file: string, version: unknown, expected: number): void {
  if (typeof version !== 'number' || version === expected) return;
  const [article, age] = version < expected ? ['an', 'older'] : ['a', 'newer'];
  refuse(
    `${file} was written by ${article} ${age} version of console-conformance: its field version is ${version}, and this one reads ${expected}; run again, or use the ${age} version`,
  );
}

/** Reads a journal. Skips a last line that is cut off. Throws a `UsageError` for any other broken line. */
export function readJournal(file: string): RunEvent[] {
  return parseJournal(file, readJsonText(file, 'journal'));
}

/** Parses the events of a journal's text. Throws as `readJournal` does. */
export function parseJournal(file: string, text: string): RunEvent[] {
  const lines = text.split('\n');
  // An editor may have taken the last line end away from a whole line.
  const cut = parsedJson(lines.at(-1) ?? '') === undefined ? lines.pop() : '';
  const valid = validatorFor(runEvent);
  const events = lines.map((line, index) => {
    const value = parsedJson(line);
    if (value === undefined) {
      const isReport = parsedJson(text) !== undefined;
      refuse(
        isReport
          ? `${file} is no journal: a report.json, for example, is written from one; name its journal.ndjson`
          : `${file}: line ${index + 1} is no JSON; is it a journal?`,
      );
    }
    const { event, version } = membersOf(value);
    if (event === 'run-start') refuseOtherVersion(file, version, runStart.properties.version.const);
    const problem = valid(value)[0];
    if (problem) {
      refuse(`${file}: line ${index + 1} is no event of a journal (${problem.pointer || 'it'} ${problem.message})`);
    }
    return value as unknown as RunEvent;
  });
  if (events[0]?.event !== 'run-start') {
    refuse(`${file} does not begin with a run-start${cut === '' ? '' : ' (it was cut off in its first line)'}`);
  }
  return events;
}

/** Returns the report of some events. */
export function reportOfEvents(events: readonly RunEvent[]): Report {
  const fold = foldJournal();
  for (const event of events) fold.add(event);
  return fold.report();
}

/** Returns an event of a run, with another minimum coverage in place of the run's, if one is given. */
export const withMinimum = <Event extends RunEvent>(event: Event, minCoverage: number | undefined): Event =>
  event.event === 'run-start' ? { ...event, options: { ...event.options, ...present({ minCoverage }) } } : event;

/**
 * Reads the report of a run from its `report.json` or its `journal.ndjson`. Throws a `UsageError` for any other file.
 */
export function readReport(file: string): Report {
  const text = readJsonText(file, 'report or journal');
  const value = parsedJson(text);
  // Several lines, or a single event, are a journal.
  if (value === undefined || typeof membersOf(value).event === 'string')
    return reportOfEvents(parseJournal(file, text));
  return parseReport(file, text, value);
}

/** Parses the text of a `report.json`. Throws a `UsageError` for any other text. */
export function parseReport(file: string, text: string, value: unknown = parseJson(file, text)): Report {
  refuseOtherVersion(file, membersOf(value).version, reportSchema.properties.version.const);
  const problem = validatorFor(reportSchema)(value)[0];
  if (problem) refuse(`${file} is no report (${problem.pointer || 'it'} ${problem.message})`);
  return value as Report;
}

/**
 * Reads what an earlier run learned from its target, from the journal or report of that run. Throws a `UsageError` for
 * any other file, and for a report by a version that could not learn.
 */
export function readLearned(file: string): Learned[] {
  const { learned } = readReport(file);
  if (!learned) refuse(`${file} does not say what was learned: it was written by a version that learned nothing`);
  return learned;
}

/** The files of a run that tell how it ended, in order of preference: every run writes the journal. */
const names = ['journal.ndjson', 'report.json'] as const;

/** Returns the report of the last run under a folder. Throws a `UsageError` if there is none or it cannot be read. */
export function lastRunUnder(out: string): Report {
  const file = names.map(name => join(out, name)).find(existsSync);
  if (file === undefined) refuse(`--failed runs what failed last, and ${out} holds no run; run once without it`);
  try {
    refuseNoFile(file);
  } catch (error) {
    refuse(`cannot read ${file} (${(error as Error).message})`);
  }
  return readReport(file);
}

/** Returns the report of the last run under a folder; undefined if there is none or it cannot be read. */
export function anyRunUnder(out: string): Report | undefined {
  try {
    return lastRunUnder(out);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
