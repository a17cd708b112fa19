import { type Comparison, compareRuns } from '../../reports/compare/compare.ts';
import { comparisonDocument } from '../../reports/compare/html-page.ts';
import { comparisonPage } from '../../reports/compare/markdown.ts';
import { comparisonText } from '../../reports/compare/terminal.ts';
import { terminalOf, writeText } from '../outputs.ts';
import { readReport } from '../report-file.ts';
import { UsageError } from '../usage-error.ts';

/** The flags of `compare`. */
export interface CompareFlags {
  readonly reporter: readonly string[];
  readonly failOn?: string;
}

type View = (comparison: Comparison, environment: NodeJS.ProcessEnv, isFile: boolean) => string;

/** The ways to show a comparison. */
const views: Readonly<Record<string, View>> = {
  terminal: (comparison, environment, isFile) => {
    const { colour, columns } = terminalOf(process.stdout, environment);
    return comparisonText(comparison, { colour: colour && !isFile, ...(columns === undefined ? {} : { columns }) });
  },
  markdown: comparison => comparisonPage(comparison),
  html: comparison => comparisonDocument(comparison),
};

function viewOf(text: string): { readonly view: View; readonly file: string | null } {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  const view = Object.hasOwn(views, name) ? views[name] : undefined;
  if (view === undefined)
    throw new UsageError(`--reporter ${name}: a comparison is shown by ${Object.keys(views).join(', ')}`);
  const file = at < 0 ? '-' : text.slice(at + 1);
  if (file === '') throw new UsageError(`--reporter ${name}= names no file`);
  return { view, file: file === '-' ? null : file };
}

/** Shows runs side by side, from their reports or journals. Exit code 0, or 1 where `--fail-on regression` finds the last run worse. */
export function compareCommand(files: readonly string[], flags: CompareFlags, environment: NodeJS.ProcessEnv): number {
  if (files.length < 2) throw new UsageError('compare needs two runs or more: report.json or journal.ndjson files');
  const chosen = (flags.reporter.length > 0 ? flags.reporter : ['terminal']).map(viewOf);
  const comparison = compareRuns(files.map(name => ({ name, report: readReport(name) })));
  for (const { view, file } of chosen) {
    const text = view(comparison, environment, file !== null);
    if (file === null) process.stdout.write(text);
    else writeText(file, text);
  }
  return flags.failOn === 'regression' && comparison.worse.length > 0 ? 1 : 0;
}
