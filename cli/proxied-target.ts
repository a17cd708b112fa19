import { compact, present } from '../contracts/present.ts';
import { specificationNaming, type TargetFile } from '../contracts/target.ts';
import type { Access } from '../suites/protocol/sut.ts';
import { accessOf } from './connection.ts';
import type { ProxyFlags } from './definitions/traffic.ts';
import { addressOf } from './target.ts';
import { readTargetFile } from './target-file.ts';
import { tell } from './writer.ts';

/** The target behind a proxy. `close` ends what was started for it. */
export interface ProxiedTarget {
  readonly baseUrl: URL;
  readonly access: Pick<Access, 'tls'>;
  readonly naming: NonNullable<TargetFile['naming']>;
  /** The key, if known: the proxy needs none. */
  readonly apiKey?: string;
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** The default key of the embedded server. */
const embeddedKey = 'reference-key';

async function embedded(apiKey: string): Promise<ProxiedTarget> {
  const { createReferenceServer } = await import('../reference-server/index.ts');
  const server = createReferenceServer({ apiKey });
  const { url } = await server.listen();
  const access = { tls: {} };
  return { baseUrl: new URL(url), access, naming: {}, apiKey, embedded: true, close: () => server.close() };
}

/**
 * Returns the target of the proxy. Flags override the config; without both it is the embedded reference server. Throws
 * a `UsageError` for a mistake in either.
 */
export async function proxiedTarget(flags: ProxyFlags): Promise<ProxiedTarget> {
  const { target, config, apiKey: given } = flags;
  if (target === undefined && config === undefined) return embedded(given ?? embeddedKey);
  const unused = ({ headers = [] }: TargetFile): string[] =>
    compact([
      target !== undefined && '/baseUrl',
      given !== undefined && '/apiKey',
      // The proxy adds no headers to those of the client.
      ...headers.map((_header, index) => `/headers/${index}/value`),
    ]);
  const file: TargetFile = config === undefined ? {} : readTargetFile(config, unused);
  const baseUrl = addressOf(target, '--target', config, file);
  const naming = { ...file.naming, ...present({ apiKeyHeader: flags.apiKeyHeader }) };
  const { apiKeyHeader } = { ...specificationNaming, ...naming };
  const access = accessOf({ ...flags, header: [] }, baseUrl, apiKeyHeader);
  if (access.proxy !== null) tell(`${baseUrl.host} is reached directly: the proxy of the environment is not asked.\n`);
  const apiKey = given ?? file.apiKey ?? process.env.SERVICE_API_KEY ?? '';
  return {
    baseUrl,
    access,
    naming,
    ...(apiKey === '' ? {} : { apiKey }),
    embedded: false,
    close: async () => {},
  };
}
