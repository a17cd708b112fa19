/**
 * Tables of where data may leave the process and which files may vouch for a text without redacting it, and the
 * function that checks a source file against them. It covers what the type `Shown` cannot enforce at compile time.
 */
import { isTestSupport } from './boundaries.ts';

/** The folders that ship. */
const shipped = /^(contracts|reference-server|suites|reports|cli)\//;

/** A way in which data could leave unseen, and the files that are allowed it. */
interface Way {
  readonly pattern: RegExp;
  readonly what: string;
  readonly instead: string;
  /** The allowed files or folders, each with the reason. */
  readonly homes: Readonly<Record<string, string>>;
}

const writing = '(?:writeFile|appendFile|createWriteStream|open|write|writev|copyFile|cp|mkdtemp)(?:Sync)?';

/** Files that hold the state of the reference server, which is not a report. */
const stores = {
  'reference-server/store/folder.ts': 'the folder in which worlds are kept',
  'reference-server/store/log-file.ts': 'the log of their changes',
  'reference-server/store/folder-lock.ts': 'who has the folder',
};
const writer = { 'cli/writer.ts': 'the writer', 'cli/own-file.ts': 'opens what the writer writes' };
const reader = { 'cli/input-file.ts': 'opens files to read them' };
const streams = { 'cli/writer.ts': 'the writer' };

// biome-ignore format: a table
export const ways: readonly Way[] = [
  { pattern: /\bprocess\s*\.\s*(?:stdout|stderr|emitWarning|_rawDebug)\b/,                            what: 'a stream of the process',  instead: 'cli/writer.ts has both',       homes: streams },
  { pattern: /\{[^}]*\b(?:stdout|stderr)\b[^}]*\}\s*=\s*process\b/,                                   what: 'a stream of the process',  instead: 'cli/writer.ts has both',       homes: streams },
  { pattern: /(?<![\w./@-])console\s*\.\s*\w+\s*\(|import[^;]*\bfrom 'node:(?:console|process)'/,    what: 'the console',              instead: 'cli/writer.ts has both',       homes: {} },
  { pattern: new RegExp(`import\\s*\\{[^}]*\\b${writing}\\b[^}]*\\}\\s*from '(?:node:)?fs(?:/promises)?'`), what: 'a way to write files', instead: 'cli/writer.ts writes files',         homes: { ...writer, ...stores, ...reader } },
  { pattern: /import\s+(?:\*\s+as\s+)?\w+[^;{]*from '(?:node:)?fs(?:\/promises)?'|import\('(?:node:)?fs/,        what: 'all of node:fs',           instead: 'import what is needed by its name',    homes: {} },
  { pattern: /\bas\s+(?:unknown\s+as\s+)?Shown\b/,                                                    what: 'a cast to Shown',          instead: 'the redactor makes it',                homes: { 'contracts/redaction/': 'the redactor' } },
  { pattern: /\bvouched\b/,                                                                           what: 'vouching for a text',      instead: 'redact it with `shown` of cli/writer.ts', homes: {
    'contracts/redaction/shown.ts':   'says what it is',
    'cli/outputs.ts':                 'reporters see nothing but events that may be shown',
    'cli/commands/diff.ts':           'the same of comparisons',
    'cli/program.ts':                 'help, and lists of what there is',
    'cli/commands/serve.ts':          'tells the key that the double for tests was started with',
    'cli/commands/proxy.ts':          'tells the key of the embedded server',
    'suites/diff/record/recorder.ts':        'puts redacted parts together',
    'suites/traffic/recordings/har-entry.ts':    'puts redacted parts together',
  } },
];

/** Returns a source without its comments, which may mention anything. */
const codeOf = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

const isAt = (file: string, home: string): boolean => (home.endsWith('/') ? file.startsWith(home) : file === home);

/** Returns why a source file is refused; empty if it is not. `file` is its path from the root of the repository. */
export function leavingProblems(file: string, source: string): readonly string[] {
  if (!shipped.test(file) || isTestSupport(file)) return [];
  const code = codeOf(source);
  return ways
    .filter(({ pattern, homes }) => pattern.test(code) && !Object.keys(homes).some(home => isAt(file, home)))
    .map(({ what, instead }) => `${file}: ${what}; ${instead}`);
}
