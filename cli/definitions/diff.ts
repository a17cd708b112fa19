import { type Command, Option } from '@commander-js/extra-typings';
import { differenceLimits } from '../../contracts/report/choices.ts';
import { runDefaults } from '../../suites/engine/config.ts';
import {
  type FlagsOf,
  gather,
  mostShown,
  positive,
  profileOption,
  seedOption,
  settleOption,
  timeoutOption,
  wholeNumber,
  withFlags,
} from '../flags.ts';
import { exitCodesOfDiff } from '../help-texts.ts';
import { connection } from './connection.ts';

/** The text below the help of `diff`, shown also if no server is named. */
const lesson = `
A is the server that clients use today, or a recording of it (run --record). B is the one that is to take its place.
Both are sent the same requests, by the same seed; each runs against itself first, so that what differs from itself
(ids, clocks, orders) is no difference. What is left is told with a label: A breaks a clause, B breaks a clause, the
specification leaves it open, or nothing is said. Both are put back afterwards, as \`run\` does.`;

/** Defines the command that compares two servers. */
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
      .option('--allow <file>', 'acknowledged differences, which do not fail it; an entry that nothing needs does')
      .option('--acknowledge <file>', 'write that file anew: with what --fail-on names, without what is gone')
      .option('--reason <text>', 'why what is new in it may be there')
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
