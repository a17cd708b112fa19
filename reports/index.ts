import { atEnd, type Output, type Reporting } from './journal/reporter.ts';
import { safeJson } from './text/safe-text.ts';

export { type BaselineVerdict, judgeBaseline } from './baseline/verdict.ts';
export { compareRuns, type NamedReport, type RunComparison } from './compare/compare.ts';
export { isWhole } from './journal/coverage.ts';
export { type ApiMetadata, foldJournal } from './journal/fold.ts';
export type { Output, Reporter, Reporting } from './journal/reporter.ts';
export { joinedShards, type NamedJournal, NotOneRun } from './journal/shards.ts';
export { reproductionScripts } from './repro/script.ts';

/** A reporter that users can choose. */
interface ReporterRow {
  readonly title: string;
  /** The default file under `--out`; null for the standard output. */
  readonly file: string | null;
  /** Returns the reporter. Loads it, and the packages it needs, on first use. */
  create(out: Output): Promise<Reporting>;
}

/** The reporters by name. */
export const reporters = {
  terminal: {
    title: 'Live progress, then verdicts and failures for a person to read',
    file: null,
    create: async out => (await import('./run/terminal.ts')).terminal(out),
  },
  json: {
    title: 'The whole report for programs, in the shape of its schema',
    file: 'report.json',
    create: async out => atEnd(safeJson)(out),
  },
  junit: {
    title: 'JUnit XML for continuous integration',
    file: 'junit.xml',
    create: async out => (await import('./formats/junit.ts')).junit(out),
  },
  html: {
    title: 'One page to open in a browser: verdict, matrix, failures, requirements',
    file: 'report.html',
    create: async out => (await import('./run/page.ts')).html(out),
  },
  'html-dir': {
    title: 'The same page with style and script beside it, for servers with a strict policy (Jenkins)',
    file: 'html/index.html',
    create: async out => (await import('./run/page.ts')).htmlFolder(out),
  },
  markdown: {
    title: 'Markdown for a job summary or a comment on a pull request',
    file: 'report.md',
    create: async out => (await import('./run/page.ts')).markdown(out),
  },
  github: {
    title: 'Annotations and the summary of a step, for a GitHub workflow',
    file: null,
    create: async out => (await import('./formats/github.ts')).github(out),
  },
  ctrf: {
    title: 'The Common Test Report Format, JSON',
    file: 'ctrf-report.json',
    create: async out => (await import('./formats/ctrf.ts')).ctrf(out),
  },
  har: {
    title: 'The failing exchanges as HAR 1.2, for the developer tools of a browser',
    file: 'failures.har',
    create: async out => (await import('./formats/har.ts')).har(out),
  },
} as const satisfies Record<string, ReporterRow>;

/** The name of a reporter. */
export type ReporterName = keyof typeof reporters;
