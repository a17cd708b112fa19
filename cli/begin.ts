import { optimisedAfter } from '../contracts/v8-flags.ts';
import { endWithFaults } from './fault.ts';
import { helpColumns, helpPage } from './help-page.ts';
import { shown } from './known-secrets.ts';
import { outliveOutputs, output } from './streams.ts';

/**
 * What V8 is told before a command begins. Not for the help, which is shown
 * before that module would be loaded.
 *
 * The heap grows by half of what is in use before it is collected again, instead of to four times as much: a build
 * machine may not have that memory, and the additional collections take no time that could be measured.
 *
 * A function is optimised when it has run some fifteen times as long as V8 would wait (in bytes of bytecode): a run has
 * much code that is called a few thousand times, and to optimise it took a third of the processor time of a quick run.
 */
async function tuneEngine(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--heap-growing-percent=50');
  for (const flag of optimisedAfter(1_000_000)) setFlagsFromString(flag);
}

/** Carries out the command line of this process, whose exit code it sets. */
export async function begin(): Promise<void> {
  outliveOutputs();
  const end = endWithFaults();
  const argv = process.argv.slice(2);
  // For a narrower terminal commander lays the page out.
  const isWide = (output.columns ?? helpColumns) >= helpColumns;
  if (helpPage !== undefined && argv.length === 1 && argv[0] === '--help' && isWide) {
    output.write(shown(helpPage));
    return end.done(0);
  }
  const { main } = await import('./program.ts');
  end.done(await main(argv, tuneEngine));
}
