import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { EndpointId } from '../contracts/endpoints.ts';
import type { Report } from '../contracts/report/report.ts';
import { referenceTarget } from '../reference-server/index.ts';
import { apiKey } from './servers.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const schemathesisProgram = here('./.venv/bin/schemathesis');
const conformProgram = here('../dist/cli/main.js');

/** Returns why a tool cannot be measured, or null. */
export const missing = (): string | null => {
  if (!existsSync(schemathesisProgram))
    return '`python3 -m venv bench/.venv` and `bench/.venv/bin/pip install -r bench/requirements.txt` install Schemathesis';
  return existsSync(conformProgram) ? null : '`npm run build` makes dist/cli/main.js';
};

/** The failures that a tool reports, each as operation and check, and the milliseconds of its whole process. */
export interface ToolResult {
  readonly reported: ReadonlySet<string>;
  readonly milliseconds: number;
}

/** Runs a tool against a server, on these endpoints or on all; `directory` holds its files. */
export type Tool = (url: URL, endpoints: readonly EndpointId[] | null, directory: string) => Promise<ToolResult>;

/** Longest time of one run in milliseconds. It is then killed, which counts as a failure. */
const longest = 300_000;

/** Runs a program and returns the milliseconds. Kills it with this process, or after the longest time. */
async function finished(command: string, args: readonly string[], cwd: string): Promise<number> {
  const start = performance.now();
  const child = spawn(command, args, { cwd, stdio: 'ignore', timeout: longest, killSignal: 'SIGKILL' });
  const stop = () => {
    child.kill('SIGKILL');
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  await new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject));
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return performance.now() - start;
}

const readReport = (file: string): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

interface SchemathesisReport {
  readonly failures: readonly {
    readonly code: string;
    readonly title: string;
    readonly operations: readonly string[];
  }[];
  readonly errors: readonly { readonly title: string }[];
}

/** `schemathesis run` with all checks and phases, its default number of examples, and the files of `writeSetup`. */
export const schemathesisTool: Tool = async (url, endpoints, directory) => {
  const file = join(directory, 'schemathesis.json');
  rmSync(file, { force: true });
  const milliseconds = await finished(
    schemathesisProgram,
    // biome-ignore format: one flag a line
    [
      '--config-file', 'schemathesis.toml',
      'run', 'openapi.json',
      '--url', url.origin,
      '--header', `SERVICE-API-KEY: ${apiKey}`,
      '--checks', 'all',
      '--phases', 'examples,coverage,fuzzing,stateful',
      '--seed', '1',
      '--generation-database', 'none',
      '--continue-on-failure',
      '--request-timeout', '1',
      '--report', 'json',
      '--report-json-path', file,
      ...(endpoints ?? []).flatMap(id => ['--include-operation-id', id]),
    ],
    directory,
  );
  const report = readReport(file) as SchemathesisReport | null;
  if (report === null) return { reported: new Set(['run was not ended']), milliseconds };
  const failures = report.failures.flatMap(({ code, title, operations }) =>
    operations.map(operation => `${operation}: ${code} ${title}`),
  );
  return { reported: new Set([...failures, ...report.errors.map(({ title }) => `error: ${title}`)]), milliseconds };
};

/** `conform run` with defaults and the target file of the reference server. Each failure has its level. */
export const conformTool: Tool = async (url, endpoints, directory) => {
  const out = join(directory, 'conform');
  rmSync(out, { recursive: true, force: true });
  writeFileSync(join(directory, 'conform.config.json'), JSON.stringify(referenceTarget()));
  const milliseconds = await finished(
    process.execPath,
    // biome-ignore format: one flag a line
    [
      conformProgram, 'run',
      '--config', 'conform.config.json',
      '--base-url', url.origin,
      '--api-key', apiKey,
      '--timeout', '1s',
      '--out', out,
      ...(endpoints ?? []).flatMap(id => ['--only', `${id}/*`]),
    ],
    directory,
  );
  const report = readReport(join(out, 'report.json')) as Report | null;
  if (report === null) return { reported: new Set(['run was not ended']), milliseconds };
  const reported = report.endpoints.flatMap(({ checks }) =>
    checks.flatMap(({ id, findings }) => findings.map(({ requirement, level }) => `${id}: ${level} ${requirement}`)),
  );
  return { reported: new Set(reported), milliseconds };
};
