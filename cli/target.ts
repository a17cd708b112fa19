import type { TargetFile } from '../contracts/target.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { targetOf } from '../suites/sut/target.ts';
import { readTargetFile } from './target-file.ts';
import { UsageError } from './usage-error.ts';

/** The flags that say what to test. */
export interface TargetFlags {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly config?: string;
}

/** A target to test, and how to be done with it. */
export interface ChosenTarget {
  readonly target: Target;
  readonly embedded: boolean;
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
 * The target of a run. Flags beat the config, the config beats the environment. Only when neither a base URL nor a config is given is it the embedded
 * reference server, on a free loopback port. Throws a `UsageError` for anything that cannot be meant.
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
  return { target: targetOf(file, baseUrl, apiKey), embedded: false, close: async () => {} };
}
