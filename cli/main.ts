#!/usr/bin/env node
import { exitCode } from '../contracts/report/verdict.ts';
import { faultTold } from './fault.ts';
import { outliveOutputs } from './streams.ts';

/**
 * Makes the exit code of all that goes wrong without being caught that of a fault of the suite: Node would end with 1,
 * which means that a target does not conform. That holds for a part of the program that is not there, too, so the rest is
 * loaded afterwards. What nobody waits for any more ends with it as well, and says so.
 */
function endWithFaults(): { done(code: number): void } {
  const fault = exitCode(['suite-fault']);
  process.exitCode = fault;
  const neverDone = (code: number): void => {
    if (code === fault) faultTold('it ended before its work did');
  };
  process.once('exit', neverDone);
  process.on('uncaughtException', error => {
    process.off('exit', neverDone);
    process.exit(faultTold(error));
  });
  return {
    done(code) {
      process.off('exit', neverDone);
      process.exitCode = code;
    },
  };
}

/**
 * Lets the heap grow by half of what is in use before it is collected again, instead of to four times as much, as V8
 * would: a build machine may not have that memory, and the additional collections take no time that could be measured.
 * V8 ignores a flag that it does not know. Not for the help, which is shown before that module would be loaded.
 */
async function limitHeapGrowth(): Promise<void> {
  (await import('node:v8')).setFlagsFromString('--heap-growing-percent=50');
}

outliveOutputs();
const end = endWithFaults();
const { main } = await import('./program.ts');
end.done(await main(process.argv.slice(2), limitHeapGrowth));
