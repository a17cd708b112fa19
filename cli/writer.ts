import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { membersOf } from '../contracts/json.ts';
import { credentialsIn, userInformationIn } from '../contracts/redaction/credentials.ts';
import { createSecrets, longSecret, type Secrets } from '../contracts/redaction/secrets.ts';
import type { Shown } from '../contracts/redaction/shown.ts';
import { hidden, redactions } from '../contracts/report/evidence.ts';
import { makeFolder } from '../reference-server/store/folder-lock.ts';
import { withoutCommands } from '../reports/formats/workflow-commands.ts';
import { safeLines, safeText } from '../reports/text/safe-text.ts';
import { namesCredential } from '../suites/client/secret-names.ts';
import { type Environment, refuse } from './input.ts';
import { openNamed, openUnder, replaceNamed } from './own-file.ts';

/**
 * The only place that writes: to files, the standard output and the standard error. It takes only redacted values, and
 * knows the secrets by which they are redacted. `tools/leaving.ts` finds other writers.
 */

/** The secrets known so far; every output of this process is redacted by them. */
let secrets: Secrets = createSecrets();

/** Returns the secrets known so far. Add a newly learned secret before anything else is printed. */
export const knownSecrets = (): Secrets => secrets;

/** Redacts a text of this program, with all that it quotes, for display. */
export const shown = (text: string): Shown => secrets.redact(text);

/** Flags whose names sound secret but whose values are not: names, commands and files. */
const harmless: ReadonlySet<string> = new Set([
  '--api-key-header',
  '--api-key-command',
  '--client-key',
  '--client-cert',
  '--tls-key',
  '--tls-cert',
]);

/** Adds parts of a longer secret. A short part is redacted only as a whole value of a header, cookie or form. */
function addParts(parts: readonly string[], mark: string): void {
  for (const part of parts) secrets.add(part, mark, part.length >= longSecret ? 'text' : 'field');
}

/** Adds the secrets in the value of a flag. */
function learnFlag(flag: string, value: string): void {
  // If the colon was forgotten, the text after the name is still secret.
  if (flag === '--header') addParts(credentialsIn(value.replace(/^[^\s:]*[\s:]?/, '')), hidden.header);
  else if (flag === '--key') {
    const key = value.slice(value.indexOf('=') + 1);
    for (const one of [key, key.replace(/:[\w-]*$/, '')]) secrets.add(one, redactions.key);
  } else if (namesCredential(flag) && !harmless.has(flag)) secrets.add(value, redactions.key);
}

/**
 * Starts a new set of secrets from the command line and the environment: a mistake in one flag must not reveal another.
 */
export function learnCommand(argv: readonly string[], environment: Environment): void {
  secrets = createSecrets();
  // The key of `verify` is a public one, in a file.
  const isVerify = argv[0] === 'verify';
  for (const [index, word] of argv.entries()) {
    const [, flag = word, value = argv[index + 1]] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    if (flag.startsWith('--') && value !== undefined && !(isVerify && flag === '--key')) learnFlag(flag, value);
    addParts(userInformationIn(word.replace(/^--[a-z-]+=/, '')), hidden.named);
  }
  for (const name of ['SERVICE_API_KEY', 'REFERENCE_CONTROL_KEY'])
    if (environment[name] !== undefined) secrets.add(environment[name], redactions.key);
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
    addParts(userInformationIn(environment[name] ?? ''), hidden.proxy);
}

/** Adds the secrets of a target file, whatever else is wrong with it. */
export function learnFile(value: unknown): void {
  const { apiKey, baseUrl, headers } = membersOf(value);
  if (typeof apiKey === 'string' && apiKey !== '') secrets.add(apiKey, redactions.key);
  if (typeof baseUrl === 'string') addParts(userInformationIn(baseUrl), hidden.named);
  for (const header of Array.isArray(headers) ? headers : []) {
    const { value: text } = membersOf(header);
    if (typeof text === 'string') addParts(credentialsIn(text), hidden.header);
  }
}

const streamOf = (stream: () => NodeJS.WriteStream) => ({
  get isTTY() {
    return stream().isTTY === true;
  },
  get columns(): number | undefined {
    return stream().columns;
  },
  /** Writes a page, whose quotations are already escaped, and keeps its layout. Disarms workflow commands. */
  write: (text: Shown): void => void stream().write(withoutCommands(text)),
  /** Writes lines for people; escapes whatever they quote. */
  say: (text: Shown): void => void stream().write(messageLines(text)),
  /** Writes workflow commands, for runners to obey. */
  annotate: (text: Shown): void => void stream().write(text),
});

/** A stream of this process: its properties, and ways to write redacted texts. */
export type Stream = ReturnType<typeof streamOf>;

/** The standard output, for the requested result. */
export const output = streamOf(() => process.stdout);

/** The standard error, for everything else. */
export const errors = streamOf(() => process.stderr);

/** Writes lines to the standard error, without any known secret. */
export const tell = (text: string): void => errors.say(shown(text));

/** Prints lines to the standard output, without any known secret. */
export const print = (text: string): void => output.say(shown(text));

/**
 * Keeps this process alive if its standard output cannot be written, because a run still has to restore its target and
 * write its files. A reader that closes the pipe (`| head`) changes nothing. After any other error, such as a full
 * disk, the process ends with one line on the standard error. Its exit code is then 2 instead of 0, 1 or 3.
 */
export function outliveOutputs(): void {
  let first: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', error => {
    first ??= error;
  });
  // There is no stream left to report it on.
  process.stderr.on('error', () => {});
  process.on('exit', code => {
    if (!first || first.code === 'EPIPE') return;
    tell(`conform: cannot write the standard output (${first.code ?? first.message})\n`);
    if (code < 4) process.exitCode = 2;
  });
}

/** Maximum number of characters of a message, which might quote a whole file. */
const most = 2_000;

/**
 * Returns one line for people, whatever it quotes of flags, files or targets. Invisible characters are escaped, and no
 * workflow runner takes the line for a command.
 */
export const messageLine = (text: string): string => `${withoutCommands(safeText(text, most))}\n`;

/** Returns lines for people, escaped in the same way but not truncated. */
const messageLines = (text: string): string => withoutCommands(safeLines(text));

/** Runs a function on a file. Turns a system error into a `UsageError` of one line that ends with a hint. */
export function withFile<T>(file: string, hint: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    refuse(`cannot write ${file} (${code ?? message})${hint}`);
  }
}

/** Throws an error if an open file is no longer in its place: what is written would be lost. */
function refuseGone(handle: number, file: string): void {
  const [open, there] = [fstatSync(handle), statSync(file, { throwIfNoEntry: false })];
  if (open.isFile() && (there?.ino !== open.ino || there.dev !== open.dev))
    throw new Error('what was written there is gone');
}

function opened(file: string, flag: string, under: string | undefined): number {
  return withFile(file, `; choose another place with ${flag}`, () => {
    if (under !== undefined) return openUnder(under, file);
    makeFolder(dirname(file));
    return openNamed(file);
  });
}

const closed = (handle: number, file: string): void =>
  withFile(file, '', () => {
    refuseGone(handle, file);
    closeSync(handle);
  });

/**
 * Opens a file for writing and makes its folder. Throws a `UsageError` if it cannot be written; the message suggests
 * `flag` for another place. `under`: the folder of a file with a generated name, which then never leads elsewhere. Both
 * methods of the file throw one if the disk is full or gone.
 */
export function openFile(file: string, flag = '--out', under?: string) {
  const handle = opened(file, flag, under);
  return {
    /** Appends a whole text. A single system call may write only a part of it, for example on an almost full disk. */
    write: (text: Shown<string | Uint8Array>): void => withFile(file, '', () => writeFileSync(handle, text)),
    close: () => closed(handle, file),
  };
}

/** Opens a file that ends with `end` after each text, so that it is always complete. Throws as `openFile` does. */
export function openEnded(file: string, flag: string, end: string): ReturnType<typeof openFile> {
  const handle = opened(file, flag, undefined);
  let at = 0;
  return {
    write(text) {
      // The next text overwrites the end.
      const bytes = Buffer.concat([Buffer.from(text), Buffer.from(end)]);
      withFile(file, '', () => {
        for (let written = 0; written < bytes.length; )
          written += writeSync(handle, bytes, written, bytes.length - written, at + written);
      });
      at += bytes.length - Buffer.byteLength(end);
    },
    close: () => closed(handle, file),
  };
}

/** Writes a text to a file and makes its folder. Throws a `UsageError` if it cannot. The rest is as for `openFile`. */
export function writeText(file: string, text: Shown, flag = '--out', under?: string): void {
  const open = openFile(file, flag, under);
  open.write(text);
  open.close();
}

/** Writes a text to a new file, or replaces an existing one with `force`. Throws a `UsageError` if it cannot. */
export function writeNew(file: string, text: Shown, force: boolean): void {
  withFile(file, '; choose another place with --out', () => {
    makeFolder(dirname(file));
    writeFileSync(file, text, { flag: force ? 'w' : 'wx' });
  });
}

/** Writes a text into the place of a file, whole or not at all, and makes its folder. Throws as `openFile` does. */
export function replaceText(file: string, text: Shown, flag: string): void {
  withFile(file, `; choose another place with ${flag}`, () => {
    makeFolder(dirname(file));
    replaceNamed(file, text);
  });
}

/** Appends a text to a file. Throws a `UsageError` if it cannot be written. */
export function appendText(file: string, text: Shown): void {
  withFile(file, '', () => appendFileSync(file, text));
}

/** Edits a file of the user, whole or not at all. Throws a `UsageError` if it cannot be written. */
export function editFile(file: string, edit: (text: string) => string): void {
  withFile(file, '', () => replaceNamed(file, edit(readFileSync(file, 'utf8'))));
}

/** Removes a file that this process opened and has written nothing into. A device or a pipe stays. */
export function removeUnwritten(file: string): void {
  const stats = existsSync(file) ? lstatSync(file) : undefined;
  if (stats?.isFile() && stats.size === 0) rmSync(file);
}

/** Removes a file that this process wrote, unless somebody has written another text since. A device or a pipe stays. */
export function removeOwn(file: string, text: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file, 'utf8') === text) rmSync(file);
}
