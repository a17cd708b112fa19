import { type Command, Option } from '@commander-js/extra-typings';
import {
  certificates,
  duration,
  exitCodes,
  exitCodesWithCommand,
  type FlagsOf,
  gather,
  listening,
  mostShown,
  settleOption,
  variableName,
  withFlags,
} from '../flags.ts';

/** The commands that judge traffic between others. */

/** Adds the flags of the commands that judge traffic between others. */
const judging = (command: Command) =>
  command
    .option('--sole-writer', 'nobody else writes: an answer that contradicts earlier ones is a breach')
    .addOption(settleOption())
    .addOption(
      new Option('--fail-on <side>', 'whose breaches fail').choices(['server', 'client', 'any']).default('any'),
    )
    .option(
      '--expect-breach <file>',
      'breaches that the client makes on purpose; an entry that never occurs fails the run',
    )
    .option('--strict', 'a broken SHOULD fails too')
    .option('--baseline <file>', 'known failures that do not fail the run, see `baseline update`')
    .option('--reporter <name[=file]>', 'a reporter, see `list reporters` (repeatable; default: terminal)', gather, [])
    .option('--out <dir>', 'where the journal and the reports go', 'conform-report')
    .option('--verbose', 'show causes with all evidence, and what clients do where the specification is open')
    .option('--max-failures <n>', 'how many causes to show whole, or all', mostShown);

export const judge = (program: Command) =>
  withFlags(
    program
      .command('judge')
      .description('Judge recorded traffic, both sides of it: what the server answered and what its clients asked.')
      .argument('<file...>', 'HAR files, or a journal.ndjson')
      .option('--base-url <url>', 'the server to judge, where the recording has several')
      .option('--config <file>', 'the target file: base URL and naming'),
    judging,
  ).addHelpText('after', exitCodes);

export const proxy = (program: Command) =>
  withFlags(
    withFlags(
      program
        .command('proxy')
        .description('Stand between a client and a server, pass every byte on, and judge both sides.')
        .option('--target <url>', 'the server behind; without it and --config the embedded reference server')
        .option('--config <file>', 'the target file: base URL, key and naming')
        .option(
          '--listen <address>',
          'where clients come to (default: 127.0.0.1:4011; with --exec a free port)',
          listening,
        )
        .option('--preserve-host', 'pass Host on as the client sent it, instead of that of the server')
        .option(
          '--until-idle <duration>',
          'end after this long without traffic, counted from the first exchange',
          duration<'until-idle'>,
        )
        .option('--exec <command>', 'run a command with CONFORM_BASE_URL set to the proxy, and end with it')
        .option(
          '--env <name>',
          'another variable that holds the address for the command (repeatable)',
          variableName,
          [],
        )
        .option(
          '--enforce',
          'hold everything back until it is judged; answer 400 or 502 with the violation instead of what is broken',
        )
        .option('--record <file>', 'write what passed to a HAR file, without secrets')
        .option('--api-key <key>', 'the API key, where it is known: it is redacted wherever it stands')
        .option('--api-key-header <name>', 'the header that carries the key, where it has another name'),
      judging,
    ),
    certificates,
  ).addHelpText('after', exitCodesWithCommand);

export type TrafficFlags = FlagsOf<typeof judging>;
export type ProxyFlags = FlagsOf<typeof proxy>;
export type JudgeFlags = FlagsOf<typeof judge>;
