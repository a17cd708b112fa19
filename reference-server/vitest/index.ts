import { test as vitest } from 'vitest';
import type { Sandbox } from '../control/sandbox.ts';
import type { ReferenceServer } from '../emulator.ts';
import { createReferenceServer, type ReferenceServerOptions } from '../server.ts';

/** What tests of `sandboxTest` are given. */
export interface SandboxFixtures {
  /** A world of one's own: made for the test, forgotten after it. */
  readonly sandbox: Sandbox;
  /** The server of all tests of the file. */
  readonly referenceServer: ReferenceServer;
}

/**
 * The `test` of vitest with a sandbox for each test, at one reference server for each file. Tests may run at once
 * (`test.concurrent`): none sees what another one does.
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
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
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

/** The same, at a server that holds the fixtures. */
export const test = sandboxTest();
