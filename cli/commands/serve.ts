import { readFileSync, statSync } from 'node:fs';
import { isObject, membersOf, parsedJson } from '../../contracts/json.ts';
import { compact, present } from '../../contracts/present.ts';
import { vouched } from '../../contracts/redaction/shown.ts';
import { spelledOutSeedSchema } from '../../contracts/seed.ts';
import { type Naming, namingSchema, specificationNaming } from '../../contracts/target.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { isLoopback } from '../../reference-server/control/guard.ts';
import { createEmulator } from '../../reference-server/emulator.ts';
import type { BehaviourRequest, ReferenceServer } from '../../reference-server/index.ts';
import { InvalidSeed, seedOf } from '../../reference-server/seed/seed.ts';
import { isAddress, shownAddress } from '../../reference-server/store/address.ts';
import { backendFor } from '../../reference-server/store/backends.ts';
import { StoreError } from '../../reference-server/store/store-error.ts';
import { prefixFault } from '../../reference-server/worlds/keys.ts';
import { safeText } from '../../reports/text/safe-text.ts';
import { invocation, shellWord, singleQuoted } from '../../reports/text/shell.ts';
import { deferred } from '../../suites/protocol/deferred.ts';
import type { ServeFlags } from '../definitions/server.ts';
import { flagOf } from '../flags.ts';
import { refuse, refusing } from '../input.ts';
import { readJson } from '../input-file.ts';
import { onEndingSignal } from '../interruption.ts';
import { refuseKey } from '../key-command.ts';
import { readSeed } from '../seed-file.ts';
import { listenAt, requestPrinter, servedKeys, servedTls } from '../served.ts';
import { didYouMean } from '../suggestion.ts';
import { refuseProblems } from '../target-file.ts';
import { output, removeOwn, tell, writeText } from '../writer.ts';

/** Returns a function that prints an error answered with 500 or 503, and skips immediate repetitions of it. */
function errorPrinter(): (error: unknown) => void {
  let last: unknown;
  return error => {
    if (error === last) return;
    last = error;
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
    const text = name === 'StoreError' ? message : `answered 500 for an unexpected error: ${name}: ${message}`;
    tell(`conform: ${safeText(text, 500)}\n`);
  };
}

/** Loads the catalogue of faults and dialects on demand: that takes half as long as the rest of the server. */
const catalogue = async () => {
  const [{ faults }, { dialects }] = await Promise.all([
    import('../../reference-server/faults/index.ts'),
    import('../../reference-server/dialects/index.ts'),
  ]);
  return { faults, dialects };
};

const defaults = { port: 4010, host: '127.0.0.1', apiKey: 'reference-key' } as const;

/** Returns the rows with these ids. Throws a `UsageError` for an unknown id. */
const rowsNamed = <Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[], kind: string) =>
  ids.map(
    id =>
      rows.find(one => one.id === id) ??
      refuse(
        `there is no ${kind} called ${id}; \`list ${kind}s\` shows them all${didYouMean(
          id,
          rows.map(one => one.id),
        )}`,
      ),
  );

/** Returns the names given by flags. Throws a `UsageError` for an invalid one. */
function namingOf(flags: ServeFlags): Partial<Naming> {
  const { apiKeyHeader, unitIdField, startDatePlaceholder, endDatePlaceholder } = flags;
  const naming = present({ apiKeyHeader, unitIdField, startDatePlaceholder, endDatePlaceholder });
  const [problem] = validatorFor(namingSchema)(naming);
  if (!problem) return naming;
  const name = problem.pointer.slice(1) as keyof Naming;
  refuse(`${flagOf(name)} ${JSON.stringify(naming[name])} ${problem.message}`);
}

const prefixOf = (sandboxes: true | string): string => (sandboxes === true ? 'sandbox_' : sandboxes);

/**
 * Returns what a user of the server needs to know.
 *
 * @param main the server's key, if it is no secret, and its source
 */
function howToUse(
  flags: ServeFlags,
  { naming }: ReferenceServer,
  url: string,
  { shown, source }: ReturnType<typeof keysOf>['main'],
): string[] {
  const { unixSocket, tlsCert, key } = flags;
  const header = `${naming.apiKeyHeader}: ${shown ?? '$SERVICE_API_KEY'}`;
  const via = compact([
    unixSocket !== undefined && `--unix-socket ${shellWord(unixSocket)} `,
    tlsCert !== undefined && `--cacert ${shellWord(tlsCert)} `,
  ]).join('');
  const ca = tlsCert === undefined ? '' : ` --ca ${shellWord(tlsCert)}`;
  const hasOwnNames = Object.entries(specificationNaming).some(([name, own]) => naming[name as keyof Naming] !== own);
  return compact([
    `  base URL  ${url}`,
    unixSocket !== undefined && `  socket    ${unixSocket}`,
    `  API key   ${shown ?? `that of ${source}`}`,
    ...key.map(text => `  key       ${text.split('=')[0]}${text.endsWith(':read-only') ? ', read-only' : ''}`),
    flags.seed !== undefined && `  seed      ${flags.seed}`,
    flags.sandboxes !== undefined && `  sandboxes keys that begin with ${prefixOf(flags.sandboxes)}`,
    `  try       curl ${via}-H ${shown === undefined ? `"${header}"` : singleQuoted(header)} '${url}/console/v1/segments?limit=2'`,
    // A run has no flags for other names, and cannot use a socket.
    !hasOwnNames &&
      unixSocket === undefined &&
      `  test it   ${invocation} run --base-url ${url} --api-key ${shown === undefined ? '"$SERVICE_API_KEY"' : shellWord(shown)}${ca}`,
  ]);
}

/** Adds the behaviours of files. Throws a `UsageError` for a file that cannot be read as behaviours. */
async function addBehaviours({ control }: ReferenceServer, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const value = readJson(file, 'behaviours');
    if (!isObject(value)) refuse(`${file}: the whole file must be an object`);
    const { behaviours = [value] } = value;
    if (!Array.isArray(behaviours)) refuse(`${file}: /behaviours must be an array`);
    for (const behaviour of behaviours as BehaviourRequest[])
      await control.behaviours.add(behaviour).catch((error: Error) => {
        refuse(`${file}: ${error.message.replaceAll('\n', ' ')}`);
      });
  }
}

/** Returns the keys of the flags and the environment. Throws a `UsageError` for a key that no client can send. */
function keysOf(flags: ServeFlags) {
  const { SERVICE_API_KEY, REFERENCE_CONTROL_KEY } = process.env;
  const given = flags.apiKey ?? (SERVICE_API_KEY || undefined);
  if (given === '') refuse('--api-key is empty');
  if (given !== undefined) refuseKey(given, flags.apiKey === undefined ? 'SERVICE_API_KEY' : '--api-key');
  const keys = servedKeys(flags.key, given);
  const controlKey = flags.controlKey ?? (REFERENCE_CONTROL_KEY || undefined);
  if (controlKey === '') refuse('--control-key is empty');
  const apiKey = given ?? (keys.length === 0 ? defaults.apiKey : undefined);
  const main = {
    shown: flags.apiKey ?? (apiKey === defaults.apiKey ? apiKey : undefined),
    source: given === undefined ? `--key ${keys[0]?.name}` : '$SERVICE_API_KEY',
  };
  return { apiKey, keys, controlKey, main };
}

/** Throws a `UsageError` for flags that cannot go together, or with invalid values. */
function checkFlags({ unixSocket, port, host, corsHeader, sandboxes, maxSandboxes, sandboxIdle }: ServeFlags): void {
  if (unixSocket !== undefined && (port ?? host) !== undefined) refuse('--unix-socket takes no --port and no --host');
  const bad = corsHeader.find(name => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (bad !== undefined) refuse(`--cors-header ${JSON.stringify(bad)} is no name of a header`);
  if (sandboxes === undefined) {
    if (maxSandboxes !== undefined) refuse('--max-sandboxes needs --sandboxes');
    if (sandboxIdle !== undefined) refuse('--sandbox-idle needs --sandboxes');
    return;
  }
  const badPrefix = prefixFault(prefixOf(sandboxes));
  if (badPrefix !== undefined) refuse(`--sandboxes ${badPrefix}`);
}

/** Refuses a ready file in the place of any other file than one that an earlier server left. */
function refuseReadyFile(file: string | undefined): void {
  const stats = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (file === undefined || !stats?.isFile() || stats.size === 0) return;
  if (membersOf(parsedJson(readFileSync(file, 'utf8'))).control === undefined)
    refuse(`--ready-file: ${file} is there already, and is no ready file; give another path`);
}

/** Runs the reference server until the process is interrupted. Returns the exit code. */
export const command = async (flags: ServeFlags) => {
  const { store = 'memory', port = defaults.port, host = defaults.host } = flags;
  const rows = flags.fault.length + flags.dialect.length > 0 ? await catalogue() : { faults: [], dialects: [] };
  const faults = rowsNamed(flags.fault, rows.faults, 'fault');
  const dialects = rowsNamed(flags.dialect, rows.dialects, 'dialect');
  checkFlags(flags);
  refuseReadyFile(flags.readyFile);
  const { apiKey, keys, controlKey, main } = keysOf(flags);
  const tls = servedTls(flags);
  const seed = flags.seed === undefined ? undefined : readSeed(flags.seed);
  const onRequest = requestPrinter(flags, output);
  const backend = store === 'memory' ? undefined : await refusing([StoreError], () => backendFor(store));
  let server: ReferenceServer;
  let url: string;
  try {
    server = createEmulator({
      onError: errorPrinter(),
      keys,
      naming: namingOf(flags),
      faults,
      dialects,
      catalogue,
      openVocabulary: flags.openVocabulary ?? false,
      corsHeaders: flags.corsHeader,
      ...present({ apiKey, tls, controlKey, onRequest, backend, prefer: flags.prefer }),
      ...(flags.sandboxes !== undefined && {
        sandboxes: {
          prefix: prefixOf(flags.sandboxes),
          ...present({ most: flags.maxSandboxes, idle: flags.sandboxIdle }),
        },
      }),
      ...(seed && { initial: naming => seedOf(seed.value, naming) }),
    });
    // Read the store once, so that a broken one is reported before the address is.
    await refusing([StoreError], () => server.store.get('gates', ''));
    await addBehaviours(server, flags.behaviours);
    url = await listenAt(server, port, host, flags.unixSocket);
  } catch (error) {
    await backend?.close();
    if (error instanceof InvalidSeed && seed)
      refuseProblems(error.problems, spelledOutSeedSchema, 'seed', seed.placeOf);
    throw error;
  }
  // The reader of the address may stop the server at once, so listen first.
  const stopped = deferred<undefined>();
  const unheed = onEndingSignal(() => {
    // A second signal ends the process at once.
    unheed();
    stopped.resolve(undefined);
  });
  const isOpen = flags.unixSocket !== undefined || isLoopback(host) || controlKey !== undefined;
  // The key of a test double is no secret from the person who started it.
  output.say(
    vouched(
      compact([
        'Reference server of the Console Management API',
        ...faults.map(({ id, title }) => `  FAULT     ${id}: ${title}`),
        ...dialects.map(({ id, title }) => `  dialect   ${id}: ${title}`),
        ...howToUse(flags, server, url, main),
        `  look in   ${isOpen ? `${url}/_reference/` : 'closed, as other machines can reach it; --control-key opens it'}`,
        backend && `  kept in   ${isAddress(store) ? shownAddress(store) : store}`,
        'Ctrl-C stops it.',
        '',
      ]).join('\n'),
    ),
  );
  const ready = `${JSON.stringify({ url, control: `${url}/_reference/v1`, pid: process.pid })}\n`;
  let lost: Error | undefined;
  try {
    if (flags.readyFile !== undefined) writeText(flags.readyFile, vouched(ready), '--ready-file');
    lost = await Promise.race(compact([stopped.promise, backend?.lost]));
  } finally {
    unheed();
    await server.close();
    await backend?.close();
  }
  if (flags.readyFile !== undefined) removeOwn(flags.readyFile, ready);
  if (lost) refuse(lost.message);
  return 0;
};
