import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { Canned, ServerVariant, ToServe } from './server-process.ts';

/** The key of every server in the measurements. */
export const apiKey = 'bench-key';

/** A server in a process of its own. */
interface OtherProcess {
  readonly url: URL;
  /** Restores the fixtures (of the reference server only). */
  reset(): Promise<void>;
  /** The processor time of the process so far, in microseconds. */
  processorTime(): Promise<number>;
  close(): void;
}

/**
 * Starts the reference server (with faults, dialects or a delay), or the bare one with its canned answers, in a child
 * process on the loopback interface.
 */
export async function startServer(canned: Canned | null, variant: ServerVariant = {}): Promise<OtherProcess> {
  const child = fork(fileURLToPath(new URL('./server-process.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx'],
  });
  child.send({ canned, variant } satisfies ToServe);
  const url = await new Promise<URL>((resolve, reject) => {
    child.once('message', message => resolve(new URL((message as { url: string }).url)));
    child.once('exit', code => reject(new Error(`the server process ended with code ${code}`)));
  });
  return {
    url,
    async reset() {
      const { body } = await request(new URL('/_reference/reset', url), { method: 'POST' });
      await body.dump();
    },
    processorTime: () =>
      new Promise(resolve => {
        child.once('message', resolve as (message: unknown) => void);
        child.send('processor time');
      }),
    close: () => child.disconnect(),
  };
}
