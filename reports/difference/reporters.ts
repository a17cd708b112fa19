import type { DifferenceReport } from '../../contracts/report/difference.ts';
import type { ReportDisplay } from '../text/page.ts';
import { safeJson } from '../text/safe-text.ts';
import { differenceDocument } from './document.ts';

/** A reporter of comparisons that users can choose. */
interface DifferenceReporter {
  readonly title: string;
  /** The default file under `--out`; null for the standard output. */
  readonly file: string | null;
  /** Returns the text to write. Loads the reporter on first use. */
  text(report: DifferenceReport, display: ReportDisplay): Promise<string>;
}

/** The reporters of comparisons by name. */
export const differenceReporters = {
  terminal: {
    title: 'What differs, for a person to read',
    file: null,
    text: async (report, display) =>
      (await import('../document/terminal.ts')).documentText(differenceDocument(report), display),
  },
  json: {
    title: 'The whole comparison for programs, in the shape of its schema',
    file: 'difference.json',
    text: async report => safeJson(report),
  },
  junit: {
    title: 'JUnit XML for continuous integration',
    file: 'junit.xml',
    text: async report => (await import('./junit.ts')).differenceXml(report),
  },
  html: {
    title: 'One page to open in a browser: both answers side by side',
    file: 'difference.html',
    text: async report => (await import('../document/html.ts')).documentHtml(differenceDocument(report)),
  },
  markdown: {
    title: 'Markdown for a job summary or a comment on a pull request',
    file: 'difference.md',
    text: async report => (await import('../document/markdown.ts')).documentMarkdown(differenceDocument(report)),
  },
} as const satisfies Record<string, DifferenceReporter>;

/** The name of a reporter of comparisons. */
export type DifferenceReporterName = keyof typeof differenceReporters;
