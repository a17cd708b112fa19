import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import {
  apiKeyOption,
  connection,
  duration,
  type FlagsOf,
  gather,
  header,
  positive,
  timeoutOption,
  wholeNumber,
  withFlags,
} from '../flags.ts';

/** The commands for the reference server and its seed. */

export const serve = (program: Command) =>
  program
    .command('serve')
    .description('Start the reference server on the loopback interface.')
    .option('--port <n>', 'port; 0 takes a free one (default: 4010)', wholeNumber(0, 65_535))
    .option('--host <address>', 'address to listen on (default: "127.0.0.1")')
    .option('--unix-socket <path>', 'listen on a socket in the file system instead')
    .option(
      '--api-key <key>',
      'the key that clients must send (or SERVICE_API_KEY in the environment; default: "reference-key")',
    )
    .option(
      '--key <name=key[:role]>',
      'a further key; one whose role is read-only gets 403 for writes; `:expires=2026-01-31T12:00Z` at the end (repeatable)',
      gather,
      [],
    )
    .optionsGroup('What it holds:')
    .option('--seed <file>', 'what it begins with: a seed, or a folder with a file for each collection')
    .option('--store <place>', 'where the state is kept: memory, a folder, or postgres://…', 'memory')
    .option(
      '--behaviours <file>',
      'what it does to requests from the start, see `schema behaviours` (repeatable)',
      gather,
      [],
    )
    .option('--open-vocabulary', 'take any team, user, id type, model …, whether it is there or not')
    .option('--sandboxes [prefix]', 'give each key that begins so a world of its own (default: "sandbox_")')
    .option('--max-sandboxes <n>', 'so many at most at once (default: 1000)', wholeNumber(1))
    .option(
      '--sandbox-idle <duration>',
      'forget one that nobody used for so long (default: 30m)',
      duration<'sandbox-idle'>,
    )
    .optionsGroup('How it differs:')
    .option('--fault <id>', 'have a defect from the catalogue, see `list faults` (repeatable)', gather, [])
    .option('--dialect <id>', 'differ in a way that is correct, see `list dialects` (repeatable)', gather, [])
    .option('--prefer', 'let clients ask for an answer by its status (Prefer: code=429)')
    .option('--api-key-header <name>', 'the header that carries the key (naming.apiKeyHeader of a target file)')
    .option('--unit-id-field <name>', 'the name of the unit-id field (naming.unitIdField)')
    .option('--start-date-placeholder <text>', 'the placeholder of the start date in SQL (naming.startDatePlaceholder)')
    .option('--end-date-placeholder <text>', 'the placeholder of the end date in SQL (naming.endDatePlaceholder)')
    .optionsGroup('How it is reached:')
    .option('--cors-header <name>', 'a header that web pages may send besides (repeatable)', gather, [])
    .option(
      '--control-key <key>',
      'what /_reference/ asks for; needed beyond this machine (or REFERENCE_CONTROL_KEY in the environment)',
    )
    .option('--tls-cert <file>', 'PEM file of a certificate: speak HTTPS')
    .option('--tls-key <file>', 'PEM file of its key')
    .option('--ready-file <file>', 'once it listens, write its address there, as a line of JSON; gone when it stops')
    .optionsGroup('What it prints:')
    .addOption(
      new Option('--log <format>', 'a line for each request; text on a terminal when absent').choices(['text', 'json']),
    )
    .option('--quiet', 'no line for each request');

export const seedFrom = (program: Command) =>
  withFlags(
    program
      .command('seed')
      .description('What the reference server begins with, see `serve --seed`.')
      .command('from')
      .description('Read a server by GET, and gates by patches that change nothing, and write a seed of what it shows.')
      .option('--base-url <url>', 'the server to read; its paths begin with /console/v1 below it')
      .addOption(apiKeyOption())
      .option('--config <file>', 'the target file: what it names is read, or taken as it is told there')
      .option('--event <name>', 'a logged event that exists; the API has no list of them (repeatable)', gather, [])
      .option('--out <file>', 'the seed to write', 'seed.json')
      .option('--force', 'write over a file that is there already')
      .addOption(timeoutOption()),
    connection,
  );

/** Adds the flags that select the reference server of a `ctl` command, and one of its worlds. */
export const referenceServer = (command: Command) =>
  command
    .option('--url <url>', 'the reference server', 'http://127.0.0.1:4010')
    .option('--api-key <key>', 'the key of the sandbox that is meant; the default world when absent')
    .option('--api-key-header <name>', 'the header of the key', 'SERVICE-API-KEY')
    .option('--world <name>', 'the name of the world that is meant, see `ctl sandboxes`')
    .option('--control-key <key>', 'where the server asks for one (or REFERENCE_CONTROL_KEY in the environment)');

/** Parses `10-50` or `200`, in milliseconds, or a duration. */
function latency(text: string): object {
  const [from, to] = /^(\d+)-(\d+)$/.exec(text)?.slice(1).map(Number) ?? [];
  return from === undefined || to === undefined ? { ms: duration(text) } : { fromMs: from, toMs: to };
}

/** Parses `10/1`: ten requests in one second. */
function rate(text: string): object {
  const match = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(text);
  if (!match) throw new InvalidArgumentError('Give a rate such as 10/1: ten requests in one second.');
  return { requests: Number(match[1]), seconds: Number(match[2]) };
}

/** Adds the flags of `behave`. */
export const behaving = (command: Command) =>
  command
    .optionsGroup('Which requests:')
    .option('--operation <id>', 'to an operation, see `list endpoints` (repeatable)', gather, [])
    .option('--method <name>', 'of a method (repeatable)', gather, [])
    .option('--entity <id>', 'about an id or a name')
    .option('--next <n>', 'the next so many', wholeNumber(1))
    .option('--skip <n>', 'leave the first so many alone', wholeNumber(0))
    .option('--until <time>', 'until then by the clock of the world: 2026-01-31T12:00:00Z')
    .option('--share <n>', 'a share of them, up to 1, by the seed', positive)
    .option('--seed <n>', 'what is drawn follows from it', wholeNumber(-2_147_483_648, 2_147_483_647))
    .optionsGroup('What is done to them:')
    .option(
      '--then <step>',
      'what they meet in turn: 500, "429 Retry-After: 1", real, reset … (repeatable)',
      gather,
      [],
    )
    .option('--repeat', 'after the last of --then, the last again')
    .option('--restart', 'after the last of --then, the first')
    .option('--status <n>', 'answer this refusal', wholeNumber(400, 599))
    .option('--message <text>', 'with this message')
    .option('--latency <time>', 'hold them back: 200ms, 2s, or 10-50 in milliseconds, drawn', latency)
    .option('--rate <n/seconds>', 'refuse more than so many in so many seconds', rate)
    .option('--drop', 'close the connection without an answer')
    .option('--stall', 'never answer')
    .option('--after-work', 'carry the operation out first')
    .option('--fault <id>', 'have a defect, see `list faults`')
    .option('--dialect <id>', 'differ in a correct way, see `list dialects`')
    .optionsGroup('Those there are:')
    .option('--explain <request>', 'say what each would do to a request: "PATCH /console/v1/gates/a"; JSON is its body')
    .option('--header <line>', 'a header of that request (repeatable)', header, [])
    .option('--id <id>', 'what it is called')
    .option('--on <id>', 'switch one on')
    .option('--off <id>', 'switch one off')
    .option('--rm <id>', 'take one away')
    .option('--clear', 'take all away');

export type BehaveFlags = FlagsOf<typeof behaving>;
export type ControlFlags = FlagsOf<typeof referenceServer>;
export type ServeFlags = FlagsOf<typeof serve>;
