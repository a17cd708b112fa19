import type { Command } from 'commander';
import { duration, header } from './flags.ts';

/** The commands that read the address of a run from its report, and what of theirs sends there. */
const sendingAgain: Readonly<Record<string, string>> = {
  run: 'with --failed: ',
  replay: '',
  restore: '',
};

/** Adds to a command that speaks to a target the flags that say how it is reached. */
export const connecting = (command: Command): Command => {
  command
    .optionsGroup('To reach the server:')
    .option('--api-key-command <command>', 'a command that prints the API key; asked again when the key is refused')
    .option(
      "--header <'name: value'>",
      'sent with every request, never shown; $NAME reads the environment (repeatable)',
      header,
    )
    .option('--ca <file>', 'PEM file of authorities to trust besides the usual ones')
    .option('--client-cert <file>', 'PEM file of the certificate to show, with its key unless --client-key has it')
    .option('--client-key <file>', 'PEM file of its key')
    .option('--wait <duration>', 'wait this long at most for a server that is starting', duration);
  const when = sendingAgain[command.name()];
  return when === undefined
    ? command
    : command.option('--use-reported-address', `${when}send the key to the address that only the report names`);
};
