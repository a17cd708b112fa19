import type { Report } from '../../contracts/report/report.ts';
import { atEnd, type Reporter } from '../journal/reporter.ts';
import { counted } from '../text/page.ts';
import type { Cause } from './causes.ts';
import { htmlDocument, type PageFiles, renderer } from './document.ts';
import { mark } from './marks.ts';
import { prose, titleProse } from './prose.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { reportTemplates } from './templates.ts';
import { type ReportView, reportView } from './view.ts';

const render = renderer(reportTemplates);

/** Writes `report.html`: the report as one page to open in a browser. Nothing is written before the end of the run. */
export const html = atEnd(report => reportDocument(report));

/** The files beside the page, where it is not one file. */
export const pageFiles = { style: 'report.css', script: 'report.js' } as const satisfies PageFiles;

/**
 * Writes the same page with style and script in files of their own: for servers that show reports under a policy which
 * blocks what stands in a page. On the standard output, which has nothing beside it, it is one file.
 */
export const htmlFolder: Reporter = out => ({
  end(report) {
    out.beside?.(pageFiles.style, style);
    out.beside?.(pageFiles.script, script);
    out.write(reportDocument(report, out.beside === undefined ? undefined : pageFiles));
  },
});

/** Returns the page of a report: one HTML document that needs no other file, or none but those that are named. */
export function reportDocument(report: Report, files?: PageFiles): string {
  const view = reportView(report);
  const body = render('@page', {
    ...view,
    failures: view.failures.map(causeParts),
    warnings: view.warnings.map(causeParts),
    contents: contentsOf(view),
  });
  const title = `Conformance report: ${report.verdict}`;
  return htmlDocument({ title, body, script, ...(files === undefined ? {} : { files }) });
}

/** The most findings of a cause that have a line of their own; the others are folded together. */
const mostLines = 15;

/** A cause with what only the template needs. */
function causeParts(cause: Cause) {
  const found = counted(cause.findings.length + cause.more, cause.kind === 'fail' ? 'failure' : 'warning');
  const extent = `${found} of ${counted(cause.checks.length, 'check')} at ${counted(cause.endpoints.length, 'endpoint')}.`;
  const { findings } = cause;
  return {
    ...cause,
    extent,
    first: findings.slice(0, mostLines),
    others: findings.slice(mostLines),
    prose: prose(cause.statement),
    titleProse: titleProse(cause.title),
    mark: mark(cause.kind),
  };
}

/** The contents of the page: its parts, and how much each holds; parts that hold nothing are left out. */
function contentsOf(view: ReportView): { anchor: string; title: string; count: number }[] {
  // biome-ignore format: a table
  const parts: readonly (readonly [anchor: string, title: string, count: number | null])[] = [
    ['matrix',        'Endpoints and checks', null],
    ['failures',      'Failures',             view.failures.length],
    ['warnings',      'Warnings',             view.warnings.length],
    ['faults',        'Faults of the suite',  view.faults.length],
    ['untested',      'Not tested',           view.untested.length],
    ['requirements',  'Requirements',         null],
    ['observations',  'Observations',         view.observations.length],
    ['left-behind',   'Left behind',          null],
    ['learned',       'Names learned',        view.learned.length],
    ['not-exercised', 'Fields not sent',      view.notExercised.length],
    ['about',         'About this run',       null],
  ];
  return parts.flatMap(([anchor, title, count]) => (count === 0 ? [] : [{ anchor, title, count: count ?? 0 }]));
}
