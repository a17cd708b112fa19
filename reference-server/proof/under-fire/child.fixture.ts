import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a server's process is: bytes of its heap after collection, what keeps it alive, and what it was told of that should not be. */
export interface Health {
  readonly heap: number;
  readonly resources: readonly string[];
  readonly errors: readonly string[];
}

/** A reference server in a process of its own. */
export interface Child {
  readonly port: number;
  readonly health: () => Promise<Health>;
  /** Back to the fixtures. */
  readonly reset: () => Promise<void>;
  /** Closes the server; what keeps its process alive then. */
  readonly close: () => Promise<readonly string[]>;
  readonly process: ChildProcess;
}

const answered = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', message => {
      child.off('exit', gone);
      resolve(message);
    });
    const gone = (code: number | null, signal: string | null): void =>
      reject(new Error(`the server ended with ${code ?? signal}`));
    child.once('exit', gone);
  });

/** Starts one. */
export const childServer = async (): Promise<Child> => {
  const child = fork(fileURLToPath(new URL('./process.fixture.ts', import.meta.url)), [], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  });
  const ask = (question: string): Promise<unknown> => {
    child.send(question);
    return answered(child);
  };
  const { url } = (await answered(child)) as { url: string };
  return {
    port: Number(new URL(url).port),
    health: () => ask('health') as Promise<Health>,
    reset: async () => void (await ask('reset')),
    close: () => ask('close') as Promise<readonly string[]>,
    process: child,
  };
};
