import { type BehaviourRequest, behaviourSchema, behavioursIn, behavioursSchema } from '../../contracts/behaviour.ts';
import type { Schema } from '../../contracts/dialect.ts';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import type { Infer } from '../../contracts/infer.ts';
import { closed, list, object, record } from '../../contracts/object.ts';
import { integer, text } from '../../contracts/scalars.ts';
import type { Catalogue } from '../behaviours/catalogue.ts';
import { fixedAtStart, meansWholeStore } from '../behaviours/checked.ts';
import { explainedBehaviour } from '../behaviours/control.ts';
import { askedBy } from '../behaviours/matching.ts';
import type { Behaviour } from '../behaviours/schema.ts';
import { collectionNames } from '../entities.ts';
import { ControlError } from '../tool/refusal.ts';
import { type ClockChange, clockChange, clockReading } from '../worlds/clock.ts';
import type { ServedWorld } from '../worlds/served-world.ts';
import { type ControlCall, type ControlRoute, route, telling } from './route.ts';

const shown: Schema = {
  ...behaviourSchema,
  properties: { ...behaviourSchema.properties, made: integer, left: integer, met: integer },
};
const behaviours: Schema = {
  type: 'object',
  properties: { behaviours: { type: 'array', items: shown } },
  required: ['behaviours'],
};
const explained = {
  ...closed(
    object({
      method: text,
      url: { ...text, description: 'Path and query.' },
      headers: { type: 'object', additionalProperties: text },
      body: { description: 'The value of the body.' },
      key: { ...text, description: 'What the key is called (`serve --key NAME=KEY`).' },
    }),
  ),
  required: ['method', 'url'],
} as const satisfies Schema;

/** Adds behaviours to the world of the call, or to the sandbox that each of them names: all of them, or none. */
const addBehaviours = async (
  { world: own, worlds, controlOf }: ControlCall,
  asked: readonly BehaviourRequest[],
): Promise<readonly Behaviour[]> => {
  const placed: { readonly one: BehaviourRequest; readonly world: ServedWorld }[] = [];
  for (const one of asked) {
    const { sandbox } = one.match ?? {};
    const world = sandbox === undefined ? own : await worlds.named(sandbox);
    if (world === undefined)
      throw new ControlError(400, 'This is no behaviour.', [
        { pointer: '/match/sandbox', message: 'names no world that there is' },
      ]);
    placed.push({ one, world });
  }
  for (const [name, world] of new Map(placed.map(one => [one.world.name, one.world])))
    await controlOf(world).behaviours.check(placed.flatMap(({ one, world: its }) => (its.name === name ? [one] : [])));
  const added: Behaviour[] = [];
  for (const { one, world } of placed) added.push(await controlOf(world).behaviours.add(one));
  return added;
};

const rowWith = <T extends object>(row: Parameters<typeof meansWholeStore>[0], basis: T) => ({
  id: row.id,
  title: row.title,
  ...basis,
  endpoints: row.endpoints ?? endpointIds,
  narrows: !meansWholeStore(row),
});

/** Returns the operations, collections and switchable behaviours. They never change while the server runs. */
export const catalogueOf = ({ faults, dialects }: Catalogue, apiKeyHeader: string) => ({
  apiKeyHeader,
  collections: collectionNames,
  endpoints: endpointIds.map(id => {
    const { method, path, title, section } = endpoints[id];
    return { id, method, path, title, section };
  }),
  faults: faults.map(fault => rowWith(fault, { requirement: fault.requirement })),
  dialects: dialects.map(dialect => ({
    ...rowWith(dialect, { section: dialect.section }),
    fixedAtStart: fixedAtStart(dialect) ?? null,
  })),
});

/** Routes for behaviours, the clock, health and the catalogue. */
export const behaviourRoutes: readonly ControlRoute[] = [
  route('health', 'GET /health', 'Whether the server is up, and its store can be used (else 503, with the cause).', {
    unversioned: true,
    open: true,
    ...telling('ok', ({ worlds }) => worlds.check()),
  }),
  route(
    'readCatalogue',
    'GET /catalogue',
    'What there is: the header of the key, collections, endpoints, faults, dialects, and which of them can be switched.',
    {
      answer: { type: 'object' },
      run: async ({ world }) => catalogueOf(await world.catalogue(), world.settings.naming.apiKeyHeader),
    },
  ),
  route('listBehaviours', 'GET /behaviours', 'The behaviours of the world, in the order in which they were made.', {
    answer: behaviours,
    run: async ({ control }) => ({ behaviours: await control.behaviours.list() }),
  }),
  route(
    'addBehaviour',
    'POST /behaviours',
    'Adds a behaviour, or several, each in the place of the one that has its id.',
    {
      body: behavioursSchema,
      answer: { anyOf: [shown, behaviours] },
      async run(call) {
        const asked = behavioursIn(call.body as BehaviourRequest);
        const added = await addBehaviours(call, asked);
        return call.body === asked[0] ? added[0] : { behaviours: added };
      },
    },
  ),
  route(
    'explainBehaviours',
    'POST /behaviours/explain',
    'What each behaviour would do to a request that is given, the newest first. Nothing is spent.',
    {
      body: explained,
      answer: record({ behaviours: list(explainedBehaviour) }),
      async run({ control, world, body }) {
        const { method, url, headers = {}, body: sent, key } = body as Infer<typeof explained>;
        const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const asked = askedBy(method.toUpperCase(), url, lower, key, world.name);
        if (asked === undefined)
          throw new ControlError(400, 'This is a request to no operation.', [
            { pointer: '/url', message: 'is a path of no operation with this method' },
          ]);
        return { behaviours: await control.behaviours.explain({ ...asked, body: sent }, world.settings.now()) };
      },
    },
  ),
  route('readBehaviour', 'GET /behaviours/{id}', 'One behaviour.', {
    answer: shown,
    run: ({ control, param }) => control.behaviours.get(param('id')),
  }),
  route(
    'changeBehaviour',
    'PATCH /behaviours/{id}',
    'Changes members (RFC 7396), such as `{"on": false}`; what it counts begins anew.',
    {
      body: { type: 'object' },
      answer: shown,
      run: ({ control, param, body }) => control.behaviours.change(param('id'), body),
    },
  ),
  route(
    'removeBehaviour',
    'DELETE /behaviours/{id}',
    'Takes a behaviour away.',
    telling('removed', ({ control, param }) => control.behaviours.remove(param('id'))),
  ),
  route(
    'clearBehaviours',
    'DELETE /behaviours',
    'Takes all behaviours away.',
    telling('cleared', ({ control }) => control.behaviours.clear()),
  ),
  route('readClock', 'GET /clock', 'What the clock of the world shows.', {
    answer: clockReading,
    run: ({ control }) => control.clock.read(),
  }),
  route('changeClock', 'PATCH /clock', 'Sets, advances, stops or starts the clock of the world.', {
    body: clockChange,
    answer: clockReading,
    run: ({ control, body }) => control.clock.change(body as ClockChange),
  }),
];
