import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Implementation, RecordedRun } from '../../reports/site/history.ts';
import { sitePages } from '../../reports/site/pages.ts';
import { counted } from '../../reports/text/page.ts';
import type { SiteFlags } from '../definitions/documents.ts';
import { UsageError } from '../input.ts';
import { shown } from '../known-secrets.ts';
import { readReport } from '../report-file.ts';
import { errors, output, writeText } from '../writer.ts';

/** The files under a folder that may hold a run: a report, or the journal where there is no report beside it. */
function filesUnder(folder: string): readonly string[] {
  let paths: readonly string[];
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  } catch (error) {
    throw new UsageError(`cannot read the folder ${folder} (${(error as NodeJS.ErrnoException).code ?? error})`);
  }
  const isReport = (path: string): boolean => /report[^/\\]*\.json$/.test(path);
  const isAlone = (path: string): boolean =>
    path.endsWith('journal.ndjson') && !paths.some(one => isReport(one) && resolve(one, '..') === resolve(path, '..'));
  return paths.filter(path => isReport(path) || isAlone(path)).sort();
}

/** The runs under a folder. A file that is no report of this version is told on the standard error, and left out. */
function runsUnder(folder: string): readonly RecordedRun[] {
  return filesUnder(folder).flatMap(source => {
    try {
      return [{ source: source.slice(folder.length).replace(/^[/\\]+/, ''), report: readReport(source) }];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      errors.say(shown(`left out: ${error.message}\n`));
      return [];
    }
  });
}

/** `NAME=DIR`, or a folder that is called like its implementation. A folder whose own name has a `=` is one. */
function implementationOf(text: string): Implementation {
  const at = existsSync(text) ? -1 : text.indexOf('=');
  const folder = text.slice(at + 1);
  const name = at < 0 ? basename(resolve(folder)) : text.slice(0, at);
  if (name.trim() === '') throw new UsageError(`${text} names no implementation; give NAME=DIR`);
  const runs = runsUnder(folder);
  if (runs.length === 0) throw new UsageError(`${folder} holds no report.json and no journal.ndjson of a run`);
  return { name, runs };
}

/** Carries out `site`: writes the pages of many runs. Returns the exit code; throws a `UsageError` for a folder without runs. */
export function siteCommand(folders: readonly string[], { out, title }: SiteFlags): number {
  const implementations = folders.map(implementationOf);
  const names = implementations.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`two implementations are called ${twice}; give one of them another name: NAME=DIR`);
  const pages = sitePages(title, implementations);
  for (const [name, text] of pages) writeText(join(out, name), shown(text));
  const runs = implementations.reduce((sum, one) => sum + one.runs.length, 0);
  output.say(
    shown(
      `${join(out, 'index.html')}: ${counted(implementations.length, 'implementation')}, ${counted(runs, 'run')}\n`,
    ),
  );
  return 0;
}
