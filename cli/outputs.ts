import { appendFileSync, closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunEvent } from '../contracts/report/journal.ts';
import type { Report } from '../contracts/report/report.ts';
import { type Output, type ReporterName, type Reporting, reporters } from '../reports/index.ts';
import { withoutCommands } from '../reports/workflow-commands.ts';
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

/** Opens a file for writing, its folder made first. Throws a `UsageError` when that cannot be. */
export function openForWriting(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'w');
  } catch (error) {
    throw new UsageError(
      `cannot write ${file} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}); choose another place with --out`,
    );
  }
}

/** The reports of a run that are being written. */
export interface Reports {
  event(event: RunEvent): void;
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
  return { obeyed: true, ...(file === '' ? {} : { stepSummary: text => appendFileSync(file, text) }) };
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
  const open: { reporting: Reporting; close(): void }[] = [];
  for (const { name, file } of choices) {
    const handle = file === null ? null : openForWriting(file);
    const output: Output =
      handle === null
        ? { ...terminal, write: standardOutput(name, terminal), files }
        : { colour: false, interactive: false, write: text => void writeSync(handle, text), files };
    open.push({
      reporting: await reporters[name].create(output),
      close: () => {
        if (handle !== null) closeSync(handle);
      },
    });
  }
  return {
    event: event => {
      for (const { reporting } of open) reporting.event(event);
    },
    async end(report) {
      for (const { reporting, close } of open) {
        await reporting.end(report);
        close();
      }
    },
  };
}
