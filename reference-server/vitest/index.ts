import { test as vitest } from 'vitest';
import type { Sandbox } from '../control/sandbox.ts';
import type { ReferenceServer } from '../emulator.ts';
import { createReferenceServer, type ReferenceServerOptions } from '../server.ts';

/** The fixtures of `sandboxTest`. */
export interface SandboxFixtures {
  /** A private world, created for the test and deleted after it. */
  readonly sandbox: Sandbox;
  /** The server shared by the tests of a file. */
  readonly referenceServer: ReferenceServer;
}

/**
 * The `test` of vitest with a sandbox per test and a reference server per file. Tests may run concurrently
 * (`test.concurrent`) because their sandboxes are isolated.
 *
 * @example
 * const test = sandboxTest({ initial: naming => seedOf(seed, naming) });
 * test.concurrent('a gate is disabled', async ({ sandbox, expect }) => {
 *   const client = new Client(sandbox.url, sandbox.apiKey);
 *   await client.disableGate('dark_mode');
 *   expect(await sandbox.state.get('gates', 'dark_mode')).toMatchObject({ isEnabled: false });
 * });
 */
export const sandboxTest = (options: ReferenceServerOptions = {}) =>
  vitest.extend<SandboxFixtures>({
    referenceServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads dependencies from the pattern
      async ({}, use) => {
        const server = createReferenceServer(options);
        await server.listen();
        await use(server);
        await server.close();
      },
      { scope: 'file' },
    ],
    sandbox: async ({ referenceServer }, use) => {
      const sandbox = await referenceServer.sandbox();
      await use(sandbox);
      await sandbox.close();
    },
  });

/** `sandboxTest` with the default fixtures. */
export const test = sandboxTest();
