import type { PageFiles } from '../document/frame.ts';
import { documentHtml } from '../document/html.ts';
import { documentMarkdown } from '../document/markdown.ts';
import { script } from '../document/script.ts';
import { style } from '../document/style.ts';
import { atEnd, type Reporter } from '../journal/reporter.ts';
import { runDocument } from './document.ts';

/** Writes `report.html`: the report as one page to open in a browser. Writes nothing before the end of the run. */
export const html = atEnd(report => documentHtml(runDocument(report)));

/** Writes `report.md`, for a job summary or a comment on a pull request. */
export const markdown = atEnd(report => documentMarkdown(runDocument(report)));

/** The files beside the page, if it is not one file. */
export const pageFiles = { style: 'report.css', script: 'report.js' } as const satisfies PageFiles;

/**
 * Writes the same page with style and script in separate files, for servers whose policy blocks inline ones. The
 * standard output has room for no other files, so the page is one file there.
 */
export const htmlFolder: Reporter = out => ({
  end(report) {
    out.beside?.(pageFiles.style, style);
    out.beside?.(pageFiles.script, script);
    out.write(documentHtml(runDocument(report), out.beside ? pageFiles : undefined));
  },
});
