import type { Schema } from '../../contracts/dialect.ts';
import { list, record } from '../../contracts/object.ts';
import { type CollectionName, collectionNames } from '../entities.ts';
import { type ResetPart, resetParts } from './control.ts';
import { type ControlRoute, closed, integer, telling, text } from './route.ts';
import { snapshotDocumentSchema } from './snapshots.ts';
import { collectionNamed } from './state.ts';

const anything = {} as const satisfies Schema;
const entity = {
  type: 'object',
  description: 'An entity, with all that the server keeps of it.',
} as const satisfies Schema;
const state = {
  type: 'object',
  description: 'Per collection the pairs of id and entity, in order.',
} as const satisfies Schema;
const info = record({ name: text, savedAt: integer, entities: integer });
// A member that is misspelt would put back more than was meant.
const reset = closed({
  only: { type: 'array', items: { enum: resetParts }, description: 'state, behaviours and clock when absent.' },
});

type Params = Readonly<Record<string, string>>;

const param = (params: Params, name: string): string => params[name] ?? '';

/** The entity of which a path speaks. */
const placeOf = (params: Params): readonly [collection: CollectionName, id: string] => [
  collectionNamed(param(params, 'collection')),
  param(params, 'id'),
];

/** State and snapshots. */
export const stateRoutes: readonly ControlRoute[] = [
  {
    id: 'readState',
    method: 'GET',
    path: '/state',
    summary: 'Everything the world holds.',
    answer: state,
    unversioned: true,
    run: ({ control }) => control.state.all(),
  },
  {
    id: 'replaceState',
    method: 'PUT',
    path: '/state',
    summary: 'Puts a state that was read before in the place of all there is.',
    body: state,
    large: true,
    unversioned: true,
    ...telling('restored', ({ control, body }) => control.state.replace(body)),
  },
  {
    id: 'countEntities',
    method: 'GET',
    path: '/collections',
    summary: 'How many entities there are in each collection.',
    answer: record({ collections: { type: 'object', additionalProperties: integer } }),
    run: async ({ control }) => {
      const counts = collectionNames.map(async name => [name, (await control.state.list(name)).length] as const);
      return { collections: Object.fromEntries(await Promise.all(counts)) };
    },
  },
  {
    id: 'listEntities',
    method: 'GET',
    path: '/state/{collection}',
    summary: 'The entities of a collection, in their order.',
    answer: record({ collection: text, entities: list(anything) }),
    run: async ({ control, params }) => {
      const collection = collectionNamed(param(params, 'collection'));
      return { collection, entities: await control.state.list(collection) };
    },
  },
  {
    id: 'readEntity',
    method: 'GET',
    path: '/state/{collection}/{id}',
    summary: 'One entity.',
    answer: entity,
    run: ({ control, params }) => control.state.get(...placeOf(params)),
  },
  {
    id: 'putEntity',
    method: 'PUT',
    path: '/state/{collection}/{id}',
    summary: 'Creates or replaces one entity.',
    body: entity,
    answer: entity,
    run: ({ control, params, body }) => control.state.put(...placeOf(params), body),
  },
  {
    id: 'patchEntity',
    method: 'PATCH',
    path: '/state/{collection}/{id}',
    summary: 'Changes the members that are sent (RFC 7396); null takes one away.',
    body: entity,
    answer: entity,
    run: ({ control, params, body }) => control.state.patch(...placeOf(params), body),
  },
  {
    id: 'removeEntity',
    method: 'DELETE',
    path: '/state/{collection}/{id}',
    summary: 'Takes one entity away.',
    ...telling('removed', ({ control, params }) => control.state.remove(...placeOf(params))),
  },
  {
    id: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Back to the seed, without behaviours, with the clock of the server; or only what is named.',
    body: reset,
    unversioned: true,
    ...telling('reset', ({ control, body }) => control.reset((body as { only?: readonly ResetPart[] }).only)),
  },
  {
    id: 'putSeed',
    method: 'PUT',
    path: '/seed',
    summary: 'Gives the world another seed to hold, now and after a reset.',
    body: { type: 'object', description: 'A seed, as `serve --seed` takes it.' },
    large: true,
    ...telling('seeded', ({ control, body }) => control.seed(body)),
  },
  {
    id: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    summary: 'The snapshots there are.',
    answer: record({ snapshots: list(info) }),
    run: async ({ control }) => ({ snapshots: await control.snapshots.list() }),
  },
  {
    id: 'readSnapshot',
    method: 'GET',
    path: '/snapshots/{name}',
    summary: 'A snapshot as a document.',
    answer: snapshotDocumentSchema,
    run: ({ control, params }) => control.snapshots.read(param(params, 'name')),
  },
  {
    id: 'putSnapshot',
    method: 'PUT',
    path: '/snapshots/{name}',
    summary: 'Keeps a document that was read, under a name.',
    body: snapshotDocumentSchema,
    large: true,
    answer: info,
    run: ({ control, params, body }) => control.snapshots.put(param(params, 'name'), body),
  },
  {
    id: 'saveSnapshot',
    method: 'POST',
    path: '/snapshots/{name}/save',
    summary: 'Keeps the present state under a name.',
    answer: info,
    run: ({ control, params }) => control.snapshots.save(param(params, 'name')),
  },
  {
    id: 'loadSnapshot',
    method: 'POST',
    path: '/snapshots/{name}/load',
    summary: 'Goes back to the state of a snapshot.',
    ...telling('loaded', ({ control, params }) => control.snapshots.load(param(params, 'name'))),
  },
  {
    id: 'removeSnapshot',
    method: 'DELETE',
    path: '/snapshots/{name}',
    summary: 'Forgets a snapshot.',
    ...telling('removed', ({ control, params }) => control.snapshots.remove(param(params, 'name'))),
  },
];
