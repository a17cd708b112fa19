import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Members, membersOf, parsedJson } from '../contracts/json.ts';
import { rendered, type Shown } from '../contracts/redaction/shown.ts';
import type { FixtureSnapshot, RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { lockFolder, makeFolder, ownerOf } from '../reference-server/store/folder-lock.ts';
import { StoreError } from '../reference-server/store/store-error.ts';
import { reproductionScripts } from '../reports/index.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { baseUrlOf, invocation, shellWord } from '../reports/text/shell.ts';
import { refuse } from './input.ts';
import { refuseNoFile, refuseNoFolder } from './own-file.ts';
import { output, shown, tell, withFile, writeText } from './writer.ts';

const newline = 10;
const elsewhere = '; choose another place with --out';

/** Renders an event as a line of a journal. */
export const journalLine = (event: Shown<RunEvent>): Shown =>
  rendered<RunEvent, string>(event, one => `${JSON.stringify(one)}\n`);

/**
 * Does work that looks whose a folder is. What is known here is known within a turn of the event loop; the process of
 * another container or machine shows that it lives by a heartbeat, and waiting for one is told.
 */
async function lookedAt<T>(folder: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(
    () =>
      tell(
        `${safeText(folder, 200)} is marked as in use by a process of another container or machine: looking for up to 20 s whether it is alive.\n`,
      ),
    0,
  );
  return work.finally(() => clearTimeout(timer));
}

/** Returns the process that works in a folder, in words; undefined if none does. */
export const workingIn = (folder: string): Promise<string | undefined> => lookedAt(folder, ownerOf(folder));

/**
 * Does work that writes into an output folder, and makes the folder if needed. It is locked meanwhile: one run at a
 * time. Throws a `UsageError` if another run holds it, or if it cannot be written.
 */
export async function inFolder<T>(out: string, work: () => Promise<T>): Promise<T> {
  const inUse = (folder: string, owner: string): string =>
    safeText(`${folder} is in use by a run, ${owner}; wait for its end, or choose another place with --out`, 400);
  withFile(out, elsewhere, () => {
    const stats = statSync(out, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) throw new Error('it is no folder');
    makeFolder(out);
    refuseNoFile(join(out, 'process.id'));
  });
  const { release } = await lookedAt(out, lockFolder(out, { inUse })).catch((error: unknown) => {
    if (error instanceof StoreError) refuse(error.message);
    return withFile(out, elsewhere, () => {
      throw error;
    });
  });
  try {
    return await work();
  } finally {
    release();
  }
}

/** Parses a line of a journal and returns its members; none if it is not JSON. */
const lineOf = (bytes: Buffer): Members => membersOf(parsedJson(bytes.toString('utf8')));

/** Returns the last line of a journal, with its end if it has one. */
const lastLine = (journal: Buffer): Buffer => journal.subarray(journal.lastIndexOf('\n', -2) + 1);

/** True if a run took snapshots: it writes nothing before that. */
const hasSnapshots = (journal: Buffer): boolean => journal.includes('"event":"snapshot"');

/** Returns how to restore the target of a run that did not end, in words; empty if the run wrote nothing. */
function remedyFor(journal: Buffer, kept: string, earlier: readonly string[]): string {
  const { baseUrl, embedded } = membersOf(lineOf(journal.subarray(0, journal.indexOf('\n'))).target);
  if (!hasSnapshots(journal)) return '';
  if (embedded) return ' Its server was the embedded one, which is gone: nothing is left to put back.';
  const address = baseUrlOf({ target: { baseUrl: safeText(String(baseUrl), 1_000), embedded: false } });
  const line = ` To put back what it changed: ${invocation} restore ${shellWord(kept)}${address}`;
  // Only the first run read the original state.
  return earlier.length === 0
    ? line
    : `${line}\nOthers before it did not either: name them too (${earlier.map(shellWord).join(', ')}), unless they were put back.`;
}

/** Returns the message for a run that is stopped before it has restored its target. */
export function stoppedText(journal: string): string {
  // The journal may be gone with its folder.
  if (!existsSync(journal)) return '';
  const bytes = readFileSync(journal);
  // The runs before it of a comparison have ended.
  if (lineOf(lastLine(bytes)).event === 'run-end') return '';
  const remedy = remedyFor(bytes, journal, []);
  return remedy === '' ? '' : `Stopped: not everything was put back.${remedy}\n`;
}

/** Returns the journals kept in place of one, the oldest first, and the name for the next. */
function keptBeside(journal: string): { readonly earlier: readonly string[]; readonly next: string } {
  const stem = basename(journal, '.ndjson');
  const numbers = readdirSync(dirname(journal))
    .filter(name => name.startsWith(`${stem}.`) && name.endsWith('.ndjson'))
    .map(name => name.slice(stem.length + 1, -'.ndjson'.length))
    .filter(text => /^[1-9]\d{0,8}$/.test(text))
    .map(Number)
    .sort((one, other) => one - other);
  const nameOf = (number: number): string => join(dirname(journal), `${stem}.${number}.ndjson`);
  return { earlier: numbers.map(nameOf), next: nameOf((numbers.at(-1) ?? 0) + 1) };
}

/** True if the last line of a journal shows that the run ended in order, and so could restore its target. */
const hasEnded = ({ event, outcome }: Members, journal: Buffer): boolean =>
  event === 'run-end' && (outcome === 'complete' || outcome === 'interrupted' || !hasSnapshots(journal));

/** True if a run tells what it could not put back of a server that is still there. */
function hasLeft(journal: Buffer): boolean {
  const [start = '', ...lines] = journal.toString('utf8').split('\n');
  const { embedded } = membersOf(membersOf(parsedJson(start)).target);
  const left = lines.filter(line => line.includes('"event":"left-behind"')).map(line => membersOf(parsedJson(line)));
  return !embedded && left.some(one => one.event === 'left-behind' && one.send !== undefined);
}

/**
 * Sets aside the journal of a run that did not end, or that could not put everything back, before another run replaces
 * it: it may be the only record of what has to be restored. Says so, and how, on the standard error. Throws a
 * `UsageError` if the file cannot be renamed.
 */
export function keepUnrestored(journal: string): void {
  const bytes = withFile(journal, elsewhere, () => refuseNoFile(journal) && readFileSync(journal));
  // A journal without a whole line has no information.
  if (!bytes?.includes('\n')) return;
  const last = lastLine(bytes);
  const isWhole = last.at(-1) === newline && hasEnded(lineOf(last), bytes);
  if (isWhole && !hasLeft(bytes)) return;
  const { earlier, next } = keptBeside(journal);
  withFile(next, elsewhere, () => renameSync(journal, next));
  const remedy = remedyFor(bytes, next, earlier);
  const what = isWhole ? 'put everything back' : 'come to its end';
  tell(`The last run did not ${what}: its journal is kept as ${next}.${remedy}\n`);
}

/**
 * Returns the writer of the scripts that reproduce the causes of a run, in the folder `repro` under `out`. Throws a
 * `UsageError` if something else is in its place.
 */
export function reproFiles(out: string) {
  const folder = join(out, 'repro');
  const isThere = (): boolean => withFile(folder, elsewhere, () => refuseNoFolder(folder) !== undefined);
  isThere();
  const snapshots: FixtureSnapshot[] = [];
  const shards: { readonly token: string; readonly baseUrl: string }[] = [];
  return {
    /** Receives every event of the run. The scripts need the snapshots and the tokens. */
    event(event: RunEvent): void {
      if (event.event === 'snapshot') snapshots.push(event);
      if (event.event === 'run-start') shards.push({ token: event.token, baseUrl: event.target.baseUrl });
    },
    /**
     * Writes a script for each reproducible cause, and removes those of an earlier run. Names the first ones if
     * `isShown`.
     */
    write(report: Report, isShown: boolean): void {
      const old = isThere() ? readdirSync(folder).filter(name => /^[FW]\d+\.sh$/.test(name)) : [];
      for (const name of old) withFile(join(folder, name), '', () => rmSync(join(folder, name)));
      const scripts = [...reproductionScripts({ report, snapshots, shards })].map(([id, script]) => {
        const file = join(folder, `${id}.sh`);
        writeText(file, shown(script), '--out', out);
        withFile(file, '', () => chmodSync(file, 0o755));
        return file;
      });
      if (isShown && scripts.length > 0)
        output.write(shown(`  scripts      ${scripts.slice(0, 2).join(', ')}${scripts.length > 2 ? ', …' : ''}\n`));
    },
  };
}
