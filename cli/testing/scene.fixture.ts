import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FixtureSnapshot, RunEvent } from '../../contracts/report/journal.ts';
import type { TargetFile } from '../../contracts/target.ts';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { folder } from './command.fixture.ts';

/** The key of a scene's server. */
export const apiKey = 'the-key-of-these-tests';

/** Refuses a write, as a service does whose entities are locked. */
export const locked: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(403, { 'content-type': 'application/json' }).end('{"status":403,"message":"locked"}');
};

/**
 * Makes a scene: a reference server, a config for it and a folder for reports. `meet` is called with the number of each
 * request, from 1, and may answer instead of the server. `file` is added to the config.
 */
export async function scene(
  meet: (nth: number, listener: RequestListener) => RequestListener = (_nth, listener) => listener,
  file: TargetFile = {},
) {
  let requests = 0;
  const server = createReferenceServer({
    apiKey,
    decorateListener: listener => (request, response) => {
      requests += 1;
      meet(requests, listener)(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const out = folder();
  const config = join(out, 'conform.config.json');
  writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey, ...file }));
  const journal = join(out, 'journal.ndjson');
  const argv = ['run', '--config', config, '--profile', 'quick', '--timeout', '60s', '--settle', '1ms', '--out', out];
  const events = (): RunEvent[] => {
    const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
    return lines.map(line => JSON.parse(line) as RunEvent);
  };
  /** Returns the snapshots of the journal that differ from the state of the server. */
  async function changed(): Promise<readonly FixtureSnapshot[]> {
    const snapshot = await server.store.snapshot();
    const snapshots = events().filter(event => event.event === 'snapshot');
    return snapshots.filter(({ endpoint, param, body }) => {
      if (endpoint === 'update-environments') return false;
      const entities = endpoint === 'patch-gate' ? snapshot.gates : snapshot.qualifyingEvents;
      const now = (entities.find(([id]) => id === param)?.[1] ?? {}) as Record<string, unknown>;
      return Object.entries(body as object).some(([key, value]) => JSON.stringify(now[key]) !== JSON.stringify(value));
    });
  }
  return { url, out, argv, journal, events, changed, requests: () => requests };
}
