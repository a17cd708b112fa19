import { type BehaviourRequest, behaviourSchema } from '../../contracts/behaviour.ts';
import { closed, list, object, record } from '../../contracts/object.ts';
import { integer, text } from '../../contracts/scalars.ts';
import { ControlError } from '../tool/refusal.ts';
import { type ClockChange, clockChange } from '../worlds/clock.ts';
import type { ServedWorld } from '../worlds/served-world.ts';
import { seedFrom } from './control.ts';
import { type ControlCall, type ControlRoute, route, telling } from './route.ts';

const sandbox = object({ name: text, requests: integer, usedAt: integer, apiKey: text });

const newSandbox = closed(
  object({
    apiKey: { type: 'string', minLength: 1, maxLength: 200, description: 'A new one when absent.' },
  }),
);

const namedSandbox = closed(
  object({
    seed: { type: 'object', description: 'What it holds at first and after a reset, as `serve --seed` takes it.' },
    clock: clockChange,
    behaviours: { type: 'array', items: behaviourSchema },
    apiKey: newSandbox.properties.apiKey,
    expires: { type: 'integer', description: 'When its key expires by its clock, in milliseconds since 1970.' },
  }),
);

/** The body that creates a named sandbox. */
interface NamedSandbox {
  readonly seed?: object;
  readonly clock?: ClockChange;
  readonly behaviours?: readonly BehaviourRequest[];
  readonly apiKey?: string;
  readonly expires?: number;
}

const noKey = (which: 'a' | 'the', message = 'is a key of the server, or no key') =>
  new ControlError(400, `This key cannot open ${which} sandbox.`, [{ pointer: '/apiKey', message }]);

const shownSandbox = ({ name, log, usedAt }: ServedWorld) => ({ name, requests: log.last(), usedAt });

/**
 * Creates or resets a sandbox, with its own seed, clock and behaviours. What is invalid is refused before anything
 * changes. Deletes a new one again if the store fails.
 */
const putSandbox = async ({ worlds, control: own, controlOf, param, body, world: { settings } }: ControlCall) => {
  const name = param('name');
  const { seed, clock: time, behaviours: asked = [], apiKey, expires } = body as NamedSandbox;
  if (!/^(?!default$|sandbox-)[a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,99}$/.test(name))
    throw new ControlError(400, 'This is no name for a sandbox.');
  if (seed !== undefined) seedFrom(seed, settings.naming);
  // All worlds know the same faults and dialects.
  await own.behaviours.check(asked, 'none');
  const known = await worlds.named(name);
  if (apiKey !== undefined) {
    const opens = await worlds.nameFor(apiKey);
    if (known !== undefined && opens !== name) throw noKey('the', 'is not the one it has');
    if (known === undefined && opens !== undefined) throw noKey('the', 'opens another one');
    if (known === undefined && !worlds.isFree(apiKey)) throw noKey('the');
  }
  const world = known ?? (await worlds.open(apiKey, name));
  const control = controlOf(world);
  try {
    await control.reset();
    if (seed !== undefined) await control.seed(seed);
    if (time !== undefined) await control.clock.change(time);
    await control.expire(expires);
    for (const one of asked) await control.behaviours.add(one);
  } catch (error) {
    if (known === undefined) await worlds.forget(name);
    throw error;
  }
  return { ...shownSandbox(world), ...(known === undefined && { apiKey: world.apiKey }) };
};

/** Routes for the worlds of a server. */
export const sandboxRoutes: readonly ControlRoute[] = [
  route(
    'listSandboxes',
    'GET /sandboxes',
    'The worlds there are, the default one first. `?world=NAME` of any path speaks of one; those without `usedAt` are kept in the store, and served once their key is sent.',
    {
      answer: record({ sandboxes: list(sandbox) }),
      run: async ({ worlds }) => {
        const served = worlds.list();
        const kept = (await worlds.kept()).filter(name => !served.some(world => world.name === name));
        return { sandboxes: [...served.map(shownSandbox), ...kept.map(name => ({ name, requests: 0 }))] };
      },
    },
  ),
  route(
    'makeSandbox',
    'POST /sandboxes',
    'Makes a sandbox for the key that is sent, or for a new one, which is told this once. It opens the sandbox whether or not it has a prefix, and no key that differs from it does.',
    {
      body: newSandbox,
      answer: sandbox,
      run: async ({ worlds, body }) => {
        const { apiKey } = body as { apiKey?: string };
        if (apiKey !== undefined && !worlds.isFree(apiKey)) throw noKey('a');
        const world = await worlds.open(apiKey);
        return { ...shownSandbox(world), apiKey: world.apiKey };
      },
    },
  ),
  route(
    'putSandbox',
    'PUT /sandboxes/{name}',
    'Makes a sandbox of this name with fixtures, clock and behaviours of its own, or makes the one that there is so. Its key is told where it is new.',
    {
      body: namedSandbox,
      large: true,
      answer: sandbox,
      run: putSandbox,
    },
  ),
  route(
    'removeSandbox',
    'DELETE /sandboxes/{name}',
    'Forgets a sandbox with all that is in it.',
    telling('removed', async ({ worlds, param }) => {
      if (!(await worlds.forget(param('name')))) throw new ControlError(404, 'There is no sandbox of this name.');
    }),
  ),
];
