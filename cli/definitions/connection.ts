import type { Command } from '@commander-js/extra-typings';
import { duration, type FlagsOf, header, withFlags } from '../flags.ts';

/** Adds the flags for the certificates of a client and the authorities that it trusts. */
export const certificates = (command: Command) =>
  command
    .optionsGroup('To reach the server:')
    .option('--ca <file>', 'PEM file of authorities to trust besides the usual ones')
    .option('--client-cert <file>', 'PEM file of the certificate to show, with its key unless --client-key has it')
    .option('--client-key <file>', 'PEM file of its key');

/** Adds the flags on how to reach a server besides its URL, for every command that sends requests to one. */
export const connection = (command: Command) =>
  withFlags(
    command
      .optionsGroup('To reach the server:')
      .option('--api-key-command <command>', 'a command that prints the API key; asked again when the key is refused')
      .option(
        "--header <'name: value'>",
        'sent with every request, never shown; $NAME reads the environment (repeatable)',
        header,
      ),
    certificates,
  ).option('--wait <duration>', 'wait this long at most for a server that is starting', duration<'wait'>);

export type ConnectionFlags = FlagsOf<typeof connection>;

/** Adds the flag for commands that read the address of a run from its report. `when`: a condition for the help text. */
export const reportedAddress = (when: string) => (command: Command) =>
  command.option('--use-reported-address', `${when}send the key to the address that only the report names`);
