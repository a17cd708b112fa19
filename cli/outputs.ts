import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { withoutCommands } from '../reports/formats/workflow-commands.ts';
import { type Output, type ReporterName, type Reporting, reporters } from '../reports/index.ts';
import { UsageError } from './usage-error.ts';

/** A reporter that was asked for, and where it writes; null: the standard output. */
export interface ReporterChoice {
  readonly name: ReporterName;
  readonly file: string | null;
}

const isReporter = (name: string): name is ReporterName => Object.hasOwn(reporters, name);

/** Reads `NAME` or `NAME=FILE`. Without a file a reporter writes to its own under `out`; `NAME=-` is the standard output. */
export function reporterChoice(text: string, out: string): ReporterChoice {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  if (!isReporter(name)) {
    throw new UsageError(
      `--reporter ${name}: there is none of that name; there are ${Object.keys(reporters).join(', ')}`,
    );
  }
  if (at >= 0) {
    const file = text.slice(at + 1);
    if (file === '') throw new UsageError(`--reporter ${name}= names no file`);
    return { name, file: file === '-' ? null : file };
  }
  const { file } = reporters[name];
  return { name, file: file === null ? null : join(out, file) };
}

/** Does something with a file; what the system refuses becomes a `UsageError` of one line, with a hint at its end. */
function reaching<T>(file: string, hint: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot write ${file} (${code ?? message})${hint}`);
  }
}

/** A file that is open for writing. Both throw a `UsageError` when the disk is full or gone. */
interface OutputFile {
  /** Appends a text, the whole of it: one call of the system may take a part, and does where a disk is almost full. */
  write(text: string): void;
  close(): void;
}

/** Opens a file to write texts to, its folder made first. Throws a `UsageError` when that cannot be. */
export function openFile(file: string): OutputFile {
  const handle = reaching(file, '; choose another place with --out', () => {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'w');
  });
  return {
    write: text => reaching(file, '', () => writeFileSync(handle, text)),
    close: () => reaching(file, '', () => closeSync(handle)),
  };
}

/** Writes a text to a file, its folder made first. Throws a `UsageError` when that cannot be. */
export function writeText(file: string, text: string): void {
  const opened = openFile(file);
  opened.write(text);
  opened.close();
}

/** The reports of a run that are being written. One that cannot be written keeps neither the others from it nor the run from going on. */
export interface Reports {
  event(event: RunEvent): void;
  /** Throws, when all others are written, the first error that a report came upon since it was opened. */
  end(report: Report): Promise<void>;
}

interface Terminal {
  readonly colour: boolean;
  readonly interactive: boolean;
  readonly columns?: number;
  readonly verbose?: boolean;
  /** Appends to the summary of the step, in a GitHub workflow. */
  readonly stepSummary?: (text: string) => void;
  /** True where whoever reads the standard output obeys commands in it, as the runner of GitHub workflows does. */
  readonly obeyed?: boolean;
}

/** Colours and live progress only where a person watches (https://no-color.org, and `FORCE_COLOR`). */
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

/** True in a step of a GitHub workflow. */
export const isGithub = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment.GITHUB_ACTIONS === 'true';

function githubOf(environment: Readonly<Record<string, string | undefined>>): Pick<Terminal, 'obeyed' | 'stepSummary'> {
  if (!isGithub(environment)) return {};
  const file = environment.GITHUB_STEP_SUMMARY ?? '';
  return {
    obeyed: true,
    ...(file === '' ? {} : { stepSummary: text => reaching(file, '', () => appendFileSync(file, text)) }),
  };
}

/** The standard output for a reporter: what it shows of a target may never be a command to whoever reads it; annotations are meant to be. */
function standardOutput(name: ReporterName, { obeyed }: Terminal): Output['write'] {
  const isCommands = name === 'github' || obeyed !== true;
  return text => void process.stdout.write(isCommands ? text : withoutCommands(text));
}

/** Opens every chosen reporter, so that a place that cannot be written is found before anything is sent. */
export async function openReports(
  choices: readonly ReporterChoice[],
  terminal: Terminal,
  files: readonly string[],
): Promise<Reports> {
  const open: { readonly reporting: Reporting; close(): void }[] = [];
  for (const { name, file } of choices) {
    const opened = file === null ? null : openFile(file);
    const output: Output =
      opened === null
        ? { ...terminal, write: standardOutput(name, terminal), files }
        : { colour: false, interactive: false, write: opened.write, files };
    open.push({ reporting: await reporters[name].create(output), close: () => opened?.close() });
  }
  const errors = new Map<Reporting, unknown>();
  return {
    event(event) {
      for (const { reporting } of open) {
        if (errors.has(reporting)) continue;
        try {
          reporting.event(event);
        } catch (error) {
          // Kept for the end: whoever tells of this event may be in the middle of what has to be put back.
          errors.set(reporting, error);
        }
      }
    },
    async end(report) {
      for (const { reporting, close } of open) {
        try {
          if (!errors.has(reporting)) await reporting.end(report);
          close();
        } catch (error) {
          errors.set(reporting, error);
        }
      }
      for (const error of errors.values()) throw error;
    },
  };
}
