import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endpoints } from '../contracts/endpoints.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { allRequirements as requirements } from '../contracts/requirements/index.ts';
import { withoutCommands } from '../reports/formats/workflow-commands.ts';
import { foldJournal, type Output, type ReporterName, type Reporting, reporters } from '../reports/index.ts';
import { appliedBaseline, type BaselineFile } from './baseline-file.ts';
import { UsageError } from './input.ts';
import { openUnder } from './own-file.ts';
import { didYouMean } from './suggestion.ts';

/** A reporter that was asked for, and the file that it writes; null for the standard output. */
export interface ReporterChoice {
  readonly name: ReporterName;
  readonly file: string | null;
  /** The folder under which the file has its usual name, where none was given. */
  readonly under?: string;
}

/**
 * Parses `NAME`, `NAME=FILE` or `NAME=-`, where NAME is one of `names`: `file` is null for the standard output (`-`)
 * and absent if none is named. Throws a `UsageError` for anything else.
 */
export function namedOutput<Name extends string>(
  text: string,
  names: readonly Name[],
): { name: Name; file?: string | null } {
  const [given = '', ...rest] = text.split('=');
  const name = names.find(one => one === given);
  if (name === undefined)
    throw new UsageError(
      `--reporter ${given}: there is none of that name; there are ${names.join(', ')}${didYouMean(given, names)}`,
    );
  if (rest.length === 0) return { name };
  const file = rest.join('=');
  if (file === '') throw new UsageError(`--reporter ${name}= names no file`);
  return { name, file: file === '-' ? null : file };
}

/** Parses the choice of a reporter. If it names no file, the reporter writes its usual one under the folder `out`. */
export function reporterChoice(text: string, out: string): ReporterChoice {
  const { name, file } = namedOutput(text, Object.keys(reporters) as ReporterName[]);
  if (file !== undefined) return { name, file };
  const usual = reporters[name].file;
  return usual === null ? { name, file: null } : { name, file: join(out, usual), under: out };
}

/** Does something with a file. Turns an error of the system into a `UsageError` of one line, with a hint at its end. */
export function withFile<T>(file: string, hint: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot write ${file} (${code ?? message})${hint}`);
  }
}

/** A file that is open for writing. Both methods throw a `UsageError` if the disk is full or gone. */
interface OutputFile {
  /** Appends a whole text: a single system call may write only a part of it, as on a disk that is almost full. */
  write(text: string | Uint8Array): void;
  close(): void;
}

/** Throws an error where an open file does not stand in its place any more: what is written would be nowhere. */
function refuseGone(handle: number, file: string): void {
  const [open, there] = [fstatSync(handle), statSync(file, { throwIfNoEntry: false })];
  if (open.isFile() && (there?.ino !== open.ino || there.dev !== open.dev))
    throw new Error('what was written there is gone');
}

/**
 * Opens a file for writing and makes its folder. Throws a `UsageError` if it cannot be written: `flag` names another
 * place. `under` is the folder in which it has a name that nobody typed: it then leads nowhere else.
 */
export function openFile(file: string, flag = '--out', under?: string): OutputFile {
  const handle = withFile(file, `; choose another place with ${flag}`, () => {
    if (under !== undefined) return openUnder(under, file);
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'w');
  });
  return {
    write: text => withFile(file, '', () => writeFileSync(handle, text)),
    close: () =>
      withFile(file, '', () => {
        refuseGone(handle, file);
        closeSync(handle);
      }),
  };
}

/** Writes a text to a file and makes its folder. Throws a `UsageError` if it cannot be written. `under` as above. */
export function writeText(file: string, text: string, under?: string): void {
  const opened = openFile(file, '--out', under);
  opened.write(text);
  opened.close();
}

/** The reports of a run that are being written. One that cannot be written stops neither the others nor the run. */
export interface Reports {
  event(event: RunEvent): void;
  /**
   * Folds the events, judges the run by the baseline, if there is one, writes all reports, shows the verdict of the
   * baseline, and returns the exit code. Then throws the first error that any report had since it was opened.
   */
  end(): Promise<number>;
  /** The report of the events until now. */
  report(): Report;
}

interface Terminal extends Omit<Output, 'write' | 'files'> {
  /** True if the reader of the standard output obeys commands in it, as the runner of GitHub workflows does. */
  readonly obeyed?: boolean;
}

/**
 * Returns how reports are shown on a stream: with colours on a terminal or with `FORCE_COLOR`, unless `NO_COLOR` is set
 * (https://no-color.org); with live progress on a terminal outside continuous integration.
 */
export function terminalOf(
  stream: NodeJS.WriteStream,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const plain = (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb';
  const forced = (environment.FORCE_COLOR ?? '') !== '' && environment.FORCE_COLOR !== '0';
  return {
    colour: !plain && (forced || stream.isTTY === true),
    interactive: stream.isTTY === true && environment.TERM !== 'dumb' && (environment.CI ?? '') === '',
    ...(stream.columns === undefined ? {} : { columns: stream.columns }),
    ...githubOf(environment),
  };
}

/** Returns how much a terminal shows, as it was asked for, and the run before, where what changed is to be told. */
export const shownOf = (
  { maxFailures, verbose = false }: { readonly maxFailures?: number; readonly verbose?: boolean },
  last?: Report,
): Pick<Output, 'maxFailures' | 'verbose' | 'last'> => ({
  verbose,
  ...(maxFailures === undefined ? {} : { maxFailures }),
  ...(last === undefined ? {} : { last }),
});

/** Returns true in a step of a GitHub workflow. */
export const isGithub = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment.GITHUB_ACTIONS === 'true';

function githubOf(environment: Readonly<Record<string, string | undefined>>): Pick<Terminal, 'obeyed' | 'stepSummary'> {
  if (!isGithub(environment)) return {};
  const file = environment.GITHUB_STEP_SUMMARY ?? '';
  return {
    obeyed: true,
    ...(file === '' ? {} : { stepSummary: text => withFile(file, '', () => appendFileSync(file, text)) }),
  };
}

/** Writes to the standard output; where commands in it are obeyed, only annotations may be commands. */
function standardOutput(name: ReporterName, { obeyed }: Terminal): Output['write'] {
  const isCommands = name === 'github' || obeyed !== true;
  return text => void process.stdout.write(isCommands ? text : withoutCommands(text));
}

/** Writes further files of a reporter into the folder of its own. */
const besideFile =
  (file: string, under: string | undefined): NonNullable<Output['beside']> =>
  (name, text) =>
    writeText(join(dirname(file), name), text, under);

/**
 * Opens every chosen reporter, so that a file that cannot be written is found before anything is sent. `more` names the
 * files that are written besides.
 */
export async function openReports(
  choices: readonly ReporterChoice[],
  terminal: Terminal,
  baseline: BaselineFile | null,
  more: readonly string[] = [],
): Promise<Reports> {
  const files = [...more, ...choices.flatMap(({ file }) => file ?? [])];
  const fold = foldJournal({ endpoints, requirements });
  const open: { readonly reporting: Reporting; close(): void }[] = [];
  for (const { name, file, under } of choices) {
    const opened = file === null ? null : openFile(file, '--out', under);
    const output: Output =
      opened === null
        ? { ...terminal, write: standardOutput(name, terminal), files }
        : { colour: false, interactive: false, write: opened.write, beside: besideFile(file ?? '', under), files };
    open.push({ reporting: await reporters[name].create(output), close: () => opened?.close() });
  }
  const errors = new Map<Reporting, unknown>();
  return {
    event(event) {
      fold.add(event);
      for (const { reporting } of open) {
        if (errors.has(reporting)) continue;
        try {
          reporting.event?.(event);
        } catch (error) {
          // Keep it for the end: the caller may be about to put the target back.
          errors.set(reporting, error);
        }
      }
    },
    report: fold.report,
    async end() {
      const folded = fold.report();
      const [report, verdict] = baseline === null ? [folded, ''] : appliedBaseline(baseline, folded, terminal);
      for (const { reporting, close } of open) {
        try {
          if (!errors.has(reporting)) await reporting.end(report);
          close();
        } catch (error) {
          errors.set(reporting, error);
        }
      }
      // A document on the standard output must stay whole.
      const isPage = choices.some(({ name, file }) => name === 'terminal' && file === null);
      if (verdict !== '') (isPage ? process.stdout : process.stderr).write(verdict);
      for (const error of errors.values()) throw error;
      return report.exitCode;
    },
  };
}
