import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '../testing/built.ts';

/**
 * The health of a server's process: its heap after a collection in bytes, the resources that keep it alive, and
 * unexpected errors.
 */
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
  /** Closes the server; resolves with the resources that keep its process alive then. */
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

/** Starts a server in a process of its own. */
export const childServer = async (): Promise<Child> => {
  const program = await builtProgram(fileURLToPath(new URL('./process.fixture.ts', import.meta.url)));
  const child = fork(program, [], { execArgv: ['--expose-gc'] });
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
