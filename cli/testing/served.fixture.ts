import { onTestFinished } from 'vitest';
import { createReferenceServer } from '../../reference-server/index.ts';
import { patientServer } from '../../suites/proof/testing/patient-server.ts';
import { longest, skipWaits } from '../../suites/proof/testing/skip-waits.ts';
import { apiKey } from './scene.fixture.ts';

/** Returns the URL of a reference server that ends with its test. */
export const served = (): Promise<string> => servedUntil(Number.POSITIVE_INFINITY);

/** The same, of one that answers so many requests, and closes the connection of each later one. */
export async function servedUntil(most: number): Promise<string> {
  let requests = 0;
  const server = createReferenceServer({
    ...patientServer,
    apiKey,
    decorateListener: inner => (request, response) => {
      requests += 1;
      if (requests > most) request.socket.destroy();
      else inner(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return url;
}

/** Skips the waits of a command in this test. Returns the flags of a time limit that does not count as one. */
export function withoutWaits(): readonly string[] {
  onTestFinished(skipWaits());
  return ['--timeout', `${longest / 1000}s`];
}
