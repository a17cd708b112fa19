import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Question } from './worker.ts';

/** A process that runs tests with one mutant after another; if one hangs, the process is killed and restarted. */
export class WorkerProcess {
  private child: ChildProcess | undefined;

  /** Starts the process and returns the existing unit tests. */
  async start(): Promise<readonly string[]> {
    // A process group of its own, so that the process that runs the tests ends with it.
    this.child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let tests: readonly string[] = [];
    await this.until(answer => {
      if ('ready' in answer) tests = answer.ready;
      return 'ready' in answer;
    });
    return tests;
  }

  /**
   * Runs tests and waits for their end. Returns the test file that failed, `undefined` if none did, or `hangs` if one
   * was silent longer than `limit` milliseconds. `ended` receives the time of each.
   */
  async ask(
    question: Question,
    limit: number,
    ended: (test: string, took: number) => void = () => {},
  ): Promise<string | undefined> {
    let failed: string | undefined;
    this.child?.send(question);
    const isOver = await this.until(answer => {
      if ('ended' in answer) ended(answer.ended, answer.took);
      if ('failed' in answer) failed = answer.failed ?? undefined;
      return 'failed' in answer;
    }, limit);
    if (isOver) return failed;
    this.stop();
    await this.start();
    return 'hangs';
  }

  stop(): void {
    if (this.child?.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL');
    this.child = undefined;
  }

  /** Reads answers until the last one. Returns false if the process ends or is silent for `limit` milliseconds. */
  private until(isLast: (answer: Answer) => boolean, limit = 300_000): Promise<boolean> {
    const child = this.child;
    return new Promise(resolve => {
      const end = (isOver: boolean): void => {
        clearTimeout(timer);
        child?.off('message', heard);
        child?.off('exit', gone);
        resolve(isOver);
      };
      const gone = (): void => end(false);
      const heard = (answer: Answer): void => {
        timer.refresh();
        if (isLast(answer)) end(true);
      };
      const timer = setTimeout(gone, limit);
      child?.on('message', heard);
      child?.once('exit', gone);
    });
  }
}
