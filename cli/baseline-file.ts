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

/** The day as YYYY-MM-DD, in UTC: entries may expire. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** A baseline that was read, and where its entries stand. */
export interface BaselineFile extends BaselineLines {
  readonly baseline: Baseline;
}

/** Returns true if a text is a day as YYYY-MM-DD. */
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/**
 * Throws a `UsageError` for entries that are wrong in a way which the schema of their file cannot express: two for one
 * thing, a day that is none, an empty reason.
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

/** What is said of a file of entries that was written anew. */
export const updateText = (file: string, { added, kept, removed }: Changes): string =>
  [
    ...added.map(name => `+ ${name}\n`),
    ...removed.map(name => `- ${name}\n`),
    `${file}: ${added.length} added, ${kept.length} kept, ${removed.length} removed\n`,
  ].join('');

/** Returns where the items of a list stand in a JSON text, in their order: `line 5`, `lines 4 to 12`. */
function linesOfItems(text: string, member: string): string[] {
  const lineOf = (place: number): number => text.slice(0, place).split('\n').length;
  return itemsOf(text, member).map(({ start, end }) => {
    const [first, last] = [lineOf(start), lineOf(end)];
    return first === last ? `line ${first}` : `lines ${first} to ${last}`;
  });
}

const versionOf = (name: string, text: string): unknown => membersOf(parseJson(name, text)).version;

/** Reads a baseline. Throws a `UsageError` that names the file and what is wrong with it. */
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

/** Reads a baseline to write it anew: one of version 1 too, which is empty then, beside what it says. */
export function readBaselineToUpdate(name: string): { readonly baseline: Baseline; readonly older?: OlderBaseline } {
  const text = readInput(name, 'baseline');
  if (versionOf(name, text) !== 1) return readBaseline(name);
  const older = parseValid<OlderBaseline>(name, text, olderBaselineSchema, 'baseline');
  const { $schema } = older;
  return { baseline: { ...present({ $schema }), version: 2, known: [] }, older };
}

/**
 * Judges a run by a baseline. Returns the report with what the baseline knows and the exit code that it leaves, and the
 * verdict as a text for the display.
 */
export function appliedBaseline(file: BaselineFile, report: Report, display: Display): [report: Report, text: string] {
  const { exitCode, ...judged } = judgeBaseline(report, file.baseline, today(), file.places);
  const baseline = { file: file.name, ...judged };
  return [{ ...report, exitCode, baseline }, baselineVerdictText(baseline, exitCode, display)];
}

/** Reads acknowledged differences. Throws a `UsageError` that names the file and what is wrong with it. */
export function readAcknowledged(name: string): AcknowledgedFile {
  const text = readInput(name, 'file of acknowledged differences');
  const acknowledged = parseValid<Acknowledged>(name, text, acknowledgedSchema, 'acknowledged-differences');
  refuseEntries(name, acknowledged.acknowledged, differenceKey, differenceName);
  return { name, acknowledged, lines: linesOfItems(text, 'acknowledged') };
}

/** Reads them to write them anew: none where there is no file yet. Throws a `UsageError` where none can be written. */
export function readAcknowledgedToUpdate(name: string): AcknowledgedFile {
  const place = existsSync(name) ? name : dirname(name);
  withFile(name, '', () => accessSync(place, constants.W_OK));
  return existsSync(name)
    ? readAcknowledged(name)
    : { name, acknowledged: { version: 1, acknowledged: [] }, lines: [] };
}
