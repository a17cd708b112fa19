import { type Command, Option } from '@commander-js/extra-typings';
import { differenceLimits } from '../../contracts/report/choices.ts';
import { runDefaults } from '../../suites/engine/config.ts';
import {
  apiKeyOption,
  connection,
  duration,
  exitCodes,
  exitCodesOfDiff,
  type FlagsOf,
  gather,
  lastReport,
  mostShown,
  percent,
  positive,
  profileOption,
  reportedAddress,
  seedOption,
  settleOption,
  shard,
  timeoutOption,
  wholeNumber,
  withFlags,
} from '../flags.ts';

/** The commands that send requests to a target. */

export const run = (program: Command) =>
  withFlags(
    withFlags(
      program
        .command('run')
        .description('Test a server and report per endpoint.')
        .option('--base-url <url>', 'the server to test; its paths begin with /console/v1 below it')
        .addOption(apiKeyOption())
        .option('--config <file>', 'the target file: base URL, fixtures, vocabulary, capabilities, naming')
        .option('--only <glob>', 'only these: endpoint, check, endpoint/check, or requirement (repeatable)', gather, [])
        .option('--skip <glob>', 'all but these (repeatable)', gather, [])
        .option('--failed', 'only what failed in the last run under --out, with its seed and learned names')
        .option('--bail [n]', 'stop after n causes (1), put back and report', wholeNumber(1))
        .option('--watch', 'run again whenever the server was restarted, or a key is pressed; what failed goes first')
        .addOption(profileOption())
        .addOption(seedOption())
        .option(
          '--requirements <set>',
          'the frozen set of requirements to judge by, such as 2026-11 (default: the newest)',
        )
        .option(
          '--learned <file>',
          'the journal or report of an earlier run: what it learned from the target is not learned anew',
        )
        .option('--path <p>', 'replay one case of one check, as a report prints it')
        .option('--concurrency <n>', 'requests in flight at most', wholeNumber(1, 256), runDefaults.concurrency)
        .option('--rate <n>', 'requests a second at most', positive)
        .option('--max-requests <n>', 'requests at most; what is left is untested', wholeNumber(1))
        .option(
          '--time <duration>',
          'go on this long: all that can be enumerated, then ever more random scenarios and requests',
          duration<'time'>,
        )
        .addOption(timeoutOption())
        .option('--max-response-time <duration>', 'warn of answers slower than this', duration<'max-response-time'>)
        .addOption(settleOption())
        .option('--no-trace', 'send no header traceparent, by which a request is found in the log of the server')
        .option('--read-only', 'send GET requests only')
        .option('--strict', 'a broken SHOULD fails too')
        .option('--shard <i/n>', 'run the i-th of n parts', shard)
        .option('--min-coverage <percent>', 'exit 3 if coverage is below this', percent)
        .option('--update-coverage', "raise coverage.min to this run's coverage; with --min-coverage, lower it too")
        .option('--baseline <file>', 'known failures that do not fail the run, see `baseline update`')
        .option(
          '--reporter <name[=file]>',
          'a reporter, see `list reporters` (repeatable; default: terminal and junit)',
          gather,
          [],
        )
        .option('--record <file>', 'keep what the server answers, for `diff` to compare another server with')
        .option('--attest <file>', 'write what the run attests of --subject: an in-toto statement of its test result')
        .option('--subject <name@sha256:digest>', 'the artifact that was tested')
        .option('--sign <file>', 'sign the attestation by an Ed25519 key (PEM), in a DSSE envelope')
        .option('--out <dir>', 'where the journal and the reports go', 'conform-report')
        .option(
          '--verbose',
          'show causes with all evidence, and what the target does where the specification leaves it open',
        )
        .option('--max-failures <n>', 'how many causes to show whole, or all', mostShown)
        .addHelpText('after', exitCodes),
      connection,
    ),
    reportedAddress('with --failed: '),
  );

export const init = (program: Command) =>
  withFlags(
    program
      .command('init')
      .description('Ask a server what it can tell, by GET alone, and write a target file to complete.')
      .option('--base-url <url>', 'the server to ask; its paths begin with /console/v1 below it')
      .addOption(apiKeyOption())
      .option('--api-key-header <name>', 'the header that carries the key, where it has another name')
      .option('--event <name>', 'a logged event that exists; the API has no list of them (repeatable)', gather, [])
      .option('--out <file>', 'the target file to write', 'conform.config.json')
      .option('--force', 'write over a file that is there already')
      .addOption(timeoutOption()),
    connection,
  );

export const doctor = (program: Command) =>
  withFlags(
    program
      .command('doctor')
      .description('Look at a server and its target file without changing anything: what will a run be able to prove?')
      .option('--base-url <url>', 'the server to look at; its paths begin with /console/v1 below it')
      .addOption(apiKeyOption())
      .option('--config <file>', 'the target file')
      .option(
        '--write',
        'look at gates and operations too, by what changes nothing: empty patches, dry runs, ids that do not exist',
      )
      .addOption(timeoutOption()),
    connection,
  );

export const restore = (program: Command) =>
  withFlags(
    withFlags(
      program
        .command('restore')
        .description('Put a target back to what the journal of a run that was killed recorded before its first write.')
        .argument('<journal...>', 'journal.ndjson files')
        .option('--base-url <url>', 'the server to put back')
        .addOption(apiKeyOption())
        .option('--config <file>', 'the target file, where the server has names of its own')
        .addOption(timeoutOption()),
      connection,
    ),
    reportedAddress(''),
  );

export const replay = (program: Command) =>
  withFlags(
    withFlags(
      program
        .command('replay')
        .description('Send one finding of a report again and show then and now; exit 0 when it no longer fails.')
        .argument('<id>', 'a cause (F3), or endpoint/check of a finding, #n for its n-th')
        .argument('[report]', 'the report.json or journal.ndjson that has it', lastReport)
        .option('--base-url <url>', 'the server to send to')
        .addOption(apiKeyOption())
        .option('--config <file>', 'the target file; the one that the run read if absent')
        .addOption(timeoutOption())
        .addOption(settleOption()),
      connection,
    ),
    reportedAddress(''),
  );

/** The text below the help of `diff`, shown also if no server is named. */
const lesson = `
A is the server that clients use today, or a recording of it (run --record). B is the one that is to take its place.
Both are sent the same requests, by the same seed; each runs against itself first, so that what differs from itself
(ids, clocks, orders) is no difference. What is left is told with a label: A breaks a clause, B breaks a clause, the
specification leaves it open, or nothing is said. Both are put back afterwards, as \`run\` does.`;

export const diff = (program: Command) =>
  withFlags(
    program
      .command('diff')
      .description('Set two servers side by side: what will be different where B takes the place of A?')
      .argument('[a]', 'the base URL of the server that clients use, or a recording of it')
      .argument('[b]', 'the base URL of the server that is to take its place')
      .option('--config <file>', 'the target file of both')
      .option('--config-a <file>', 'the target file of A alone, and its base URL where A is not given')
      .option('--config-b <file>', 'the target file of B alone, and its base URL where B is not given')
      .option(
        '--api-key <key>',
        'the API key of both (or SERVICE_API_KEY, SERVICE_API_KEY_A, SERVICE_API_KEY_B in the environment)',
      )
      .option('--noise-runs <n>', 'how often each runs against itself first', wholeNumber(0, 20), 1)
      .option('--same-start', 'both were reset or seeded alike: compare what was there before, too')
      .option('--read-only', 'send GET requests only')
      .addOption(
        new Option(
          '--fail-on <what>',
          'exit 1 for what breaks a MUST, for SHOULDs and what is left open too, or for any',
        )
          .choices(differenceLimits)
          .default('must'),
      )
      .option('--allow <file>', 'file of accepted differences; an entry that no longer occurs fails')
      .option('--acknowledge <file>', 'rewrite that file: add the failing differences, drop those that are gone')
      .option('--reason <text>', 'the reason to write for new entries of --acknowledge')
      .option('--only <glob>', 'only these: endpoint, check, endpoint/check, or requirement (repeatable)', gather, [])
      .option('--skip <glob>', 'all but these (repeatable)', gather, [])
      .addOption(profileOption())
      .addOption(seedOption())
      .option('--concurrency <n>', 'requests in flight at most, to each', wholeNumber(1, 256), runDefaults.concurrency)
      .option('--rate <n>', 'requests a second at most, to each', positive)
      .option('--max-requests <n>', 'requests of one run at most', wholeNumber(1))
      .addOption(timeoutOption())
      .addOption(settleOption())
      .option(
        '--reporter <name[=file]>',
        'terminal, json, junit, html, markdown (repeatable; default: terminal)',
        gather,
        [],
      )
      .option('--out <dir>', 'where the journals and the reports go', 'conform-diff')
      .option('--max-failures <n>', 'how many differences that count to show whole, or all', mostShown),
    connection,
  ).addHelpText('after', `${lesson}\n${exitCodesOfDiff}`);

export type DiffFlags = FlagsOf<typeof diff>;
export type RunFlags = FlagsOf<typeof run>;
export type InitFlags = FlagsOf<typeof init>;
export type DoctorFlags = FlagsOf<typeof doctor>;
export type ReplayFlags = FlagsOf<typeof replay>;
