import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { membersOf } from '../contracts/json.ts';
import { present } from '../contracts/present.ts';
import {
  type Baseline,
  baselineSchema,
  type KnownDefect,
  type OlderBaseline,
  olderBaselineSchema,
} from '../contracts/report/baseline.ts';
import { type Acknowledged, acknowledgedSchema } from '../contracts/report/difference.ts';
import type { Report } from '../contracts/report/report.ts';
import type { Changes } from '../reports/baseline/entries.ts';
import {
  type BaselineLines,
  baselineVerdictText,
  defectText,
  judgeBaseline,
  keyOf,
} from '../reports/baseline/verdict.ts';
import { type AcknowledgedFile, differenceKey, differenceName } from '../reports/difference/acknowledged.ts';
import type { Display } from '../reports/text/page.ts';
import { refuse } from './input.ts';
import { parseJson, readInput } from './input-file.ts';
import { itemsOf } from './json-edit.ts';
import { parseValid } from './target-file.ts';
import { withFile } from './writer.ts';

/** Returns the day as YYYY-MM-DD in UTC, because entries may expire. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** A baseline as read, with the lines of its entries. */
export interface BaselineFile extends BaselineLines {
  readonly baseline: Baseline;
}

/** Returns true if a text is a day as YYYY-MM-DD. */
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/**
 * Throws a `UsageError` for mistakes that the schema of the file cannot express: two entries for one thing, an invalid
 * day, an empty reason.
 */
function refuseEntries<E extends Pick<KnownDefect, 'reason' | 'expires'>>(
  file: string,
  entries: readonly E[],
  keyOf: (entry: E) => string,
  nameOf: (entry: E) => string,
): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    const { expires, reason } = entry;
    const what = nameOf(entry);
    if (seen.has(keyOf(entry))) refuse(`${file}: has two entries for ${what}`);
    if (expires !== undefined && !isDay(expires))
      refuse(`${file}: ${what}: ${JSON.stringify(expires)} is no day; write YYYY-MM-DD`);
    if (reason.trim() === '') refuse(`${file}: ${what} has no reason`);
    seen.add(keyOf(entry));
  }
}

/** Returns the summary to print after a file of entries was rewritten. */
export const updateText = (file: string, { added, kept, removed }: Changes): string =>
  [
    ...added.map(name => `+ ${name}\n`),
    ...removed.map(name => `- ${name}\n`),
    `${file}: ${added.length} added, ${kept.length} kept, ${removed.length} removed\n`,
  ].join('');

/** Returns the lines of each item of a list in a JSON text, in order: `line 5`, `lines 4 to 12`. */
function linesOfItems(text: string, member: string): string[] {
  const lineOf = (place: number): number => text.slice(0, place).split('\n').length;
  return itemsOf(text, member).map(({ start, end }) => {
    const [first, last] = [lineOf(start), lineOf(end)];
    return first === last ? `line ${first}` : `lines ${first} to ${last}`;
  });
}

const versionOf = (name: string, text: string): unknown => membersOf(parseJson(name, text)).version;

/** Reads a baseline. Throws a `UsageError` that names the file and its mistake. */
export function readBaseline(name: string): BaselineFile {
  const text = readInput(name, 'baseline');
  if (versionOf(name, text) === 1)
    refuse(
      `${name} is a baseline of version 1, whose entries are whole checks; \`conform baseline update --baseline ${name} JOURNAL\` writes it anew, a defect an entry, and keeps its reasons`,
    );
  const baseline = parseValid<Baseline>(name, text, baselineSchema, 'baseline');
  refuseEntries(name, baseline.known, keyOf, defectText);
  return { name, baseline, places: linesOfItems(text, 'known') };
}

/** Reads a baseline in order to rewrite it. One of version 1 is returned as `older`, beside an empty baseline. */
export function readBaselineToUpdate(name: string): { readonly baseline: Baseline; readonly older?: OlderBaseline } {
  const text = readInput(name, 'baseline');
  if (versionOf(name, text) !== 1) return readBaseline(name);
  const older = parseValid<OlderBaseline>(name, text, olderBaselineSchema, 'baseline');
  const { $schema } = older;
  return { baseline: { ...present({ $schema }), version: 2, known: [] }, older };
}

/**
 * Judges a run by a baseline. Returns the report with the baseline's result and exit code, and the verdict as text for
 * the display.
 */
export function appliedBaseline(file: BaselineFile, report: Report, display: Display): [report: Report, text: string] {
  const { exitCode, ...judged } = judgeBaseline(report, file.baseline, today(), file.places);
  const baseline = { file: file.name, ...judged };
  return [{ ...report, exitCode, baseline }, baselineVerdictText(baseline, exitCode, display)];
}

/** Reads acknowledged differences. Throws a `UsageError` that names the file and its mistake. */
export function readAcknowledged(name: string): AcknowledgedFile {
  const text = readInput(name, 'file of acknowledged differences');
  const acknowledged = parseValid<Acknowledged>(name, text, acknowledgedSchema, 'acknowledged-differences');
  refuseEntries(name, acknowledged.acknowledged, differenceKey, differenceName);
  return { name, acknowledged, lines: linesOfItems(text, 'acknowledged') };
}

/** Reads acknowledged differences to rewrite; none if there is no file. Throws a `UsageError` if it is unwritable. */
export function readAcknowledgedToUpdate(name: string): AcknowledgedFile {
  const place = existsSync(name) ? name : dirname(name);
  withFile(name, '', () => accessSync(place, constants.W_OK));
  return existsSync(name)
    ? readAcknowledged(name)
    : { name, acknowledged: { version: 1, acknowledged: [] }, lines: [] };
}
