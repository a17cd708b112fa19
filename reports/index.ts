import type { Output, Reporting } from './reporter.ts';

export { foldJournal, type Law } from './fold.ts';
export type { Output, Reporter, Reporting } from './reporter.ts';

/** A reporter as it is offered to users. */
export interface ReporterRow {
  readonly title: string;
  /** The file under `--out` that it writes when no other is named; null: the standard output. */
  readonly file: string | null;
  /** Loads the reporter, and what it is built on, only when it is asked for. */
  create(out: Output): Promise<Reporting>;
}

/** The reporters by name. */
export const reporters = {
  terminal: {
    title: 'Live progress, then verdicts and failures for a person to read',
    file: null,
    create: async out => (await import('./terminal/terminal.ts')).terminal(out),
  },
  json: {
    title: 'The whole report for programs, in the shape of its schema',
    file: 'report.json',
    create: async out => (await import('./json.ts')).json(out),
  },
  junit: {
    title: 'JUnit XML for continuous integration',
    file: 'junit.xml',
    create: async out => (await import('./junit.ts')).junit(out),
  },
} as const satisfies Record<string, ReporterRow>;

/** The name of a reporter. */
export type ReporterName = keyof typeof reporters;
