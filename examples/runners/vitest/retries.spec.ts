/**
 * A client tested with vitest against the reference server, in the process of the tests: a sandbox for each test, a
 * failure that is scripted.
 */
import { test } from 'console-conformance/reference-server/vitest';

/** The client under test: it tries again what the server could not do, and counts its tries. */
async function rename(url: string, key: string, gate: string, name: string): Promise<number> {
  for (let tries = 1; tries < 5; tries += 1) {
    const { ok } = await fetch(`${url}/console/v1/gates/${gate}`, {
      method: 'PATCH',
      headers: { 'SERVICE-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    if (ok) return tries;
  }
  throw new Error('the client gave up');
}

test.concurrent.for([[], [500], [500, 503, 429]])('tries again after %j', async (failures, { sandbox, expect }) => {
  const then = [...failures.map(status => ({ status })), 'real' as const];
  await sandbox.behave({ match: { operation: 'patch-gate' }, then });
  expect(await rename(sandbox.url, sandbox.apiKey, 'dark_mode', 'Dark mode')).toBe(failures.length + 1);
  expect(sandbox.requests.list().map(({ status }) => status)).toEqual([...failures, 200]);
});
