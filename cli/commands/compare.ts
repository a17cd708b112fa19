import { compareRuns, isRegression } from '../../reports/compare/compare.ts';
import { comparisonDocument } from '../../reports/compare/document.ts';
import type { ReportDocument } from '../../reports/document/document.ts';
import { documentHtml } from '../../reports/document/html.ts';
import { documentMarkdown } from '../../reports/document/markdown.ts';
import { documentText } from '../../reports/document/terminal.ts';
import type { compare } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse } from '../input.ts';
import { namedReporters, openDocuments } from '../outputs.ts';
import { readReport } from '../report-file.ts';
import { shown } from '../writer.ts';

/** The reporters of a comparison; each writes to the standard output unless a file is named. */
const comparisonReporters = {
  terminal: { file: null, text: documentText },
  markdown: { file: null, text: documentMarkdown },
  html: { file: null, text: (document: ReportDocument) => documentHtml(document) },
};

/**
 * Shows runs side by side. Returns the exit code: 1 if `--fail-on regression` is given and the last run is worse or
 * verifies less, else 0.
 */
export const command: Work<typeof compare> = async (flags, [files]) => {
  if (files.length < 2) refuse('compare needs two runs or more: report.json or journal.ndjson files');
  const choices = namedReporters({ ...flags, out: '.' }, comparisonReporters);
  const comparison = compareRuns(files.map(name => ({ name, report: readReport(name) })));
  const document = comparisonDocument(comparison);
  await openDocuments(choices, { read: files })((name, { files: _, ...display }) =>
    shown(comparisonReporters[name].text(document, display)),
  );
  return flags.failOn === 'regression' && isRegression(comparison) ? 1 : 0;
};
