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
import { givenOf, type Stated } from './flags.ts';
import { helpColumns } from './help-page.ts';
import { exitCodes } from './help-texts.ts';
import { UsageError } from './input.ts';
import { learnCommand, shown } from './known-secrets.ts';
import { errors, messageLine, output, tell } from './streams.ts';

/** Tells of what ended a command, unless commander has. Returns the exit code: never that of a verdict. */
function endingTold(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode(['usage-error']);
  if (!(error instanceof UsageError)) return faultTold(error);
  errors.write(rendered(shown(`conform: ${error.message}`), messageLine));
  return exitCode(['usage-error']);
}

const someFlag = new Option('--some');

/** A command that stands in the help of its parent, which shows no more of its flags than that there are some. */
function listed(name?: string): Command {
  const command = new Command(name);
  const flagged = (): Command => Object.assign(command, { options: [someFlag] });
  return Object.assign(command, { option: flagged, addOption: flagged, createCommand: listed });
}

/**
 * Returns the command line; `finish` is called with the exit code of a command that ended. A command that is not among
 * `words` has no flags of its own, because to define some three hundred takes a fifth of the time of the help.
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

  const { env } = process;
  /** Says what a command does. */
  const on = <Args extends unknown[], Flags extends OptionValues>(
    command: Command<Args, Flags>,
    work: (flags: Stated<Flags>, args: Args, command: CommandUnknownOpts) => Promise<number | undefined>,
  ) =>
    command.action(async (...all) =>
      finish((await work(all.at(-2) as Stated<Flags>, all.slice(0, -2) as Args, command)) ?? 0),
    );
  const print = (text: string): undefined => void output.write(vouched(text));

  const runs = run(program);
  on(runs, async (flags, _, command) => (await import('./commands/run.ts')).runCommand(flags, env, givenOf(command)));
  on(init(program), async flags => (await import('./commands/init.ts')).initCommand(flags, env));
  const doctors = doctor(program).addHelpText(
    'after',
    '\nExit codes: 0 a run can prove everything, 3 it cannot, 2 a mistake in a flag or the config.\nIt takes the flags of `run` too.',
  );
  on(doctors, async flags => (await import('./commands/doctor.ts')).doctorCommand(flags, env));
  on(serve(program), async flags => (await import('./commands/serve.ts')).serveCommand(flags, env));
  on(seedFrom(program), async flags => (await import('./commands/seed.ts')).seedFromCommand(flags, env));
  const ctl = program.command('ctl').description('Look into a reference server that runs, and change it.');
  if (isAsked('ctl')) controlCommands(ctl, finish);
  on(list(program), async (flags, [what]) => print((await import('./commands/list.ts')).listCommand(what, flags)));
  on(report(program), async (flags, [journals]) =>
    (await import('./commands/report.ts')).reportCommand(journals, flags, env),
  );
  on(verify(program), async (flags, [files]) => (await import('./commands/verify.ts')).verifyCommand(files, flags));
  on(restore(program), async (flags, [journals]) =>
    (await import('./commands/restore.ts')).restoreCommand(journals, flags, env),
  );
  on(compare(program), async (flags, [files]) =>
    (await import('./commands/compare.ts')).compareCommand(files, flags, env),
  );
  on(baselineUpdate(program), async (flags, [journal]) =>
    (await import('./commands/baseline.ts')).baselineUpdateCommand(journal, flags),
  );
  on(replay(program), async (flags, [id, file]) =>
    (await import('./commands/replay.ts')).replayCommand(id, file, flags, env),
  );
  on(explain(program), async (_, [id, of]) => {
    const { explainCommand } = await import('./commands/explain.ts');
    const { terminalOf } = await import('./outputs.ts');
    output.write(shown(explainCommand(id, of, terminalOf(output, env))));
  });
  on(diff(program), async (flags, [a, b], command) => {
    const isNamed = [a, b, flags.configA, flags.configB].some(one => one !== undefined);
    if (isNamed) return (await import('./commands/diff.ts')).diffTwo(a, b, flags, env, givenOf(command));
    command.outputHelp({ error: true });
    return 2;
  });
  on(judge(program), async (flags, [files]) => (await import('./commands/judge.ts')).judgeCommand(files, flags, env));
  on(proxy(program), async flags => (await import('./commands/proxy.ts')).proxyCommand(flags, env));
  on(badge(program), async (flags, [file]) => void (await import('./commands/badge.ts')).badgeCommand(file, flags));
  on(site(program), async (flags, [folders]) => (await import('./commands/site.ts')).siteCommand(folders, flags));
  on(openapi(program), async () => print((await import('./commands/documents.ts')).openapiCommand()));
  on(schema(program), async (_, [name]) => print((await import('./commands/documents.ts')).schemaCommand(name)));
  takingFlagsOf(runs, doctors);
  return withExamples(program);
}

/** Makes commander throw instead of ending the process, so that `main` chooses the exit code. */
function throwInsteadOfExit(command: CommandUnknownOpts): void {
  command.exitOverride();
  for (const sub of command.commands) throwInsteadOfExit(sub);
}

/** Runs the command line, whose command begins once `prepare` is done. Returns the exit code. */
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
