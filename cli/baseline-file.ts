import { existsSync } from 'node:fs';
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
import type { Changes } from '../reports/baseline/entries.ts';
import { type BaselineLines, defectText, keyOf } from '../reports/baseline/verdict.ts';
import { type AcknowledgedFile, differenceKey, differenceName } from '../reports/difference/acknowledged.ts';
import { refuse } from './input.ts';
import { parseJson, readInput, readJson } from './input-file.ts';
import { itemsOf } from './json-edit.ts';
import { refuseUnwritable } from './later-file.ts';
import { validIn } from './target-file.ts';

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
    const [what, key] = [nameOf(entry), keyOf(entry)];
    if (seen.has(key)) refuse(`${file}: has two entries for ${what}`);
    if (expires !== undefined && !isDay(expires))
      refuse(`${file}: ${what}: ${JSON.stringify(expires)} is no day; write YYYY-MM-DD`);
    if (reason.trim() === '') refuse(`${file}: ${what} has no reason`);
    seen.add(key);
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
  return itemsOf(text, member).map(({ start, end }) => {
    const [first, last] = [start, end].map(place => text.slice(0, place).split('\n').length);
    return first === last ? `line ${first}` : `lines ${first} to ${last}`;
  });
}

/** Reads a baseline. Throws a `UsageError` that names the file and its mistake. */
export function readBaseline(name: string): BaselineFile {
  const text = readInput(name, 'baseline');
  const value = parseJson(name, text);
  if (membersOf(value).version === 1)
    refuse(
      `${name} is a baseline of version 1, whose entries are whole checks; \`conform baseline update --baseline ${name} JOURNAL\` writes it anew, a defect an entry, and keeps its reasons`,
    );
  const baseline = validIn<Baseline>(name, value, baselineSchema, 'baseline');
  refuseEntries(name, baseline.known, keyOf, defectText);
  return { name, baseline, places: linesOfItems(text, 'known') };
}

/** Reads a baseline in order to rewrite it. One of version 1 is returned as `older`, beside an empty baseline. */
export function readBaselineToUpdate(name: string): { readonly baseline: Baseline; readonly older?: OlderBaseline } {
  const value = readJson(name, 'baseline');
  if (membersOf(value).version !== 1) return readBaseline(name);
  const older = validIn<OlderBaseline>(name, value, olderBaselineSchema, 'baseline');
  const { $schema } = older;
  return { baseline: { ...present({ $schema }), version: 2, known: [] }, older };
}

/** Reads acknowledged differences. Throws a `UsageError` that names the file and its mistake. */
export function readAcknowledged(name: string): AcknowledgedFile {
  const text = readInput(name, 'file of acknowledged differences');
  const value = parseJson(name, text);
  const acknowledged = validIn<Acknowledged>(name, value, acknowledgedSchema, 'acknowledged-differences');
  refuseEntries(name, acknowledged.acknowledged, differenceKey, differenceName);
  return { name, acknowledged, lines: linesOfItems(text, 'acknowledged') };
}

/** Reads acknowledged differences to rewrite; none if there is no file. Throws a `UsageError` if it is unwritable. */
export function readAcknowledgedToUpdate(name: string): AcknowledgedFile {
  refuseUnwritable(name, '--acknowledge');
  return existsSync(name)
    ? readAcknowledged(name)
    : { name, acknowledged: { version: 1, acknowledged: [] }, lines: [] };
}
