import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { flagsOfManyRuns } from '../../../contracts/v8-flags.ts';

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Makes functions without names of their own, which costs less. Tests do so too. */
const plainNames = `--import=${new URL('../../../tools/plain-names.ts', import.meta.url).href}`;

/** Sends ids to a child process, one after another, until none are left. */
function handedOut(
  child: ChildProcess,
  next: () => string | undefined,
  onResult: (id: string, result: unknown) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let own: string | undefined;
    const hand = (): void => {
      own = next();
      if (own === undefined) child.disconnect();
      else child.send(own);
    };
    child.on('message', result => {
      onResult(own ?? '', result);
      hand();
    });
    child.on('exit', code =>
      own === undefined ? resolve() : reject(new Error(`the process that measured ${own} ended with code ${code}`)),
    );
    hand();
  });
}

/** Runs a task (`worker.ts`) for each id in `processes` child processes, and calls back with each result. */
export async function inProcesses(
  task: string,
  ids: readonly string[],
  processes: number,
  onResult: (id: string, result: unknown) => void,
): Promise<void> {
  const left = [...ids];
  const children = Array.from({ length: Math.min(processes, ids.length) }, () =>
    fork(worker, [task], { execArgv: [...process.execArgv, plainNames, ...flagsOfManyRuns] }),
  );
  try {
    await Promise.all(children.map(child => handedOut(child, () => left.shift(), onResult)));
  } finally {
    for (const child of children) child.kill();
  }
}
