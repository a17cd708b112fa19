import { Argument, type Command } from '@commander-js/extra-typings';
import type { ControlRequest } from './commands/ctl.ts';
import { type BehaveFlags, behaving, type ControlFlags, referenceServer } from './definitions/server.ts';
import { duration, wholeNumber, withFlags } from './flags.ts';
import { refuse } from './input.ts';

/** Receives the exit code of a command. */
export type Finish = (code: number) => void;

/** Parses a time: milliseconds since 1970, or a date. */
function time(text: string): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(value)) refuse(`${text} is no time such as 2026-01-31T12:00:00Z`);
  return value;
}

function needed(value: string | undefined, what: string): string {
  if (value === undefined) refuse(`${what} is missing`);
  return value;
}

const clockBody = (what: string, value: string | undefined): object => {
  if (what === 'set') return { time: time(needed(value, 'the time')) };
  if (what === 'advance') return { advance: duration(needed(value, 'the duration')) };
  return what === 'real' ? { real: true } : { stopped: what === 'stop' };
};

const oneOf = (about: string, ...choices: readonly string[]): Argument =>
  new Argument('[what]', about).choices(choices);

const load = () => import('./commands/ctl.ts');

/** Adds the commands of `ctl`, which control a running reference server. */
export function controlCommands(ctl: Command, finish: Finish): void {
  const command = (name: string, about: string) => withFlags(ctl.command(name).description(about), referenceServer);
  /** Sends a request to the server that the flags name. */
  const send = async (
    flags: object,
    method: ControlRequest['method'],
    path: ControlRequest['path'],
    more: Partial<ControlRequest> = {},
  ) => finish(await (await load()).controlCommand({ ...more, method, path }, flags as ControlFlags));

  command('state', 'Print all there is, a collection, or one entity.')
    .argument('[collection]')
    .argument('[id]')
    .action((collection, id, flags) => send(flags, 'GET', ['state', collection, id]));
  for (const [name, method, about] of [
    ['put', 'PUT', 'Create or replace one entity.'],
    ['patch', 'PATCH', 'Change members of one entity (RFC 7396); null takes a member away.'],
  ] as const)
    command(name, about)
      .argument('<collection>')
      .argument('<id>')
      .argument('<json>', 'JSON, @FILE, or - for the standard input')
      .action((collection, id, json, flags) => send(flags, method, ['state', collection, id], { json }));
  command('rm', 'Take one entity away.')
    .argument('<collection>')
    .argument('<id>')
    .action((collection, id, flags) => send(flags, 'DELETE', ['state', collection, id]));
  command('snapshots', 'List the snapshots, or save, load, forget, export or import one.')
    .addArgument(oneOf('what to do with one', 'list', 'save', 'load', 'rm', 'export', 'import').default('list'))
    .argument('[name]')
    .argument('[json]', 'what to import: JSON, @FILE, or - for the standard input')
    .action((what, name, json, flags) => {
      if (what === 'list') return send(flags, 'GET', ['snapshots']);
      const path = ['snapshots', needed(name, 'the name of the snapshot')];
      if (what === 'save' || what === 'load') return send(flags, 'POST', [...path, what]);
      if (what === 'import') return send(flags, 'PUT', path, { json: needed(json, 'what to import') });
      return send(flags, what === 'rm' ? 'DELETE' : 'GET', path);
    });
  withFlags(
    command(
      'behave',
      'Make requests slow, wrong, refused or lost, while the server runs; without flags, list the behaviours.',
    ).argument('[json]', 'a behaviour: JSON, @FILE, or - for the standard input'),
    behaving,
  ).action(async (json, flags) => {
    const request = (await load()).behaviourRequest(json, flags as BehaveFlags);
    await send(flags, request.method, request.path, request);
  });
  command('clock', 'Read the clock, or set, advance, stop or start it, or go back to the real time.')
    .addArgument(oneOf('what to do', 'set', 'advance', 'stop', 'start', 'real'))
    .argument('[value]', 'a time (2026-01-31T12:00:00Z, or milliseconds since 1970), or how far (2h)')
    .action((what, value, flags) =>
      what === undefined
        ? send(flags, 'GET', ['clock'])
        : send(flags, 'PATCH', ['clock'], { body: clockBody(what, value) }),
    );
  command('requests', 'Print the last requests, wait for some, follow them, or forget them.')
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
      if (follow) return finish(await (await load()).followCommand(flags as ControlFlags, json === true));
      if (clear) return send(flags, 'DELETE', ['requests']);
      const query = { method, path, status, endpoint, since };
      return wait === undefined
        ? send(flags, 'GET', ['requests'], { query: { ...query, limit }, inLines: !json })
        : send(flags, 'GET', ['requests', 'wait'], { query: { ...query, count: wait, timeout }, inLines: !json });
    });
  command('seed', 'Give the world another seed to hold, now and after a reset.')
    .argument('<file>', 'a seed, or a folder with a file for each collection')
    .action(async (file, flags) => {
      const { readSeed } = await import('./seed-file.ts');
      await send(flags, 'PUT', ['seed'], { body: readSeed(file).value });
    });
  command('reset', 'Go back to the seed, without behaviours, with the clock of the server; or only what is named.')
    .argument('[part...]', 'state, behaviours, clock, requests, snapshots')
    .action((only, flags) => send(flags, 'POST', ['reset'], { body: only.length === 0 ? {} : { only } }));
  command('sandboxes', 'List the worlds, make one with a key of its own, or forget one.')
    .addArgument(oneOf('what to do', 'list', 'make', 'put', 'rm').default('list'))
    .argument('[name]', 'the name of the one to put or forget, or the key of the one to make (a new one when absent)')
    .argument('[json]', 'of the one to put: {"seed", "clock", "behaviours", "expires"}, as JSON, @FILE, or -')
    .action((what, name, json = '{}', flags) => {
      if (what === 'list') return send(flags, 'GET', ['sandboxes']);
      if (what === 'make') return send(flags, 'POST', ['sandboxes'], { body: { apiKey: name } });
      const path = ['sandboxes', needed(name, 'the name of the sandbox')];
      return what === 'rm' ? send(flags, 'DELETE', path) : send(flags, 'PUT', path, { json });
    });
}
