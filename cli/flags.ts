import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { Ms } from '../contracts/duration.ts';
import { profiles } from '../contracts/report/choices.ts';
import { timeText } from '../reports/text/time-text.ts';
import { runDefaults } from '../suites/engine/config.ts';
import type { Listening } from '../suites/traffic/wire/proxy.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The flags of a command as its work receives them: undefined if optional and not given. No name can be misspelt. */
export type Stated<Flags> = {
  readonly [Name in keyof Required<Flags>]: [Flags[Name & keyof Flags]] extends [true | undefined]
    ? boolean | undefined
    : Flags[Name & keyof Flags];
};

/** A function that gives a command its flags and its arguments. */
type Definition = (command: Command) => { opts(): unknown; readonly processedArgs: unknown };

/** The flags that a definition gives to a command. */
export type FlagsOf<Given extends Definition> = Stated<ReturnType<ReturnType<Given>['opts']>>;

/** The result of a command: its exit code, or a text to print. */
export type Ending = number | string;

/** The work of a command, given its flags and its arguments. */
export type Work<Given extends Definition> = (
  flags: FlagsOf<Given>,
  args: ReturnType<Given>['processedArgs'],
  command: CommandUnknownOpts,
) => Ending | Promise<Ending>;

/** Gives a command flags that several share. */
export const withFlags = <Args extends unknown[], Own extends OptionValues, Shared extends OptionValues>(
  command: Command<Args, Own>,
  add: (command: Command) => Command<[], Shared>,
): Command<Args, Own & Shared> => add(command as never) as never;

/**
 * Parses a duration such as `500ms`, `2s` or `10m`. Returns milliseconds. Throws commander's error for anything else.
 */
export function duration<Name extends string>(text: string): Ms<Name> {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const value = match ? Number(match[1]) * (units[match[2] as string] as number) : 0;
  if (value <= 0) throw new InvalidArgumentError('Give a duration such as 500ms, 2s or 10m.');
  return value;
}

/** Returns a parser of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < least || value > most) {
      const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
      throw new InvalidArgumentError(`Give a whole number from ${least}${upTo}.`);
    }
    return value;
  };
}

/** Parses a number above zero. */
export function positive(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('Give a number above 0.');
  return value;
}

/** Parses a share in percent, from 0 to 100. */
export function percent(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 100) throw new InvalidArgumentError('Give a number from 0 to 100.');
  return value;
}

/** The report of the last run, if that had no other `--out`. */
export const lastReport = 'conform-report/report.json';

/** Parses a maximum number of things to show: a whole number, or `all`. */
export const mostShown = (text: string): number => (text === 'all' ? Number.POSITIVE_INFINITY : wholeNumber(0)(text));

/** Returns the property names of the flags that were given; the others have their defaults. */
export const givenOf = (command: CommandUnknownOpts): ReadonlySet<string> =>
  new Set(Object.keys(command.opts()).filter(name => command.getOptionValueSource(name) === 'cli'));

/** Returns the flag of a property: `--read-only` of `readOnly`. */
export const flagOf = (property: string): string =>
  `--${property.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

/** Collects a flag that may be given several times. */
export const gather = (text: string, before: readonly string[]): string[] => [...before, text];

/** Parses `I/N`, the I-th of N shards. */
export function shard(text: string): { index: number; total: number } {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const index = Number(match?.[1]);
  const total = Number(match?.[2]);
  if (!match || index < 1 || index > total)
    throw new InvalidArgumentError('Give a shard such as 1/3: the first of three.');
  return { index, total };
}

/** Collects a header `Name: value` (RFC 9110 section 5.1), which may be given several times. */
export function header(text: string, before: readonly string[] = []): string[] {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+:/.test(text))
    throw new InvalidArgumentError("Give a header such as 'X-Tenant: acme'.");
  return [...before, text];
}

/** Returns the flag that says how much a run sends. */
export const profileOption = () =>
  new Option('--profile <name>', 'how much to send').choices(profiles).default(runDefaults.profile);

/** Returns the flag that fixes what a run generates. */
export const seedOption = () =>
  new Option('--seed <n>', 'fixes everything that is generated')
    .argParser(wholeNumber(-2_147_483_648, 2_147_483_647))
    .default(runDefaults.seed);

/** Returns the flag that bounds the wait for an answer. */
export const timeoutOption = () =>
  new Option('--timeout <duration>', 'longest wait for one answer')
    .argParser(duration<'timeout'>)
    .default(runDefaults.timeoutMs, timeText(runDefaults.timeoutMs));

/** Returns the flag that bounds the wait for what was written. */
export const settleOption = () =>
  new Option('--settle <duration>', 'longest wait for a write to become visible')
    .argParser(duration<'settle'>)
    .default(runDefaults.settleMs, timeText(runDefaults.settleMs));

/** Returns the flag with the key of a target. */
export const apiKeyOption = () =>
  new Option('--api-key <key>', 'the API key (or SERVICE_API_KEY in the environment); never written anywhere');

/** Parses where to listen: `127.0.0.1:4011`, `[::1]:4011`, `:4011` or `4011`. Port 0 takes a free one. */
export function listening(text: string): Listening {
  const [, bracketed, plain, port = ''] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) throw new InvalidArgumentError('Give an address such as 127.0.0.1:4011.');
  return { host: bracketed ?? (plain || '127.0.0.1'), port: Number(port) };
}

/** Collects the name of an environment variable, which may be given several times. */
export function variableName(text: string, before: readonly string[] = []): string[] {
  if (!/^[A-Za-z_]\w*$/.test(text)) throw new InvalidArgumentError('Give the name of a variable such as API_URL.');
  return [...before, text];
}

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

/** The exit codes of every command. */
export const exitCodes = `
Exit codes:
  0  conformant
  1  non-conformant (a MUST is broken, or a SHOULD under --strict), or a baseline entry is stale
  2  a mistake in a flag, the config or a filter (nothing was sent), or a file that cannot be written
  3  incomplete (something could not be tested, or less was verified than asked for), or the target could not be reached
  4  a fault of the suite itself
  130  interrupted`;

/** The exit codes of a command that runs another one. */
export const exitCodesWithCommand = exitCodes.replace(
  '\n  130',
  '\n  5  the command of --exec failed, and the traffic is clean, or there was none\n  130',
);

/** The exit codes of a comparison of two servers. */
export const exitCodesOfDiff = `
Exit codes:
  0  nothing differs beyond what is allowed
  1  a difference that --fail-on names, or an entry of --allow that nothing needs any more
  2  a mistake in a flag, a file or a filter; both addresses have one backend behind them; a broken recording
  3  incomplete: one of them died, or nothing could be compared
  4  a fault of the suite itself
  130  interrupted`;
