#!/usr/bin/env node
import { endWithFaults } from './fault.ts';
import { outliveOutputs } from './streams.ts';

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
