import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { duration, gather, header, positive, wholeNumber } from './flags.ts';

/** The flags of `ctl behave`. */

/** Parses `10-50` or `200`, in milliseconds, or a duration. */
function latency(text: string): object {
  const [from, to] = /^(\d+)-(\d+)$/.exec(text)?.slice(1).map(Number) ?? [];
  return from === undefined || to === undefined ? { ms: duration(text) } : { fromMs: from, toMs: to };
}

/** Parses `10/1`: ten requests in one second. */
function rate(text: string): object {
  const match = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('Give a rate such as 10/1: ten requests in one second.');
  return { requests: Number(match[1]), seconds: Number(match[2]) };
}

/** The flags of `behave`. */
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
