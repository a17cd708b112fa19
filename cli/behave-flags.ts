import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { ControlRequest } from './commands/ctl.ts';
import { duration, type FlagsOf, gather, positive, wholeNumber } from './flags.ts';
import { UsageError } from './input.ts';

/** The flags of `ctl behave`, and what is asked by them. */

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
    .option('--header <line>', 'a header of that request (repeatable)', gather, [])
    .option('--id <id>', 'what it is called')
    .option('--on <id>', 'switch one on')
    .option('--off <id>', 'switch one off')
    .option('--rm <id>', 'take one away')
    .option('--clear', 'take all away');

/** A step of `--then`. Throws a `UsageError` for a line that is none. */
function stepIn(line: string, { stepOf, stepWords }: typeof import('./commands/ctl.ts')['step']): unknown {
  const step = stepOf(line);
  if (step === undefined) throw new UsageError(`--then ${JSON.stringify(line)} is no step; there are ${stepWords}`);
  return step;
}

/** What `behave --explain` sends. Throws a `UsageError` for what is no request. */
function explaining(request: string, lines: readonly string[], body: unknown): ControlRequest {
  const [, method, url] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(request.trim()) ?? [];
  if (method === undefined)
    throw new UsageError(`--explain ${JSON.stringify(request)} is no request such as "PATCH /console/v1/gates/a"`);
  const headers = lines.map(line => {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new UsageError(`--header ${JSON.stringify(line)} must be NAME: VALUE`);
    return [name, value];
  });
  const given = { method, url, headers: Object.fromEntries(headers), ...(body !== undefined && { body }) };
  return { method: 'POST', path: '/behaviours/explain', body: given };
}

/** The flags that are members of a behaviour. */
// biome-ignore format: one line
const asTheyAre = ['id', 'entity', 'skip', 'until', 'share', 'seed', 'fault', 'dialect', 'latency', 'afterWork'] as const;

/** What `behave` sends, by its flags. */
export function behaviourRequest(
  json: unknown,
  flags: FlagsOf<typeof behaving>,
  { pathOf: path, step }: Pick<typeof import('./commands/ctl.ts'), 'pathOf' | 'step'>,
): ControlRequest {
  const { on, off, rm, clear, operation, method, status, message, drop, stall, rate: rateLimit, ...others } = flags;
  if (others.explain !== undefined) return explaining(others.explain, others.header, json);
  const [switched, isOn] = on === undefined ? [off, false] : [on, true];
  if (switched !== undefined) return { method: 'PATCH', path: path('behaviours', switched), body: { on: isOn } };
  if (rm !== undefined) return { method: 'DELETE', path: path('behaviours', rm) };
  if (clear === true) return { method: 'DELETE', path: '/behaviours' };
  const { next, restart, repeat } = others;
  const after = restart === true ? 'restart' : repeat === true ? 'repeat' : undefined;
  // With a script the newer word for the same is asked for.
  const count = others.then.length > 0 ? { times: next } : { next };
  const named = { ...Object.fromEntries(asTheyAre.map(name => [name, others[name]])), ...count, rateLimit, after };
  const given = {
    ...((json as object | undefined) ?? {}),
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
    ...(others.then.length > 0 && { then: others.then.map(line => stepIn(line, step)) }),
    ...(operation.length > 0 && { operations: operation }),
    ...(method.length > 0 && { methods: method.map(one => one.toUpperCase()) }),
    ...(status !== undefined && { error: { status, ...(message !== undefined && { message }) } }),
    ...(drop === true && { connection: 'drop' }),
    ...(stall === true && { connection: 'stall' }),
  };
  return Object.keys(given).length === 0
    ? { method: 'GET', path: '/behaviours' }
    : { method: 'POST', path: '/behaviours', body: given };
}
