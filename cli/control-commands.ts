import { Argument, type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { ControlRequest } from './commands/ctl.ts';
import { type ControlFlags, referenceServer } from './definitions/server.ts';
import { duration, type FlagsOf, gather, positive, wholeNumber, withFlags } from './flags.ts';
import { UsageError } from './input.ts';

/** Takes the exit code of a command. */
export type Finish = (code: number) => void;

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

/** Parses a time: milliseconds since 1970, or a date. */
function time(text: string): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(value)) throw new UsageError(`${text} is no time such as 2026-01-31T12:00:00Z`);
  return value;
}

function needed(value: string | undefined, what: string): string {
  if (value === undefined) throw new UsageError(`${what} is missing`);
  return value;
}

const connected = (command: Command) => withFlags(command, referenceServer);

/** The flags of `behave`. */
const behaving = (command: Command) =>
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

/** What `behave` sends, by its flags. */
function behaviourRequest(
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
  const {
    id,
    entity,
    next,
    skip,
    until,
    share,
    seed,
    fault,
    dialect,
    latency: hold,
    afterWork,
    restart,
    repeat,
  } = others;
  const after = restart === true ? 'restart' : repeat === true ? 'repeat' : undefined;
  // With a script the newer word for the same is asked for.
  const count = others.then.length > 0 ? { times: next } : { next };
  const named = {
    id,
    entity,
    ...count,
    skip,
    until,
    share,
    seed,
    fault,
    dialect,
    latency: hold,
    afterWork,
    rateLimit,
    after,
  };
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

const clockBody = (what: string, value: string | undefined): object => {
  if (what === 'set') return { time: time(needed(value, 'the time')) };
  if (what === 'advance') return { advance: duration(needed(value, 'the duration')) };
  return what === 'real' ? { real: true } : { stopped: what === 'stop' };
};

const oneOf = (name: string, about: string, choices: readonly string[]): Argument =>
  new Argument(name, about).choices(choices);

/** Adds `ctl`: the reference server in the hand, while it runs. */
export function controlCommands(program: Command, finish: Finish): void {
  const ctl = program.command('ctl').description('Look into a reference server that runs, and change it.');
  const load = () => import('./commands/ctl.ts');
  const send = async (flags: object, make: (module: Awaited<ReturnType<typeof load>>) => ControlRequest) => {
    const module = await load();
    finish(await module.controlCommand(make(module), flags as ControlFlags, process.env));
  };

  connected(ctl.command('state'))
    .description('Print all there is, a collection, or one entity.')
    .argument('[collection]')
    .argument('[id]')
    .action((collection, id, flags) =>
      send(flags, ({ pathOf }) => ({ method: 'GET', path: pathOf('state', collection, id) })),
    );

  for (const [name, about] of [
    ['put', 'Create or replace one entity.'],
    ['patch', 'Change members of one entity (RFC 7396); null takes a member away.'],
  ] as const)
    connected(ctl.command(name))
      .description(about)
      .argument('<collection>')
      .argument('<id>')
      .argument('<json>', 'JSON, @FILE, or - for the standard input')
      .action((collection, id, json, flags) =>
        send(flags, ({ pathOf, givenJson }) => ({
          method: name === 'put' ? 'PUT' : 'PATCH',
          path: pathOf('state', collection, id),
          body: givenJson(json),
        })),
      );

  connected(ctl.command('rm'))
    .description('Take one entity away.')
    .argument('<collection>')
    .argument('<id>')
    .action((collection, id, flags) =>
      send(flags, ({ pathOf }) => ({ method: 'DELETE', path: pathOf('state', collection, id) })),
    );

  connected(ctl.command('snapshots'))
    .description('List the snapshots, or save, load, forget, export or import one.')
    .addArgument(
      oneOf('[what]', 'what to do with one', ['list', 'save', 'load', 'rm', 'export', 'import']).default('list'),
    )
    .argument('[name]')
    .argument('[json]', 'what to import: JSON, @FILE, or - for the standard input')
    .action((what, name, json, flags) =>
      send(flags, ({ pathOf, givenJson }) => {
        if (what === 'list') return { method: 'GET', path: '/snapshots' };
        const named = needed(name, 'the name of the snapshot');
        if (what === 'save' || what === 'load') return { method: 'POST', path: pathOf('snapshots', named, what) };
        if (what === 'rm') return { method: 'DELETE', path: pathOf('snapshots', named) };
        if (what === 'export') return { method: 'GET', path: pathOf('snapshots', named) };
        return { method: 'PUT', path: pathOf('snapshots', named), body: givenJson(needed(json, 'what to import')) };
      }),
    );

  const behave = connected(ctl.command('behave'))
    .description(
      'Make requests slow, wrong, refused or lost, while the server runs; without flags, list the behaviours.',
    )
    .argument('[json]', 'a behaviour: JSON, @FILE, or - for the standard input');
  withFlags(behave, behaving).action((json, flags) =>
    send(flags, module =>
      behaviourRequest(
        json === undefined ? undefined : module.givenJson(json),
        flags as FlagsOf<typeof behaving>,
        module,
      ),
    ),
  );

  connected(ctl.command('clock'))
    .description('Read the clock, or set, advance, stop or start it, or go back to the real time.')
    .addArgument(oneOf('[what]', 'what to do', ['set', 'advance', 'stop', 'start', 'real']))
    .argument('[value]', 'a time (2026-01-31T12:00:00Z, or milliseconds since 1970), or how far (2h)')
    .action((what, value, flags) =>
      send(flags, () =>
        what === undefined
          ? { method: 'GET', path: '/clock' }
          : { method: 'PATCH', path: '/clock', body: clockBody(what, value) },
      ),
    );

  connected(ctl.command('requests'))
    .description('Print the last requests, wait for some, follow them, or forget them.')
    .option('--method <name>', 'of this method')
    .option('--path <text>', 'with this in path and query')
    .option('--status <status>', 'with this status: 404, 4xx, or none')
    .option('--endpoint <id>', 'to this operation: create-metric')
    .option('--since <n>', 'after the request of this number', wholeNumber(0))
    .option('--limit <n>', 'the last so many', wholeNumber(1))
    .option('--wait <n>', 'wait until so many more came', wholeNumber(1))
    .option('--timeout <duration>', 'longest wait', duration<'wait'>, 10_000)
    .option('--follow', 'print every request from now on')
    .option('--clear', 'forget them')
    .option('--json', 'all that is known of each')
    .action(async flags => {
      const { method, path, status, endpoint, since, limit, wait, timeout, follow, clear, json } = flags;
      if (follow === true) {
        finish(await (await load()).followCommand(flags as ControlFlags, process.env, json === true));
        return;
      }
      await send(flags, ({ requestLines }) => {
        if (clear === true) return { method: 'DELETE', path: '/requests' };
        const show = json === true ? {} : { show: requestLines };
        const query = { method, path, status, endpoint, since };
        return wait === undefined
          ? { method: 'GET', path: '/requests', query: { ...query, limit }, ...show }
          : { method: 'GET', path: '/requests/wait', query: { ...query, count: wait, timeout }, ...show };
      });
    });

  connected(ctl.command('reset'))
    .description('Go back to the seed, without behaviours, with the clock of the server; or only what is named.')
    .addArgument(new Argument('[part...]', 'state, behaviours, clock, requests, snapshots'))
    .action((parts: readonly string[], flags) =>
      send(flags, () => ({ method: 'POST', path: '/reset', body: parts.length === 0 ? {} : { only: parts } })),
    );

  connected(ctl.command('sandboxes'))
    .description('List the worlds, make one with a key of its own, or forget one.')
    .addArgument(oneOf('[what]', 'what to do', ['list', 'make', 'rm']).default('list'))
    .argument('[name]', 'the name of the one to forget, or the key of the one to make (a new one when absent)')
    .action((what, name, flags) =>
      send(flags, ({ pathOf }) => {
        if (what === 'list') return { method: 'GET', path: '/sandboxes' };
        return what === 'make'
          ? { method: 'POST', path: '/sandboxes', body: name === undefined ? {} : { apiKey: name } }
          : { method: 'DELETE', path: pathOf('sandboxes', needed(name, 'the name of the sandbox')) };
      }),
    );
}
