import { Command, Option } from 'commander';
import { vouched } from '../contracts/redaction/shown.ts';
import { tool } from '../contracts/report/tool.ts';
import { runDefaults } from '../suites/engine/config.ts';
import { connecting } from './connection-flags.ts';
import { controlCommands } from './control-commands.ts';
import { diffCommand } from './diff-commands.ts';
import { documentCommands, type Finish } from './document-commands.ts';
import { endingTold } from './ending.ts';
import { takingFlagsOf, withExamples } from './examples.ts';
import {
  duration,
  gather,
  givenOf,
  lastReport,
  mostShown,
  percent,
  positive,
  profileOption,
  seedOption,
  shard,
  wholeNumber,
} from './flags.ts';
import { exitCodes } from './help-texts.ts';
import { learnCommand, shown } from './known-secrets.ts';
import { serverCommands } from './server-commands.ts';
import { errors, output } from './streams.ts';
import { trafficCommands } from './traffic-commands.ts';

/** Returns the command line; `finish` is called with the exit code of a command that ended. */
export function build(finish: Finish): Command {
  const program = new Command('conform')
    .description('Conformance suite, reference server and reporter for the Console Management API.')
    .version(tool.version)
    .configureOutput({ writeOut: text => output.write(vouched(text)), writeErr: text => errors.say(shown(text)) })
    .showHelpAfterError('(conform --help tells what there is)')
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      `
Start here:
  conform run      test a server; without a base URL, the embedded reference server
  conform serve    start the reference server and develop a client against it
${exitCodes}`,
    );

  program
    .command('run')
    .description('Test a server and report per endpoint.')
    .option('--base-url <url>', 'the server to test; its paths begin with /console/v1 below it')
    .option('--api-key <key>', 'the API key (or SERVICE_API_KEY in the environment); never written anywhere')
    .option('--config <file>', 'the target file: base URL, fixtures, vocabulary, capabilities, naming')
    .option('--only <glob>', 'only these: endpoint, check, endpoint/check, or requirement (repeatable)', gather, [])
    .option('--skip <glob>', 'all but these (repeatable)', gather, [])
    .option('--failed', 'only what failed in the last run under --out, with its seed and learned names')
    .option('--bail [n]', 'stop after n causes (1), put back and report', wholeNumber(1))
    .option('--watch', 'run again whenever the server was restarted, or a key is pressed; what failed goes first')
    .addOption(profileOption())
    .addOption(seedOption())
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
      duration,
    )
    .option('--timeout <duration>', 'longest wait for one answer', duration, runDefaults.timeoutMs)
    .option('--max-response-time <duration>', 'tell of slower answers, in a warning of its own', duration)
    .option('--settle <duration>', 'longest wait for a write to become visible', duration, runDefaults.settleMs)
    .option('--read-only', 'send GET requests only')
    .option('--strict', 'a broken SHOULD fails too')
    .option('--shard <i/n>', 'run the i-th of n parts', shard)
    .option('--min-coverage <percent>', 'exit 3 where less of the requirements is verified', percent)
    .option(
      '--update-coverage',
      'write the coverage into the target file (coverage.min) where it rose; with --min-coverage, where it fell too',
    )
    .option('--baseline <file>', 'known failures that do not fail the run, see `baseline update`')
    .option(
      '--reporter <name[=file]>',
      'a reporter, see `list reporters` (repeatable; default: terminal and junit)',
      gather,
      [],
    )
    .option('--record <file>', 'keep what the server answers, for `diff` to compare another server with')
    .option('--out <dir>', 'where the journal and the reports go', 'conform-report')
    .option(
      '--verbose',
      'show causes with all evidence, and what the target does where the specification leaves it open',
    )
    .option('--max-failures <n>', 'how many causes to show whole, or all', mostShown)
    .addHelpText('after', exitCodes)
    .action(async (flags, command) =>
      finish(await (await import('./commands/run.ts')).runCommand(flags, process.env, givenOf(command))),
    );

  program
    .command('init')
    .description('Ask a server what it can tell, by GET alone, and write a target file to complete.')
    .option('--base-url <url>', 'the server to ask; its paths begin with /console/v1 below it')
    .option('--api-key <key>', 'the API key (or SERVICE_API_KEY in the environment); never written anywhere')
    .option('--api-key-header <name>', 'the header that carries the key, where it has another name')
    .option('--event <name>', 'a logged event that exists; the API has no list of them (repeatable)', gather, [])
    .option('--out <file>', 'the target file to write', 'conform.config.json')
    .option('--force', 'write over a file that is there already')
    .option('--timeout <duration>', 'longest wait for one answer', duration, runDefaults.timeoutMs)
    .action(async flags => finish(await (await import('./commands/init.ts')).initCommand(flags, process.env)));

  program
    .command('doctor')
    .description('Look at a server and its target file without changing anything: what will a run be able to prove?')
    .option('--base-url <url>', 'the server to look at; its paths begin with /console/v1 below it')
    .option('--api-key <key>', 'the API key (or SERVICE_API_KEY in the environment); never written anywhere')
    .option('--config <file>', 'the target file')
    .option('--write', 'look at gates too, by the empty patch, which changes nothing')
    .option('--timeout <duration>', 'longest wait for one answer', duration, runDefaults.timeoutMs)
    .addHelpText(
      'after',
      '\nExit codes: 0 a run can prove everything, 3 it cannot, 2 a mistake in a flag or the config.\nIt takes the flags of `run` too.',
    )
    .action(async flags => finish(await (await import('./commands/doctor.ts')).doctorCommand(flags, process.env)));

  serverCommands(program, finish);
  controlCommands(program, finish);

  program
    .command('list')
    .description(
      'List what there is: endpoints, checks, units (endpoint/check), requirements, faults, dialects or reporters.',
    )
    .argument('[what]', 'endpoints, checks, units, requirements, faults, dialects or reporters', 'endpoints')
    .option('--only <glob>', 'as `run` would select them: endpoint, check, endpoint/check or requirement', gather, [])
    .option('--skip <glob>', 'all but these (repeatable)', gather, [])
    .action(async (what, flags) =>
      output.write(vouched((await import('./commands/list.ts')).listCommand(what, flags))),
    );

  program
    .command('report')
    .description('Render the journals of earlier runs again.')
    .argument('<journal...>', 'journal.ndjson files; several are the shards of one run')
    .option('--reporter <name[=file]>', 'a reporter, see `list reporters` (repeatable; default: terminal)', gather, [])
    .option('--baseline <file>', 'known failures that do not fail the run')
    .option('--min-coverage <percent>', 'exit 3 where less of the requirements is verified', percent)
    .option('--out <dir>', 'where the reports go', 'conform-report')
    .option('--verbose', 'show causes with all evidence, and the observations too')
    .option('--max-failures <n>', 'how many causes to show whole, or all', mostShown)
    .action(async (journals, flags) =>
      finish(await (await import('./commands/report.ts')).reportCommand(journals, flags, process.env)),
    );

  program
    .command('restore')
    .description('Put a target back to what the journal of a run that was killed recorded before its first write.')
    .argument('<journal...>', 'journal.ndjson files')
    .option('--base-url <url>', 'the server to put back')
    .option('--api-key <key>', 'the API key (or SERVICE_API_KEY in the environment); never written anywhere')
    .option('--config <file>', 'the target file, where the server has names of its own')
    .option('--timeout <duration>', 'longest wait for one answer', duration, runDefaults.timeoutMs)
    .action(async (journals, flags) =>
      finish(await (await import('./commands/restore.ts')).restoreCommand(journals, flags, process.env)),
    );

  program
    .command('compare')
    .description(
      'Show several runs side by side, the oldest first: what got better or worse, what is observed differently.',
    )
    .argument('<run...>', 'report.json or journal.ndjson files, two or more')
    .option('--reporter <name[=file]>', 'terminal, markdown, html (repeatable; default: terminal)', gather, [])
    .addOption(
      new Option('--fail-on <what>', 'exit 1 where the last run is worse than one before it, or verifies less').choices(
        ['regression'],
      ),
    )
    .action(async (runs, flags) =>
      finish((await import('./commands/compare.ts')).compareCommand(runs, flags, process.env)),
    );

  program
    .command('baseline')
    .description('Known failures that do not fail the gate.')
    .command('update')
    .description('Write the baseline anew from a complete run; reasons that are there are kept.')
    .argument('<journal>', 'the journal.ndjson or report.json of the run')
    .requiredOption('--baseline <file>', 'the baseline to write')
    .option('--reason <text>', 'why new entries may fail')
    .action(async (journal, flags) =>
      finish((await import('./commands/baseline.ts')).baselineUpdateCommand(journal, flags)),
    );

  program
    .command('replay')
    .description('Send one finding of a report again and show then and now; exit 0 when it no longer fails.')
    .argument('<id>', 'a cause (F3), or endpoint/check of a finding, #n for its n-th')
    .argument('[report]', 'the report.json or journal.ndjson that has it', lastReport)
    .option('--base-url <url>', 'the server to send to')
    .option('--api-key <key>', 'the API key (or SERVICE_API_KEY in the environment); never written anywhere')
    .option('--config <file>', 'the target file; the one that the run read if absent')
    .option('--timeout <duration>', 'longest wait for one answer', duration, runDefaults.timeoutMs)
    .option('--settle <duration>', 'longest wait for a write to become visible', duration, runDefaults.settleMs)
    .action(async (id, report, flags) =>
      finish(await (await import('./commands/replay.ts')).replayCommand(id, report, flags, process.env)),
    );

  program
    .command('explain')
    .description(
      'Explain a requirement, a check, an endpoint, endpoint/check, or a cause of a report (F3) with its evidence.',
    )
    .argument('<id>')
    .argument('[report]', 'the report.json or journal.ndjson that has the cause', lastReport)
    .action(async (id, report) => {
      const { explainCommand } = await import('./commands/explain.ts');
      const { terminalOf } = await import('./outputs.ts');
      output.write(shown(explainCommand(id, report, terminalOf(output, process.env))));
    });

  diffCommand(program, finish);
  trafficCommands(program, finish);
  documentCommands(program, finish);
  // What judges a recording connects to nothing.
  for (const command of program.commands.filter(one => one.name() !== 'judge'))
    if (command.options.some(({ long }) => long === '--base-url')) connecting(command);
  const named = (name: string) => program.commands.find(command => command.name() === name);
  takingFlagsOf(named('run'), named('doctor'));
  return withExamples(program);
}

/** Makes commander throw instead of ending the process, so that `main` chooses the exit code. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const sub of command.commands) throwInsteadOfExit(sub);
}

/** Runs the command line, whose command begins once `prepare` is done. Returns the exit code. */
export async function main(argv: readonly string[], prepare: () => Promise<void> = async () => {}): Promise<number> {
  learnCommand(argv, process.env);
  let code = 0;
  const program = build(result => {
    code = result;
  });
  throwInsteadOfExit(program.hook('preAction', prepare));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return endingTold(error);
  }
}
