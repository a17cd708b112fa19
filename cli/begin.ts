import { optimisedAfter } from '../contracts/v8-flags.ts';
import { endWithFaults } from './fault.ts';
import { helpColumns, helpPage } from './help-page.ts';
import { outliveOutputs, output, shown } from './writer.ts';

/**
 * Sets V8's flags before a command begins. Not called for the help, which is shown before the program is loaded.
 *
 * The heap grows by half of what is in use before a collection, instead of by three times as much. A build machine may
 * lack that memory, and the additional collections take no measurable time.
 *
 * A function is optimised after running some fifteen times as long as V8 would wait (in bytes of bytecode). A run calls
 * much code only a few thousand times, and optimising it took a third of the processor time of a quick run.
 */
async function tuneEngine(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--heap-growing-percent=50');
  for (const flag of optimisedAfter(1_000_000)) setFlagsFromString(flag);
}

/** Carries out the command line of this process and sets its exit code. */
export async function begin(): Promise<void> {
  outliveOutputs();
  const end = endWithFaults();
  const argv = process.argv.slice(2);
  // Commander lays the page out for a narrower terminal.
  const isWide = (output.columns ?? helpColumns) >= helpColumns;
  if (helpPage !== undefined && argv.length === 1 && argv[0] === '--help' && isWide) {
    output.write(shown(helpPage));
    return end.done(0);
  }
  const { main } = await import('./program.ts');
  end.done(await main(argv, tuneEngine));
}
