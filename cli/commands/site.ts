import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type ImplementationFile, implementationSchema } from '../../contracts/report/implementation.ts';
import type { Implementation, RecordedRun } from '../../reports/site/history.ts';
import { sitePages } from '../../reports/site/view.ts';
import { counted, firstOf } from '../../reports/text/page.ts';
import type { site } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse, UsageError } from '../input.ts';
import { readJson } from '../input-file.ts';
import { readReport } from '../report-file.ts';
import { validIn } from '../target-file.ts';
import { handedIn, verified } from '../verification/handed.ts';
import { conditionsOf, omissionsOf } from '../verification/result.ts';
import { output, shown, tell, writeText } from '../writer.ts';

const envelopeName = 'implementation.json';
const isReport = (path: string): boolean => /report[^/\\]*\.json$/.test(path);
const isJournal = (path: string): boolean => path.endsWith('journal.ndjson');
const isRecording = (path: string): boolean => /\.(gz|rec)$/.test(path);

/** Returns the files under a folder, sorted. */
function filesUnder(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    refuse(`cannot read the folder ${folder} (${(error as NodeJS.ErrnoException).code ?? error})`);
  }
}

const leftOut = (why: string): [] => {
  tell(`left out: ${why}\n`);
  return [];
};

/** Applies `make` to each item. Reports unusable items on the standard error and leaves them out. */
async function usable<T, R>(items: readonly T[], make: (item: T) => R | Promise<R>): Promise<readonly R[]> {
  const made: R[] = [];
  for (const item of items)
    try {
      made.push(await make(item));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      leftOut(error.message);
    }
  return made;
}

/** Reads an envelope. Throws a `UsageError` that names the file and its mistake. */
function readEnvelope(file: string): ImplementationFile {
  const envelope = validIn<ImplementationFile>(
    file,
    readJson(file, 'envelope'),
    implementationSchema,
    'implementation',
  );
  if (envelope.commit === undefined && envelope.image === undefined)
    refuse(`${file}: it names neither the commit nor the image that was tested`);
  return envelope;
}

/** Returns the result beside an envelope, verified as `verify` does. */
async function submitted(file: string, source: string, files: readonly string[], maxAge: number): Promise<RecordedRun> {
  const envelope = readEnvelope(file);
  const own = files.filter(path => dirname(path) === dirname(file));
  const result = own.filter(path => isReport(path) || isJournal(path) || isRecording(path));
  if (result.length === 0) refuse(`${file} has no report.json and no journal.ndjson beside it`);
  const { report, contradictions, notes } = await verified(handedIn(result));
  if (!report) refuse(`${file} has a recording beside it, and no report`);
  const days = (Date.now() - Date.parse(report.startedAt)) / 86_400_000;
  // A start in the future would keep a result from ever expiring. One day allows for differing clocks.
  const early = days < -1 ? [`it began at ${report.startedAt}, which is yet to come`] : [];
  return {
    source,
    report,
    submission: {
      envelope,
      contradictions: [...contradictions, ...early],
      omissions: omissionsOf(report),
      notes: [...conditionsOf(report), ...notes.map(note => note.replace(/ {2,}/, ': '))],
      isExpired: !(days <= maxAge),
    },
  };
}

/** Parses `NAME=DIR`, or a folder that is named after its implementation. An existing folder may have `=` in it. */
function named(text: string): { readonly folder: string; readonly name?: string } {
  const at = existsSync(text) ? -1 : text.indexOf('=');
  if (at < 0) return { folder: text };
  const name = text.slice(0, at);
  if (name.trim() === '') refuse(`${text} names no implementation; give NAME=DIR`);
  return { folder: text.slice(at + 1), name };
}

/** Returns the implementations whose runs are under a folder: those that envelopes name, or else the folder itself. */
async function implementationsIn(text: string, maxAge: number): Promise<readonly Implementation[]> {
  const { folder, name } = named(text);
  const files = filesUnder(folder);
  const sourceOf = (path: string): string => relative(folder, path);
  const envelopes = files.filter(path => basename(path) === envelopeName);
  if (envelopes.length > 0) {
    const inFolders = new Set(envelopes.map(path => dirname(path)));
    for (const path of files)
      if ((isReport(path) || isJournal(path)) && !inFolders.has(dirname(path)))
        leftOut(`${path} has no ${envelopeName} beside it`);
    const runs = await usable(envelopes, file => submitted(file, sourceOf(file), files, maxAge));
    const nameOf = ({ submission }: RecordedRun): string => name ?? submission?.envelope.name ?? '';
    if (runs.length === 0) refuse(`${folder} holds no result that can be shown`);
    return [...new Set(runs.map(nameOf))].map(one => ({ name: one, runs: runs.filter(run => nameOf(run) === one) }));
  }
  // A journal stands for a run only if no report is beside it.
  const isAlone = (path: string): boolean => !files.some(one => isReport(one) && dirname(one) === dirname(path));
  const runs = await usable(
    files.filter(path => isReport(path) || (isJournal(path) && isAlone(path))),
    path => ({ source: sourceOf(path), report: readReport(path) }),
  );
  if (runs.length === 0) refuse(`${folder} holds no report.json and no journal.ndjson of a run`);
  return [{ name: name ?? basename(resolve(folder)), runs }];
}

/** Tells which pages in the folder are not of this site: of an earlier one they may show what is redacted now. */
function tellOthers(out: string, own: ReadonlySet<string>): void {
  const all = filesUnder(out).map(path => relative(out, path));
  const others = all.filter(name => name.endsWith('.html') && !own.has(name));
  if (others.length > 0)
    tell(`${out} holds pages that are not of this site; remove what is not to be published: ${firstOf(others, 5)}\n`);
}

/** Carries out `site`: writes the pages of many runs. Returns the exit code. Throws a `UsageError` without runs. */
export const command: Work<typeof site> = async ({ out, title, maxAge, redactHosts }, [folders]) => {
  const implementations: Implementation[] = [];
  for (const folder of folders) implementations.push(...(await implementationsIn(folder, maxAge)));
  const names = implementations.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuse(`two implementations are called ${twice}; give one of them another name: NAME=DIR`);
  const pages = sitePages(title, implementations, redactHosts);
  for (const [name, text] of pages) writeText(join(out, name), shown(text));
  tellOthers(out, new Set(Array.from(pages, ([name]) => name)));
  const runs = implementations.reduce((sum, one) => sum + one.runs.length, 0);
  output.say(
    shown(
      `${join(out, 'index.html')}: ${counted(implementations.length, 'implementation')}, ${counted(runs, 'run')}\n`,
    ),
  );
  return 0;
};
