/**
 * Where anything may leave the process, and who may say that a text can be shown without having redacted it: as tables,
 * and the judge that holds a source file against them. What the compiler cannot hold of the type `Shown` is held here.
 */
import { isTestSupport } from './boundaries.ts';

/** The folders that ship. */
const shipped = /^(contracts|reference-server|suites|reports|cli)\//;

/** A way in which something could leave unseen, and the files that have it all the same. */
interface Way {
  readonly pattern: RegExp;
  readonly what: string;
  readonly instead: string;
  /** File or folder by why it may. */
  readonly homes: Readonly<Record<string, string>>;
}

const writing = '(?:writeFile|appendFile|createWriteStream|open|write|writev|copyFile|cp|mkdtemp)(?:Sync)?';

/** Files that keep what the reference server holds: state, and no report of it. */
const stores = {
  'reference-server/store/folder.ts': 'the folder in which worlds are kept',
  'reference-server/store/log-file.ts': 'the log of their changes',
  'reference-server/store/folder-lock.ts': 'who has the folder',
};
const writer = { 'cli/writer.ts': 'the writer', 'cli/own-file.ts': 'opens what the writer writes' };
const reader = { 'cli/input-file.ts': 'opens files to read them' };
const streams = { 'cli/streams.ts': 'its part for terminals' };

// biome-ignore format: a table
export const ways: readonly Way[] = [
  { pattern: /\bprocess\s*\.\s*(?:stdout|stderr|emitWarning|_rawDebug)\b/,                            what: 'a stream of the process',  instead: 'cli/streams.ts has both',       homes: streams },
  { pattern: /\{[^}]*\b(?:stdout|stderr)\b[^}]*\}\s*=\s*process\b/,                                   what: 'a stream of the process',  instead: 'cli/streams.ts has both',       homes: streams },
  { pattern: /(?<![\w./@-])console\s*\.\s*\w+\s*\(|import[^;]*\bfrom 'node:(?:console|process)'/,    what: 'the console',              instead: 'cli/streams.ts has both',       homes: {} },
  { pattern: new RegExp(`import\\s*\\{[^}]*\\b${writing}\\b[^}]*\\}\\s*from '(?:node:)?fs(?:/promises)?'`), what: 'a way to write files', instead: 'cli/writer.ts writes files',         homes: { ...writer, ...stores, ...reader } },
  { pattern: /import\s+(?:\*\s+as\s+)?\w+[^;{]*from '(?:node:)?fs(?:\/promises)?'|import\('(?:node:)?fs/,        what: 'all of node:fs',           instead: 'import what is needed by its name',    homes: {} },
  { pattern: /\bas\s+(?:unknown\s+as\s+)?Shown\b/,                                                    what: 'a cast to Shown',          instead: 'the redactor makes it',                homes: { 'contracts/redaction/': 'the redactor' } },
  { pattern: /\bvouched\b/,                                                                           what: 'vouching for a text',      instead: 'redact it with `shown` of cli/known-secrets.ts', homes: {
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

/** What of a source is code: without comments, which may speak of anything. */
const codeOf = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');

const isAt = (file: string, home: string): boolean => (home.endsWith('/') ? file.startsWith(home) : file === home);

/** Why a source file may not do what it does; empty when it may. `file` is its path from the root of the repository. */
export function leavingProblems(file: string, source: string): readonly string[] {
  if (!shipped.test(file) || isTestSupport(file)) return [];
  const code = codeOf(source);
  return ways
    .filter(({ pattern, homes }) => pattern.test(code) && !Object.keys(homes).some(home => isAt(file, home)))
    .map(({ what, instead }) => `${file}: ${what}; ${instead}`);
}
