import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compact, present } from '../contracts/present.ts';
import { own, type Shown } from '../contracts/redaction/shown.ts';
import type { RunStart } from '../contracts/report/journal.ts';
import { specificationNaming, type TargetFile } from '../contracts/target.ts';
import { safeText } from '../reports/text/safe-text.ts';
import { timeText } from '../reports/text/time-text.ts';
import { pause } from '../suites/client/deferral.ts';
import type { KeySource, Target } from '../suites/protocol/sut.ts';
import type { NoAnswers } from '../suites/sut/discovery.ts';
import { whyNotReady } from '../suites/sut/probe-client.ts';
import { targetOf } from '../suites/sut/target.ts';
import { addSecretsOf } from '../suites/sut/target-secrets.ts';
import { accessOf, refuseHeaders } from './connection.ts';
import type { InitFlags, ReplayFlags } from './definitions/target.ts';
import type { ConnectionFlags } from './flags.ts';
import { refuse } from './input.ts';
import { keysOfCommand, refuseKey } from './key-command.ts';
import { refuseUnwritable } from './later-file.ts';
import { readTargetFile } from './target-file.ts';
import { errors, knownSecrets, print, tell, writeNew } from './writer.ts';

/** The flags that name the target and how to reach it. */
export type TargetFlags = ConnectionFlags &
  Pick<ReplayFlags, 'baseUrl' | 'apiKey' | 'config'> & {
    /** The name of the key's header, if it overrides that of the config. */
    readonly apiKeyHeader?: string | undefined;
  };

/** A target to test. `close` ends what was started for it. */
export interface ChosenTarget {
  readonly target: Target;
  readonly embedded: boolean;
  /** `coverage.min` of the target file, in percent. */
  readonly minCoverage?: number;
  close(): Promise<void>;
}

/** The target file that `init` writes; `run` and `doctor` read it if no flag names a server. */
const targetFileName = 'conform.config.json';

/**
 * Adds the target file of a folder, with a message, if the flags name neither a base URL nor a target file. Otherwise a
 * run after `init` would test the embedded server and pass.
 */
export function withFoundConfig<T extends TargetFlags>(flags: T, folder = '.'): T {
  const config = join(folder, targetFileName);
  if ((flags.baseUrl ?? flags.config) !== undefined || !existsSync(config)) return flags;
  errors.say(own`Reading conform.config.json of this folder. Name another with --config.\n`);
  return { ...flags, config };
}

/**
 * Reads a server and writes a file of what it shows; `pageOf` returns the text of the file and what to print. Returns
 * the exit code: 0, or 3 if the server does not answer; then no file was written. Throws a `UsageError` if the file
 * exists already, unless `--force` allows replacing it.
 */
export async function fileOf<Found extends object>(
  target: Target,
  { out, force = false, event, wait, timeout }: Omit<InitFlags, 'apiKeyHeader'>,
  read: (target: Target, events: readonly string[], timeoutMs: number) => Promise<Found | NoAnswers>,
  pageOf: (found: Found) => readonly [file: Shown, page: string],
): Promise<number> {
  if (existsSync(out) && !force) refuse(`${out} is there already; --force writes over it, --out names another`);
  refuseUnwritable(out, '--out');
  await waitForTarget(target, { wait, timeout });
  const found = await read(target, event, timeout);
  if ('unreachable' in found) {
    const { unreachable, remedy } = found as NoAnswers;
    const hint = remedy === undefined ? '' : `\n  → ${safeText(remedy, 400)}`;
    tell(`conform: ${safeText(unreachable, 400)}; nothing was written${hint}\n`);
    return 3;
  }
  const [file, page] = pageOf(found);
  writeNew(out, file, force);
  print(page);
  return 0;
}

/** Parses the base URL of a server. Throws a `UsageError` that names the place of the text. */
export function baseUrlOf(text: string, place: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    refuse(`${place} ${JSON.stringify(text)} is no URL; give one such as http://127.0.0.1:4010`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    refuse(`${place} must be an http or https URL, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') refuse(`${place} must not carry a user name or a password`);
  if (url.search !== '' || url.hash !== '') refuse(`${place} must not carry a query or a fragment`);
  return url;
}

/**
 * Returns the address of a server: that of a flag, else that of the target file. Throws a `UsageError` if neither has a
 * valid one.
 */
export function addressOf(
  given: string | undefined,
  flag: string,
  config: string | undefined,
  { baseUrl = '' }: TargetFile,
): URL {
  if (given !== undefined) return baseUrlOf(given, flag);
  if (baseUrl !== '') return baseUrlOf(baseUrl, `${config}: /baseUrl`);
  refuse(`${config} has no baseUrl; add "baseUrl": "http://…" or give ${flag}`);
}

/**
 * Milliseconds for which the embedded server waits for a whole request. On a busy machine the suite, in the same
 * process, may take long to send a request that it holds back for others.
 */
const patience = 600_000;

async function embedded(): Promise<ChosenTarget> {
  const { createReferenceServer, referenceTarget } = await import('../reference-server/index.ts');
  const apiKey = 'embedded-reference-key';
  const server = createReferenceServer({ apiKey, headersTimeout: patience, requestTimeout: patience });
  const { url } = await server.listen();
  const target = targetOf(referenceTarget(), new URL(url), apiKey);
  addSecretsOf(target, knownSecrets());
  return { target, embedded: true, close: () => server.close() };
}

/** Returns the key of the flags, of the config or of the environment, in that order. */
async function keysOf({ apiKey: given, apiKeyCommand }: TargetFlags, file: TargetFile): Promise<string | KeySource> {
  if (given !== undefined && apiKeyCommand !== undefined) refuse('--api-key and --api-key-command: give one of them');
  if (apiKeyCommand !== undefined) return keysOfCommand(apiKeyCommand);
  const apiKey = given ?? file.apiKey ?? process.env.SERVICE_API_KEY;
  if (!apiKey) {
    refuse('no API key: give --api-key, "apiKey" in the config, or SERVICE_API_KEY in the environment');
  }
  refuseKey(apiKey, 'the API key');
  return apiKey;
}

/** Returns the texts of a target file, as JSON Pointers, that flags override. */
function givenBy(flags: TargetFlags, { headers = [] }: TargetFile): string[] {
  const names = (flags.header ?? []).map(text => text.slice(0, text.indexOf(':')).toLowerCase());
  return compact([
    flags.baseUrl !== undefined && '/baseUrl',
    (flags.apiKey ?? flags.apiKeyCommand) !== undefined && '/apiKey',
    flags.apiKeyHeader !== undefined && '/naming/apiKeyHeader',
    ...headers.flatMap(({ name }, index) => (names.includes(name.toLowerCase()) ? [`/headers/${index}/value`] : [])),
  ]);
}

/**
 * Returns the target of a run. Flags override the config, and the config overrides the environment. Without a base URL
 * and a config it is the embedded reference server, on a free loopback port. Throws a `UsageError` for a mistake in any
 * of them.
 */
export async function chooseTarget(flags: TargetFlags): Promise<ChosenTarget> {
  if ((flags.baseUrl ?? flags.config) === undefined) {
    const flag = flags.apiKey === undefined ? '--api-key-command' : '--api-key';
    if ((flags.apiKey ?? flags.apiKeyCommand) !== undefined)
      refuse(`${flag} without --base-url or --config: which server is it the key of?`);
    return embedded();
  }
  const read = readTargetFile(flags.config, file => givenBy(flags, file));
  const { apiKeyHeader } = flags;
  const file = apiKeyHeader === undefined ? read : { ...read, naming: { ...read.naming, apiKeyHeader } };
  const baseUrl = addressOf(flags.baseUrl, '--base-url', flags.config, file);
  const header = file.naming?.apiKeyHeader ?? specificationNaming.apiKeyHeader;
  refuseHeaders(file.headers ?? [], header, `${flags.config}: /headers`);
  const access = accessOf(flags, baseUrl, header);
  const keys = await keysOf(flags, file);
  const target = targetOf(file, baseUrl, keys, access);
  addSecretsOf(target, knownSecrets());
  return { target, embedded: false, ...present({ minCoverage: file.coverage?.min }), close: async () => {} };
}

/** Milliseconds between two looks at a starting target. */
const interval = 500;

/**
 * Waits for a starting target for as long as `--wait` says, and says so on the standard error. Also returns if the time
 * is up or the signal is aborted: the caller will then report the problem.
 *
 * @param wait absent: does not wait
 * @param timeout longest wait for one answer
 */
export async function waitForTarget(
  target: Target,
  { wait, timeout }: Pick<ReplayFlags, 'wait' | 'timeout'>,
  signal?: AbortSignal,
): Promise<void> {
  if (wait === undefined) return;
  const { href } = target.baseUrl;
  const until = performance.now() + wait;
  const aborted = new Promise<null>(resolve => signal?.addEventListener('abort', () => resolve(null), { once: true }));
  for (let looks = 0; ; looks += 1) {
    const left = until - performance.now();
    if (left <= 0 || signal?.aborted) return;
    const why = await Promise.race([whyNotReady(target, Math.min(timeout, left)), aborted]);
    if (why === null) {
      if (looks > 0 && !signal?.aborted) tell(`${href} answers.\n`);
      return;
    }
    if (looks === 0) tell(`Waiting up to ${timeText(wait)} for ${href} (${safeText(why, 200)}). Ctrl-C ends it.\n`);
    await pause(Math.min(interval, Math.max(until - performance.now(), 0)), signal);
  }
}

/**
 * The flags that name the target of a command that repeats or undoes a recorded run. `addressFrom`: the source of the
 * address, once settled.
 */
type RecordedTargetFlags = TargetFlags & Pick<ReplayFlags, 'useReportedAddress'> & { readonly addressFrom?: string };

/**
 * Returns the flags that name the target of a recorded run.
 *
 * The key is sent only where the user says. A report may come from somebody else, so its address is used only with
 * `--use-reported-address`.
 *
 * Throws a `UsageError` that shows the address if that flag is missing, and one if the run's target file is missing.
 *
 * @param file the report or journal
 */
export function recordedTarget(
  { target, options }: Pick<RunStart, 'target'> & { readonly options: { readonly config?: string } },
  file: string,
  flags: RecordedTargetFlags,
): RecordedTargetFlags {
  const { baseUrl, config } = flags;
  if (target.embedded && (baseUrl ?? config) === undefined) return flags;
  const {
    addressFrom = `from ${baseUrl === undefined ? (config ?? `${file}, by --use-reported-address`) : '--base-url'}`,
  } = flags;
  if (config !== undefined) return { ...flags, addressFrom };
  const named = target.embedded ? undefined : options.config;
  if (named !== undefined && !existsSync(named))
    refuse(`the run read ${safeText(named, 400)}, which is not there; name its target file with --config`);
  const known = { ...flags, config: named, addressFrom };
  if (baseUrl !== undefined) return known;
  const { href } = baseUrlOf(safeText(target.baseUrl, 400), `the address in ${file}`);
  if (!flags.useReportedAddress)
    refuse(`${file} names ${href}; give --base-url or --config, or --use-reported-address to send the key there`);
  return { ...known, baseUrl: href };
}

/** Says on the standard error where a command is about to send to, and the source of the address. */
export function tellAddress(
  { target, embedded }: ChosenTarget,
  { addressFrom = '', config }: RecordedTargetFlags,
): void {
  const file =
    config === undefined || addressFrom.endsWith(config) ? '' : `, with the target file ${safeText(config, 400)}`;
  const from = embedded ? 'the embedded reference server' : `${addressFrom}${file}`;
  tell(`Sending to ${target.baseUrl.href} (${from}).\n`);
}
