import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import { rendered, vouched } from '../contracts/redaction/shown.ts';
import { tool } from '../contracts/report/tool.ts';
import { exitCode } from '../contracts/report/verdict.ts';
import { controlCommands, type Finish } from './control-commands.ts';
import {
  badge,
  baselineUpdate,
  compare,
  explain,
  list,
  openapi,
  report,
  schema,
  site,
  verify,
} from './definitions/documents.ts';
import { seedFrom, serve } from './definitions/server.ts';
import { diff, doctor, init, replay, restore, run } from './definitions/target.ts';
import { judge, proxy } from './definitions/traffic.ts';
import { takingFlagsOf, withExamples } from './examples.ts';
import { faultTold } from './fault.ts';
import { type Ending, exitCodes, type Stated } from './flags.ts';
import { helpColumns } from './help-page.ts';
import { UsageError } from './input.ts';
import { errors, learnCommand, messageLine, output, shown, tell } from './writer.ts';

/** Reports the error that ended a command, unless commander has. Returns the exit code, never that of a verdict. */
function endingTold(error: unknown, argv: readonly string[]): number {
  if (error instanceof CommanderError) {
    // For `help`, commander takes the exit code that the process would end with just now.
    const isHelp = error.code === 'commander.help' && argv.includes('help');
    return isHelp || error.exitCode === 0 ? 0 : exitCode(['usage-error']);
  }
  if (!(error instanceof UsageError)) return faultTold(error);
  errors.write(rendered(shown(`conform: ${error.message}`), messageLine));
  return exitCode(['usage-error']);
}

const someFlag = new Option('--some');

/** Returns a command for the help of its parent, which shows only whether it has flags. */
function listed(name?: string): Command {
  const command = new Command(name);
  const flagged = (): Command => Object.assign(command, { options: [someFlag] });
  return Object.assign(command, { option: flagged, addOption: flagged, createCommand: listed });
}

/**
 * Builds the command line; `finish` receives the exit code of a command that ended. A command that is not among `words`
 * gets no flags of its own, because defining some three hundred takes a fifth of the help's time.
 */
export function build(finish: Finish, words?: readonly string[]): CommandUnknownOpts {
  const program = new Command('conform');
  const isAsked = (name?: string): boolean =>
    !words || words.some(word => word === name || (word === 'doctor' && name === 'run'));
  program.createCommand = name => (isAsked(name) ? new Command(name) : listed(name));
  program
    .description('Conformance suite, reference server and reporter for the Console Management API.')
    .version(tool.version)
    .configureOutput({
      writeOut: text => output.write(vouched(text)),
      writeErr: text => tell(text),
      getOutHelpWidth: () => Math.min(helpColumns, output.columns ?? helpColumns),
    })
    .showHelpAfterError('(conform --help tells what there is)')
    .addHelpText(
      'after',
      `
Start here:
  conform run      test a server; without a base URL or target file, the embedded one
  conform serve    start the reference server and develop a client against it
${exitCodes}`,
    );

  /** Sets the action of a command; its module is loaded when the command begins. */
  const on = <Args extends unknown[], Flags extends OptionValues>(
    define: (program: Command) => Command<Args, Flags>,
    load: () => Promise<{
      command: (flags: Stated<Flags>, args: Args, command: CommandUnknownOpts) => Ending | Promise<Ending>;
    }>,
  ) => {
    const command = define(program);
    return command.action(async (...all) => {
      const { command: work } = await load();
      const ending = await work(all.at(-2) as Stated<Flags>, all.slice(0, -2) as Args, command);
      if (typeof ending === 'number') return finish(ending);
      output.write(vouched(ending));
      finish(0);
    });
  };

  const runs = on(run, () => import('./commands/run.ts'));
  on(init, () => import('./commands/init.ts'));
  const doctors = on(doctor, () => import('./commands/doctor.ts')).addHelpText(
    'after',
    '\nExit codes: 0 a run can prove everything, 3 it cannot, 2 a mistake in a flag or the config.\nIt takes the flags of `run` too.',
  );
  on(serve, () => import('./commands/serve.ts'));
  on(seedFrom, () => import('./commands/seed.ts'));
  const ctl = program.command('ctl').description('Look into a reference server that runs, and change it.');
  if (isAsked('ctl')) controlCommands(ctl, finish);
  on(list, () => import('./commands/list.ts'));
  on(report, () => import('./commands/report.ts'));
  on(verify, () => import('./commands/verify.ts'));
  on(restore, () => import('./commands/restore.ts'));
  on(compare, () => import('./commands/compare.ts'));
  on(baselineUpdate, () => import('./commands/baseline.ts'));
  on(replay, () => import('./commands/replay.ts'));
  on(explain, () => import('./commands/explain.ts'));
  on(diff, () => import('./commands/diff.ts'));
  on(judge, () => import('./commands/judge.ts'));
  on(proxy, () => import('./commands/proxy.ts'));
  on(badge, () => import('./commands/badge.ts'));
  on(site, () => import('./commands/site.ts'));
  on(openapi, () => import('./commands/openapi.ts'));
  on(schema, () => import('./commands/schema.ts'));
  takingFlagsOf(runs, doctors);
  return withExamples(program);
}

/** Makes commander throw instead of ending the process, so that `main` chooses the exit code. */
function throwInsteadOfExit(command: CommandUnknownOpts): void {
  command.exitOverride();
  for (const sub of command.commands) throwInsteadOfExit(sub);
}

/** Refuses the help of a command that there is not, for which commander shows that of its parent. */
function refuseUnknownHelp(program: CommandUnknownOpts, [first, ...names]: readonly string[]): void {
  let command = first === 'help' ? program : undefined;
  for (const name of names) {
    if (!command || name.startsWith('-') || command.commands.length === 0) return;
    const found: CommandUnknownOpts | undefined = command.commands.find(one => one.name() === name);
    if (!found) command.error(`error: unknown command '${name}'`, { code: 'commander.unknownCommand' });
    command = found;
  }
}

/** Runs the command line, after `prepare` is done. Returns the exit code. */
export async function main(argv: readonly string[], prepare: () => Promise<void> = async () => {}): Promise<number> {
  learnCommand(argv, process.env);
  let code = 0;
  const program = build(result => {
    code = result;
  }, argv);
  throwInsteadOfExit(program.hook('preAction', prepare));
  try {
    refuseUnknownHelp(program, argv);
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return endingTold(error, argv);
  }
}
