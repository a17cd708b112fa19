import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Question } from './worker.ts';

/** A process that runs tests with one mutant after another; one that does not end is killed, and started anew. */
export class WorkerProcess {
  private child: ChildProcess | undefined;

  /** The unit tests that there are. */
  async start(): Promise<readonly string[]> {
    // A group of its own: the process in which the tests run ends with it.
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
   * Asks, and waits for the end: the test file that failed, `undefined` where none did, or `hangs` where one took longer
   * than it may (milliseconds). `ended` is told how long each took.
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

  /** Reads answers until one is the last; false where the process ends, or says nothing for so long. */
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
