import { refusing, UsageError } from '../input.ts';
import { didYouMean } from '../suggestion.ts';

/** The flags of `serve`. */
export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly apiKey: string;
  /** Ids of faults that the server is to have. */
  readonly fault: readonly string[];
  /** Ids of dialects that the server is to have. */
  readonly dialect: readonly string[];
  /** Where the state is kept: `memory` (when absent), a folder, or `postgres://…`. */
  readonly store?: string;
}

/** Opens the store; undefined for the one in memory. Throws a `UsageError` where it cannot be opened. */
async function backendOf(place: string) {
  if (place === 'memory') return undefined;
  const { backendFor, StoreError } = await import('../../reference-server/index.ts');
  return refusing([StoreError], () => backendFor(place));
}

/** Throws a `UsageError` for an id that is in no row of a table. */
function refuseUnknown(ids: readonly string[], rows: readonly { readonly id: string }[], kind: string): void {
  const unknown = ids.find(id => !rows.some(row => row.id === id));
  if (unknown !== undefined)
    throw new UsageError(
      `there is no ${kind} called ${unknown}; \`list ${kind}s\` shows them all${didYouMean(
        unknown,
        rows.map(({ id }) => id),
      )}`,
    );
}

/** Starts the reference server and keeps it up until the process is interrupted. Returns the exit code. */
export async function serveCommand(flags: ServeFlags): Promise<number> {
  const { createReferenceServer, isAddress, shownAddress, dialectNamed, dialects, faultNamed, faults } = await import(
    '../../reference-server/index.ts'
  );
  refuseUnknown(flags.fault, faults, 'fault');
  refuseUnknown(flags.dialect, dialects, 'dialect');
  const { store = 'memory' } = flags;
  const backend = await backendOf(store);
  const server = createReferenceServer({
    apiKey: flags.apiKey,
    faults: flags.fault,
    dialects: flags.dialect,
    ...(backend && { backend }),
  });
  const { url } = await server.listen(flags.port, flags.host).catch(async (error: NodeJS.ErrnoException) => {
    await backend?.close();
    if (error.code === 'EADDRINUSE') throw new UsageError(`port ${flags.port} is taken; choose another with --port`);
    throw new UsageError(`cannot listen on ${flags.host}:${flags.port} (${error.code ?? error.message})`);
  });
  // Who reads the address may stop the server at once.
  const stopped = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  process.stdout.write(
    [
      'Reference server of the Console Management API',
      ...flags.fault.map(id => `  FAULT     ${id}: ${faultNamed(id).title}`),
      ...flags.dialect.map(id => `  dialect   ${id}: ${dialectNamed(id).title}`),
      `  base URL  ${url}`,
      `  API key   ${flags.apiKey}`,
      ...(backend === undefined ? [] : [`  kept in   ${isAddress(store) ? shownAddress(store) : store}`]),
      `  try       curl -H 'SERVICE-API-KEY: ${flags.apiKey}' '${url}/console/v1/segments?limit=2'`,
      `  test it   npx console-conformance run --base-url ${url} --api-key ${flags.apiKey}`,
      'Ctrl-C stops it.',
      '',
    ].join('\n'),
  );
  await stopped;
  await server.close();
  await backend?.close();
  return 0;
}
