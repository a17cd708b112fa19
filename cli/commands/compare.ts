import { compareRuns, isRegression } from '../../reports/compare/compare.ts';
import { comparisonDocument } from '../../reports/compare/document.ts';
import type { ReportDocument } from '../../reports/document/document.ts';
import { documentHtml } from '../../reports/document/html.ts';
import { documentMarkdown } from '../../reports/document/markdown.ts';
import { documentText } from '../../reports/document/terminal.ts';
import type { Display } from '../../reports/text/page.ts';
import type { CompareFlags } from '../definitions/documents.ts';
import { UsageError } from '../input.ts';
import { shown } from '../known-secrets.ts';
import { namedOutput, terminalOf } from '../outputs.ts';
import { readReport } from '../report-file.ts';
import { output, writeText } from '../writer.ts';

/** The reporters of a comparison. */
const comparisonReporters: Readonly<Record<string, (document: ReportDocument, display: Display) => string>> = {
  terminal: documentText,
  markdown: documentMarkdown,
  html: document => documentHtml(document),
};

/** Shows runs side by side. Returns the exit code: 1 if `--fail-on regression` finds that the last run is
 * worse, or verifies less, else 0. */
export function compareCommand(files: readonly string[], flags: CompareFlags, environment: NodeJS.ProcessEnv): number {
  if (files.length < 2) throw new UsageError('compare needs two runs or more: report.json or journal.ndjson files');
  const names = Object.keys(comparisonReporters);
  const chosen = (flags.reporter.length > 0 ? flags.reporter : ['terminal']).map(text => namedOutput(text, names));
  const comparison = compareRuns(files.map(name => ({ name, report: readReport(name) })));
  const document = comparisonDocument(comparison);
  const display = terminalOf(output, environment);
  for (const { name, file = null } of chosen) {
    const text = shown(
      comparisonReporters[name]?.(document, { ...display, colour: display.colour && file === null }) ?? '',
    );
    if (file === null) output.write(text);
    else writeText(file, text);
  }
  return flags.failOn === 'regression' && isRegression(comparison) ? 1 : 0;
}
