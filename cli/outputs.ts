import { dirname, join } from 'node:path';
import { compact, present } from '../contracts/present.ts';
import { type Shown, vouched } from '../contracts/redaction/shown.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { baselineVerdictText, judgeBaseline } from '../reports/baseline/verdict.ts';
import { foldJournal, type Output, type ReporterName, type Reporting, reporters } from '../reports/index.ts';
import { progressLines } from '../reports/run/progress.ts';
import type { ReportDisplay } from '../reports/text/page.ts';
import { type BaselineFile, today } from './baseline-file.ts';
import type { ReportFlags } from './definitions/documents.ts';
import { type Environment, refuse } from './input.ts';
import { refuseTwice } from './own-file.ts';
import { didYouMean } from './suggestion.ts';
import { appendText, errors, openFile, output, removeUnwritten, shown, writeText } from './writer.ts';

/** A requested reporter, and the file that it writes; null for the standard output. */
export interface ReporterChoice<Name extends string = ReporterName> {
  readonly name: Name;
  readonly file: string | null;
  /** The folder of the file, if the file has its usual name because none was given. */
  readonly under?: string;
}

/** Reporters by name, each with its usual file; null for the standard output. */
type UsualFiles<Name extends string> = Readonly<Record<Name, { readonly file: string | null }>>;

/**
 * Parses the choice of a reporter: `NAME`, `NAME=FILE`, or `NAME=-` for the standard output. Without a file, the
 * reporter writes its usual one under the folder `out`. Throws a `UsageError` for anything else.
 */
export function reporterChoice<Name extends string>(
  text: string,
  out: string,
  some: UsualFiles<Name>,
): ReporterChoice<Name> {
  const [given = '', ...rest] = text.split('=');
  const names = Object.keys(some) as Name[];
  const name = names.find(one => one === given);
  if (name === undefined)
    refuse(`--reporter ${given}: there is none of that name; there are ${names.join(', ')}${didYouMean(given, names)}`);
  const file = rest.length === 0 ? undefined : rest.join('=');
  if (file === '') refuse(`--reporter ${name}= names no file`);
  if (file !== undefined) return { name, file: file === '-' ? null : file };
  const usual = some[name].file;
  return usual ? { name, file: join(out, usual), under: out } : { name, file: null };
}

/** Returns the flag that places a file: a usual one is under the folder of `--out`. */
const placedBy = (under: string | undefined): string => (under === undefined ? '--reporter' : '--out');

/** Returns the files that some reporters write. */
export const filesOf = (choices: readonly ReporterChoice<string>[]): readonly string[] =>
  choices.flatMap(({ file }) => file ?? []);

/** True if a page for people goes to the standard output. */
export const showsPage = (choices: readonly ReporterChoice[]): boolean =>
  choices.some(({ name, file }) => name === 'terminal' && !file);

/** Parses the choices of reporters; `usual` is the default. */
export const namedReporters = <Name extends string>(
  { reporter, out }: Pick<ReportFlags, 'reporter' | 'out'>,
  some: UsualFiles<Name>,
  usual: readonly string[] = ['terminal'],
): readonly ReporterChoice<Name>[] =>
  (reporter.length > 0 ? reporter : usual).map(text => reporterChoice(text, out, some));

/** Parses the choices of reporters, and adds the JSON document in a file if it is missing. */
export function reporterChoices<Name extends string>(
  flags: Pick<ReportFlags, 'reporter' | 'out'>,
  some: UsualFiles<Name>,
  usual?: readonly string[],
): readonly ReporterChoice<Name>[] {
  const chosen = namedReporters(flags, some, usual);
  const hasDocument = chosen.some(({ name, file }) => name === 'json' && file);
  return hasDocument ? chosen : [...chosen, reporterChoice('json', flags.out, some)];
}

/**
 * Opens the files of documents, and returns the function that writes them. Documents in files have no colours and no
 * terminal width; `others` names files written by others. Throws a `UsageError` if a file cannot be written, or would
 * replace a `taken` or a `read` one.
 */
export function openDocuments<Name extends string>(
  choices: readonly ReporterChoice<Name>[],
  { taken = [], read }: { readonly taken?: readonly string[]; readonly read: readonly string[] },
) {
  const own = filesOf(choices);
  refuseTwice([...taken, ...own], read);
  const documents = choices.map(({ name, file, under }) => ({
    name,
    to: file ? openFile(file, placedBy(under), under) : null,
  }));
  return async (
    textOf: (name: Name, display: ReportDisplay) => Shown | Promise<Shown>,
    {
      maxFailures,
      others = [],
    }: { readonly maxFailures?: number | undefined; readonly others?: readonly string[] } = {},
  ): Promise<void> => {
    const display = { ...terminalOf(output), ...present({ maxFailures }), files: [...own, ...others] };
    const { columns: _, ...plain } = { ...display, colour: false };
    for (const { name, to } of documents) {
      const text = await textOf(name, to ? plain : display);
      (to ?? output).write(text);
      to?.close();
    }
  };
}

/**
 * Returns how reports are shown on a stream: with colours on a terminal or with `FORCE_COLOR`, unless `NO_COLOR` is set
 * (https://no-color.org); with live progress on a terminal outside continuous integration.
 */
export function terminalOf(
  stream: { readonly isTTY: boolean; readonly columns: number | undefined },
  environment: Environment = process.env,
): Omit<Output, 'write' | 'files'> {
  const { NO_COLOR, FORCE_COLOR, TERM, CI, GITHUB_STEP_SUMMARY: summary } = environment;
  const forced = FORCE_COLOR && FORCE_COLOR !== '0';
  return {
    colour: !NO_COLOR && TERM !== 'dumb' && (forced || stream.isTTY),
    interactive: stream.isTTY && TERM !== 'dumb' && !CI,
    ...present({ columns: stream.columns }),
    ...(isGithub(environment) && summary && { stepSummary: text => appendText(summary, vouched(text)) }),
  };
}

/** True in a step of a GitHub workflow. */
export const isGithub = (environment: Environment = process.env): boolean => environment.GITHUB_ACTIONS === 'true';

/**
 * Opens every chosen reporter. They receive only redacted events, so their output needs no further redaction.
 *
 * All files are opened first, so that an unwritable one is found before anything is sent. A report that fails later
 * stops neither the others nor the run. No report may replace the journal, the baseline or a `taken` file.
 *
 * @param live absent: the run is not live, and its progress is not shown. `last`: the previous run, to compare with
 */
export async function openReports(
  choices: readonly ReporterChoice[],
  { maxFailures, verbose = false }: Pick<ReportFlags, 'maxFailures' | 'verbose'>,
  {
    baseline,
    journal,
    taken,
    source,
    live,
  }: {
    readonly baseline: BaselineFile | null;
    readonly journal?: string;
    readonly taken: readonly string[];
    readonly source?: string;
    readonly live?: { readonly last: Report | undefined };
  },
) {
  const asked = { verbose, ...present({ maxFailures }) };
  const terminal = {
    ...terminalOf(output),
    ...(!live && { interactive: false }),
    ...asked,
    ...present({ last: live?.last, source }),
  };
  const files = [...compact([journal]), ...filesOf(choices)];
  refuseTwice([...taken, ...files], compact([baseline?.name]));
  const fold = foldJournal();
  const open: { readonly reporting: Reporting; close(): void }[] = [];
  try {
    for (const { name, file, under } of choices) {
      const opened = file ? openFile(file, placedBy(under), under) : null;
      const out: Output = !opened
        ? // Only annotations may be workflow commands, because the reader of the standard output may obey them.
          { ...terminal, write: text => output[name === 'github' ? 'annotate' : 'write'](vouched(text)), files }
        : {
            ...asked,
            colour: false,
            interactive: false,
            write: text => opened.write(vouched(text)),
            beside: (other, text) => writeText(join(dirname(file ?? ''), other), vouched(text), placedBy(under), under),
            files,
          };
      open.push({ reporting: await reporters[name].create(out), close: () => opened?.close() });
    }
  } catch (error) {
    for (const file of files) removeUnwritten(file);
    throw error;
  }
  const broken = new Map<Reporting, unknown>();
  const progress = live && !terminal.interactive ? progressLines(text => errors.write(shown(text))) : undefined;
  return {
    event(event: Shown<RunEvent>): void {
      fold.add(event);
      progress?.(event);
      for (const { reporting } of open) {
        if (broken.has(reporting)) continue;
        try {
          reporting.event?.(event);
        } catch (error) {
          // Throw it at the end: the caller may be about to restore the target.
          broken.set(reporting, error);
        }
      }
    },
    /** Returns the report of the events so far. */
    report: fold.report,
    /** Leaves no report without a content behind, for a process that ends at once. */
    abandon(): void {
      for (const { file } of choices) if (file) removeUnwritten(file);
    },
    /**
     * Judges the run by the baseline, if there is one, writes all reports and shows the verdict of the baseline.
     * Returns the exit code. Throws the first error of any report only after all are written.
     */
    async end(): Promise<number> {
      const folded = fold.report();
      let report = folded;
      let verdict = '';
      if (baseline) {
        const { exitCode, ...judged } = judgeBaseline(folded, baseline.baseline, today(), baseline.places);
        report = { ...folded, exitCode, baseline: { file: baseline.name, ...judged } };
        verdict = baselineVerdictText({ file: baseline.name, ...judged }, exitCode, terminal);
      }
      for (const { reporting, close } of open) {
        try {
          if (!broken.has(reporting)) await reporting.end(report);
          close();
        } catch (error) {
          broken.set(reporting, error);
        }
      }
      // A document on the standard output must stay whole.
      if (verdict !== '') (showsPage(choices) ? output : errors).write(shown(verdict));
      for (const error of broken.values()) throw error;
      return report.exitCode;
    },
  };
}
