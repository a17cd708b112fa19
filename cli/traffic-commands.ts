import { type Command, Option } from 'commander';
import type { Finish } from './document-commands.ts';
import { duration, gather, mostShown } from './flags.ts';
import { exitCodes } from './help-texts.ts';

/** Gives a command the flags of those that judge the traffic of others. */
export const judgingTraffic = (command: Command): Command =>
  command
    .option('--sole-writer', 'nobody else writes: what one answer shows is held against earlier ones')
    .option('--settle <duration>', 'how long what was written may take to show', duration, 2_000)
    .addOption(
      new Option('--fail-on <side>', 'whose breaches fail').choices(['server', 'client', 'any']).default('any'),
    )
    .option('--expect-breach <file>', 'breaches that the client makes on purpose; one that it makes no more fails')
    .option('--strict', 'a broken SHOULD fails too')
    .option('--baseline <file>', 'known failures that do not fail the run, see `baseline update`')
    .option('--reporter <name[=file]>', 'a reporter, see `list reporters` (repeatable; default: terminal)', gather, [])
    .option('--out <dir>', 'where the journal and the reports go', 'conform-report')
    .option('--verbose', 'show causes with all evidence, and what clients do where the specification is open')
    .option('--max-failures <n>', 'how many causes to show whole, or all', mostShown);

/** Adds the commands that judge the traffic of others. */
export function trafficCommands(program: Command, finish: Finish): void {
  const judge = program
    .command('judge')
    .description('Judge recorded traffic, both sides of it: what the server answered and what its clients asked.')
    .argument('<file...>', 'HAR files, or a journal.ndjson')
    .option('--base-url <url>', 'the server to judge, where the recording has several')
    .option('--config <file>', 'the target file: base URL and naming');
  judgingTraffic(judge)
    .addHelpText('after', exitCodes)
    .action(async (files, flags) =>
      finish(await (await import('./commands/judge.ts')).judgeCommand(files, flags, process.env)),
    );
}
