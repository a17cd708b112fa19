import type { TargetFile } from '../contracts/target.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { targetOf } from '../suites/sut/target.ts';
import { UsageError } from './input.ts';
import { readTargetFile } from './target-file.ts';

/** The flags that name the target. */
export interface TargetFlags {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly config?: string;
}

/** A target to test. `close` ends what was started for it. */
export interface ChosenTarget {
  readonly target: Target;
  readonly embedded: boolean;
  /** `coverage.min` of the target file, in percent. */
  readonly minCoverage?: number;
  close(): Promise<void>;
}

function baseUrlOf(text: string, place: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`${place} ${JSON.stringify(text)} is no URL; give one such as http://127.0.0.1:4010`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${place} must be an http or https URL, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${place} must not carry a user name or a password`);
  if (url.search !== '' || url.hash !== '') throw new UsageError(`${place} must not carry a query or a fragment`);
  return url;
}

async function embedded(): Promise<ChosenTarget> {
  const { createReferenceServer, referenceTarget } = await import('../reference-server/index.ts');
  const apiKey = 'embedded-reference-key';
  const server = createReferenceServer({ apiKey });
  const { url } = await server.listen();
  return { target: targetOf(referenceTarget(), new URL(url), apiKey), embedded: true, close: () => server.close() };
}

/**
 * Returns the target of a run. Flags beat the config, the config beats the environment. Without a base URL and a config
 * it is the embedded reference server, on a free loopback port. Throws a `UsageError` for a mistake in any of them.
 */
export async function chooseTarget(
  flags: TargetFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ChosenTarget> {
  if (flags.baseUrl === undefined && flags.config === undefined) {
    if (flags.apiKey !== undefined) {
      throw new UsageError('--api-key without --base-url or --config: which server is it the key of?');
    }
    return embedded();
  }
  const file: TargetFile = flags.config === undefined ? {} : readTargetFile(flags.config, environment);
  const text = flags.baseUrl ?? file.baseUrl;
  if (text === undefined)
    throw new UsageError(`${flags.config} has no baseUrl; add "baseUrl": "http://…" or give --base-url`);
  const baseUrl = baseUrlOf(text, flags.baseUrl === undefined ? `${flags.config}: /baseUrl` : '--base-url');
  const apiKey = flags.apiKey ?? file.apiKey ?? environment.SERVICE_API_KEY;
  if (apiKey === undefined || apiKey === '') {
    throw new UsageError('no API key: give --api-key, "apiKey" in the config, or SERVICE_API_KEY in the environment');
  }
  if (/[^\x20-\x7e]/.test(apiKey))
    throw new UsageError('the API key has characters that cannot stand in an HTTP header');
  const { min } = file.coverage ?? {};
  return {
    target: targetOf(file, baseUrl, apiKey),
    embedded: false,
    ...(min === undefined ? {} : { minCoverage: min }),
    close: async () => {},
  };
}
