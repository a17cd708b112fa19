import { Argument, type Command } from '@commander-js/extra-typings';
import { behaving } from './behave-flags.ts';
import type { ControlRequest } from './commands/ctl.ts';
import { type ControlFlags, referenceServer } from './definitions/server.ts';
import { duration, type FlagsOf, wholeNumber, withFlags } from './flags.ts';
import { UsageError } from './input.ts';

/** Takes the exit code of a command. */
export type Finish = (code: number) => void;

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

const clockBody = (what: string, value: string | undefined): object => {
  if (what === 'set') return { time: time(needed(value, 'the time')) };
  if (what === 'advance') return { advance: duration(needed(value, 'the duration')) };
  return what === 'real' ? { real: true } : { stopped: what === 'stop' };
};

const oneOf = (name: string, about: string, choices: readonly string[]): Argument =>
  new Argument(name, about).choices(choices);

const load = () => import('./commands/ctl.ts');

/** Asks the server that flags name. */
type Send = (
  flags: object,
  method: ControlRequest['method'],
  path: ControlRequest['path'],
  more?: Omit<ControlRequest, 'method' | 'path'>,
) => Promise<void>;

/** Begins a command of `ctl`, with the flags that all have. */
const begin = (ctl: Command) => (text: string) => withFlags(ctl.command(text), referenceServer);
type Begin = ReturnType<typeof begin>;

function stateCommands(command: Begin, send: Send): void {
  command('state')
    .argument('[collection]')
    .argument('[id]')
    .description('Print all there is, a collection, or one entity.')
    .action((collection, id, flags) => send(flags, 'GET', ['state', collection, id]));
  for (const [name, method, about] of [
    ['put', 'PUT', 'Create or replace one entity.'],
    ['patch', 'PATCH', 'Change members of one entity (RFC 7396); null takes a member away.'],
  ] as const)
    command(name)
      .description(about)
      .argument('<collection>')
      .argument('<id>')
      .argument('<json>', 'JSON, @FILE, or - for the standard input')
      .action((collection, id, json, flags) => send(flags, method, ['state', collection, id], { json }));
  command('rm')
    .argument('<collection>')
    .argument('<id>')
    .description('Take one entity away.')
    .action((collection, id, flags) => send(flags, 'DELETE', ['state', collection, id]));
}

function snapshotCommand(command: Begin, send: Send): void {
  command('snapshots')
    .description('List the snapshots, or save, load, forget, export or import one.')
    .addArgument(
      oneOf('[what]', 'what to do with one', ['list', 'save', 'load', 'rm', 'export', 'import']).default('list'),
    )
    .argument('[name]')
    .argument('[json]', 'what to import: JSON, @FILE, or - for the standard input')
    .action((what, name, json, flags) => {
      if (what === 'list') return send(flags, 'GET', ['snapshots']);
      const path = ['snapshots', needed(name, 'the name of the snapshot')];
      if (what === 'save' || what === 'load') return send(flags, 'POST', [...path, what]);
      if (what === 'import') return send(flags, 'PUT', path, { json: needed(json, 'what to import') });
      return send(flags, what === 'rm' ? 'DELETE' : 'GET', path);
    });
}

function requestsCommand(command: Begin, send: Send, finish: Finish): void {
  command('requests')
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
      if (follow === true) return finish(await (await load()).followCommand(flags as ControlFlags, json === true));
      if (clear === true) return send(flags, 'DELETE', ['requests']);
      const query = { method, path, status, endpoint, since };
      const inLines = json !== true;
      return wait === undefined
        ? send(flags, 'GET', ['requests'], { query: { ...query, limit }, inLines })
        : send(flags, 'GET', ['requests', 'wait'], { query: { ...query, count: wait, timeout }, inLines });
    });
}

/** The commands about a world as a whole: its seed, its beginning, and which worlds there are. */
function worldCommands(command: Begin, send: Send): void {
  command('seed')
    .description('Give the world another seed to hold, now and after a reset.')
    .argument('<file>', 'a seed, or a folder with a file for each collection')
    .action(async (file, flags) => {
      const { readSeed } = await import('./seed-file.ts');
      await send(flags, 'PUT', ['seed'], { body: readSeed(file).value });
    });
  command('reset')
    .description('Go back to the seed, without behaviours, with the clock of the server; or only what is named.')
    .addArgument(new Argument('[part...]', 'state, behaviours, clock, requests, snapshots'))
    .action((parts: readonly string[], flags) =>
      send(flags, 'POST', ['reset'], { body: parts.length === 0 ? {} : { only: parts } }),
    );
  command('sandboxes')
    .description('List the worlds, make one with a key of its own, or forget one.')
    .addArgument(oneOf('[what]', 'what to do', ['list', 'make', 'put', 'rm']).default('list'))
    .argument('[name]', 'the name of the one to put or forget, or the key of the one to make (a new one when absent)')
    .argument('[json]', 'of the one to put: {"seed", "clock", "behaviours", "expires"}, as JSON, @FILE, or -')
    .action((what, name, json = '{}', flags) => {
      if (what === 'list') return send(flags, 'GET', ['sandboxes']);
      if (what === 'make') return send(flags, 'POST', ['sandboxes'], { body: { apiKey: name } });
      const path = ['sandboxes', needed(name, 'the name of the sandbox')];
      return what === 'rm' ? send(flags, 'DELETE', path) : send(flags, 'PUT', path, { json });
    });
}

function clockCommand(command: Begin, send: Send): void {
  command('clock')
    .description('Read the clock, or set, advance, stop or start it, or go back to the real time.')
    .addArgument(oneOf('[what]', 'what to do', ['set', 'advance', 'stop', 'start', 'real']))
    .argument('[value]', 'a time (2026-01-31T12:00:00Z, or milliseconds since 1970), or how far (2h)')
    .action((what, value, flags) =>
      what === undefined
        ? send(flags, 'GET', ['clock'])
        : send(flags, 'PATCH', ['clock'], { body: clockBody(what, value) }),
    );
}

/** Gives `ctl` its commands: the reference server in the hand, while it runs. */
export function controlCommands(ctl: Command, finish: Finish): void {
  const command = begin(ctl);
  const send: Send = async (flags, method, path, more) =>
    finish(await (await load()).controlCommand({ method, path, ...more }, flags as ControlFlags));
  stateCommands(command, send);
  snapshotCommand(command, send);
  const behave = command('behave')
    .description(
      'Make requests slow, wrong, refused or lost, while the server runs; without flags, list the behaviours.',
    )
    .argument('[json]', 'a behaviour: JSON, @FILE, or - for the standard input');
  withFlags(behave, behaving).action(async (json, flags) => {
    const request = (await load()).behaviourRequest(json, flags as FlagsOf<typeof behaving>);
    await send(flags, request.method, request.path, request);
  });
  clockCommand(command, send);
  requestsCommand(command, send, finish);
  worldCommands(command, send);
}
