import type { Schema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { list, object, record } from '../../contracts/object.ts';
import type { Catalogue } from '../behaviours/catalogue.ts';
import { fixedAtStart, meansWholeStore } from '../behaviours/checked.ts';
import { type BehaviourRequest, behaviourSchema } from '../behaviours/schema.ts';
import { collectionNames } from '../entities.ts';
import { ControlError } from '../tool/refusal.ts';
import { type ClockChange, clockChange } from '../worlds/clock.ts';
import type { ServedWorld } from '../worlds/served-world.ts';
import { type ControlRoute, closed, integer, telling, text } from './route.ts';

const clock = record({ time: integer, stopped: { type: 'boolean' } });
const shown = {
  ...behaviourSchema,
  properties: { ...behaviourSchema.properties, made: integer, left: integer, met: integer },
} as const satisfies Schema;
const sandbox = object({ name: text, requests: integer, usedAt: integer, apiKey: text });

const newSandbox = closed({
  apiKey: { type: 'string', minLength: 1, maxLength: 200, description: 'A new one when absent.' },
});

const shownSandbox = ({ name, log, usedAt }: ServedWorld) => ({ name, requests: log.last(), usedAt });

/** What there is, and what of it can be switched. It never changes. */
const catalogueOf = ({ faults, dialects }: Catalogue, apiKeyHeader: string) => ({
  apiKeyHeader,
  collections: collectionNames,
  endpoints: endpointIds.map(id => {
    const { method, path, title, section } = endpoints[id];
    return { id, method, path, title, section };
  }),
  faults: faults.map(fault => ({
    id: fault.id,
    title: fault.title,
    requirement: fault.requirement,
    endpoints: fault.endpoints,
    narrows: !meansWholeStore(fault),
  })),
  dialects: dialects.map(dialect => ({
    id: dialect.id,
    title: dialect.title,
    section: dialect.section,
    endpoints: dialect.endpoints ?? endpointIds,
    narrows: !meansWholeStore(dialect),
    fixedAtStart: fixedAtStart(dialect) ?? null,
  })),
});

/** Behaviours, the clock, sandboxes, and what there is. */
export const behaviourRoutes: readonly ControlRoute[] = [
  {
    id: 'health',
    method: 'GET',
    path: '/health',
    summary: 'Whether the server is up, and its store can be used (else 503, with the cause).',
    unversioned: true,
    open: true,
    ...telling('ok', ({ worlds }) => worlds.check()),
  },
  {
    id: 'readCatalogue',
    method: 'GET',
    path: '/catalogue',
    summary:
      'What there is: the header of the key, collections, endpoints, faults, dialects, and which of them can be switched.',
    answer: { type: 'object' },
    run: ({ world }) => catalogueOf(world.catalogue, world.settings.naming.apiKeyHeader),
  },
  {
    id: 'listBehaviours',
    method: 'GET',
    path: '/behaviours',
    summary: 'The behaviours of the world, in the order in which they were made.',
    answer: record({ behaviours: list(shown) }),
    run: async ({ control }) => ({ behaviours: await control.behaviours.list() }),
  },
  {
    id: 'addBehaviour',
    method: 'POST',
    path: '/behaviours',
    summary: 'Adds a behaviour, or replaces the one that has its id.',
    body: behaviourSchema,
    answer: shown,
    run: ({ control, body }) => control.behaviours.add(body as BehaviourRequest),
  },
  {
    id: 'readBehaviour',
    method: 'GET',
    path: '/behaviours/{id}',
    summary: 'One behaviour.',
    answer: shown,
    run: ({ control, params: { id = '' } }) => control.behaviours.get(id),
  },
  {
    id: 'changeBehaviour',
    method: 'PATCH',
    path: '/behaviours/{id}',
    summary: 'Changes members (RFC 7396), such as `{"on": false}`; what it counts begins anew.',
    body: { type: 'object' },
    answer: shown,
    run: ({ control, params: { id = '' }, body }) => control.behaviours.change(id, body),
  },
  {
    id: 'removeBehaviour',
    method: 'DELETE',
    path: '/behaviours/{id}',
    summary: 'Takes a behaviour away.',
    ...telling('removed', ({ control, params: { id = '' } }) => control.behaviours.remove(id)),
  },
  {
    id: 'clearBehaviours',
    method: 'DELETE',
    path: '/behaviours',
    summary: 'Takes all behaviours away.',
    ...telling('cleared', ({ control }) => control.behaviours.clear()),
  },
  {
    id: 'readClock',
    method: 'GET',
    path: '/clock',
    summary: 'What the clock of the world shows.',
    answer: clock,
    run: ({ control }) => control.clock.read(),
  },
  {
    id: 'changeClock',
    method: 'PATCH',
    path: '/clock',
    summary: 'Sets, advances, stops or starts the clock of the world.',
    body: clockChange,
    answer: clock,
    run: ({ control, body }) => control.clock.change(body as ClockChange),
  },
  {
    id: 'listSandboxes',
    method: 'GET',
    path: '/sandboxes',
    summary:
      'The worlds there are, the default one first. `?world=NAME` of any path speaks of one; those without `usedAt` are kept in the store, and served once their key is sent.',
    answer: record({ sandboxes: list(sandbox) }),
    run: async ({ worlds }) => {
      const served = worlds.list();
      const kept = (await worlds.kept()).filter(name => !served.some(world => world.name === name));
      return { sandboxes: [...served.map(shownSandbox), ...kept.map(name => ({ name, requests: 0 }))] };
    },
  },
  {
    id: 'makeSandbox',
    method: 'POST',
    path: '/sandboxes',
    summary:
      'Makes a sandbox for the key that is sent, or for a new one, which is told this once. It opens the sandbox whether or not it has a prefix, and no key that differs from it does.',
    body: newSandbox,
    answer: sandbox,
    run: async ({ worlds, body }) => {
      const { apiKey } = body as { apiKey?: string };
      if (apiKey !== undefined && !worlds.isFree(apiKey))
        throw new ControlError(400, 'This key cannot open a sandbox.', [
          { pointer: '/apiKey', message: 'is a key of the server, or no key' },
        ]);
      const world = await worlds.open(apiKey);
      return { ...shownSandbox(world), apiKey: world.apiKey };
    },
  },
  {
    id: 'removeSandbox',
    method: 'DELETE',
    path: '/sandboxes/{name}',
    summary: 'Forgets a sandbox with all that is in it.',
    ...telling('removed', async ({ worlds, params: { name = '' } }) => {
      if (!(await worlds.forget(name))) throw new ControlError(404, 'There is no sandbox of this name.');
    }),
  },
];
