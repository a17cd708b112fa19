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
import { diff } from './definitions/diff.ts';
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
import { doctor, init, replay, restore, run } from './definitions/target.ts';
import { judge, proxy } from './definitions/traffic.ts';
import { takingFlagsOf, withExamples } from './examples.ts';
import { faultTold } from './fault.ts';
import type { Ending, Stated } from './flags.ts';
import { helpColumns } from './help-page.ts';
import { exitCodes } from './help-texts.ts';
import { UsageError } from './input.ts';
import { learnCommand, shown } from './known-secrets.ts';
import { errors, messageLine, output, tell } from './streams.ts';

/** Reports the error that ended a command, unless commander has. Returns the exit code, never that of a verdict. */
function endingTold(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode(['usage-error']);
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
    words === undefined || words.some(word => word === name || (word === 'doctor' && name === 'run'));
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
    .showSuggestionAfterError(true)
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
    command: Command<Args, Flags>,
    load: () => Promise<(flags: Stated<Flags>, args: Args, command: CommandUnknownOpts) => Ending | Promise<Ending>>,
  ) =>
    command.action(async (...all) => {
      const work = await load();
      const ending = await work(all.at(-2) as Stated<Flags>, all.slice(0, -2) as Args, command);
      if (typeof ending === 'number') return finish(ending);
      output.write(vouched(ending));
      finish(0);
    });

  const runs = run(program);
  on(runs, async () => (await import('./commands/run.ts')).runCommand);
  on(init(program), async () => (await import('./commands/init.ts')).initCommand);
  const doctors = doctor(program).addHelpText(
    'after',
    '\nExit codes: 0 a run can prove everything, 3 it cannot, 2 a mistake in a flag or the config.\nIt takes the flags of `run` too.',
  );
  on(doctors, async () => (await import('./commands/doctor.ts')).doctorCommand);
  on(serve(program), async () => (await import('./commands/serve.ts')).serveCommand);
  on(seedFrom(program), async () => (await import('./commands/seed.ts')).seedFromCommand);
  const ctl = program.command('ctl').description('Look into a reference server that runs, and change it.');
  if (isAsked('ctl')) controlCommands(ctl, finish);
  on(list(program), async () => (await import('./commands/list.ts')).listCommand);
  on(report(program), async () => (await import('./commands/report.ts')).reportCommand);
  on(verify(program), async () => (await import('./commands/verify.ts')).verifyCommand);
  on(restore(program), async () => (await import('./commands/restore.ts')).restoreCommand);
  on(compare(program), async () => (await import('./commands/compare.ts')).compareCommand);
  on(baselineUpdate(program), async () => (await import('./commands/baseline.ts')).baselineUpdateCommand);
  on(replay(program), async () => (await import('./commands/replay.ts')).replayCommand);
  on(explain(program), async () => (await import('./commands/explain.ts')).explainCommand);
  on(diff(program), async () => (await import('./commands/diff.ts')).diffCommand);
  on(judge(program), async () => (await import('./commands/judge.ts')).judgeCommand);
  on(proxy(program), async () => (await import('./commands/proxy.ts')).proxyCommand);
  on(badge(program), async () => (await import('./commands/badge.ts')).badgeCommand);
  on(site(program), async () => (await import('./commands/site.ts')).siteCommand);
  on(openapi(program), async () => (await import('./commands/documents.ts')).openapiCommand);
  on(schema(program), async () => (await import('./commands/documents.ts')).schemaCommand);
  takingFlagsOf(runs, doctors);
  return withExamples(program);
}

/** Makes commander throw instead of ending the process, so that `main` chooses the exit code. */
function throwInsteadOfExit(command: CommandUnknownOpts): void {
  command.exitOverride();
  for (const sub of command.commands) throwInsteadOfExit(sub);
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
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return endingTold(error);
  }
}
