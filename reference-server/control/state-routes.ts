import type { Schema } from '../../contracts/dialect.ts';
import { closed, list, object, record } from '../../contracts/object.ts';
import { integer, text } from '../../contracts/scalars.ts';
import { type CollectionName, collectionNames } from '../entities.ts';
import { type ResetPart, resetParts } from './control.ts';
import { type ControlCall, type ControlRoute, route, telling } from './route.ts';
import { snapshotDocumentSchema, snapshotInfo } from './snapshots.ts';
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
// Closed, because a reset with a misspelt member would reset more than was meant.
const reset = closed(
  object({
    only: { type: 'array', items: { enum: resetParts }, description: 'state, behaviours and clock when absent.' },
  }),
);

/** Returns the collection and id in a path. */
const placeOf = ({ param }: ControlCall): readonly [collection: CollectionName, id: string] => [
  collectionNamed(param('collection')),
  param('id'),
];

/** Routes for state and snapshots. */
export const stateRoutes: readonly ControlRoute[] = [
  route('readState', 'GET /state', 'Everything the world holds.', {
    answer: state,
    unversioned: true,
    run: ({ control }) => control.state.all(),
  }),
  route('replaceState', 'PUT /state', 'Puts a state that was read before in the place of all there is.', {
    body: state,
    large: true,
    unversioned: true,
    ...telling('restored', ({ control, body }) => control.state.replace(body)),
  }),
  route('countEntities', 'GET /collections', 'How many entities there are in each collection.', {
    answer: record({ collections: { type: 'object', additionalProperties: integer } }),
    run: async ({ control }) => {
      const counts = collectionNames.map(async name => [name, (await control.state.list(name)).length] as const);
      return { collections: Object.fromEntries(await Promise.all(counts)) };
    },
  }),
  route('listEntities', 'GET /state/{collection}', 'The entities of a collection, in their order.', {
    answer: record({ collection: text, entities: list(anything) }),
    run: async ({ control, param }) => {
      const collection = collectionNamed(param('collection'));
      return { collection, entities: await control.state.list(collection) };
    },
  }),
  route('readEntity', 'GET /state/{collection}/{id}', 'One entity.', {
    answer: entity,
    run: call => call.control.state.get(...placeOf(call)),
  }),
  route('putEntity', 'PUT /state/{collection}/{id}', 'Creates or replaces one entity.', {
    body: entity,
    answer: entity,
    run: call => call.control.state.put(...placeOf(call), call.body),
  }),
  route(
    'patchEntity',
    'PATCH /state/{collection}/{id}',
    'Changes the members that are sent (RFC 7396); null takes one away.',
    {
      body: entity,
      answer: entity,
      run: call => call.control.state.patch(...placeOf(call), call.body),
    },
  ),
  route(
    'removeEntity',
    'DELETE /state/{collection}/{id}',
    'Takes one entity away.',
    telling('removed', call => call.control.state.remove(...placeOf(call))),
  ),
  route(
    'reset',
    'POST /reset',
    'Back to the seed, without behaviours, with the clock of the server; or only what is named.',
    {
      body: reset,
      unversioned: true,
      ...telling('reset', ({ control, body }) => control.reset((body as { only?: readonly ResetPart[] }).only)),
    },
  ),
  route('putSeed', 'PUT /seed', 'Gives the world another seed to hold, now and after a reset.', {
    body: { type: 'object', description: 'A seed, as `serve --seed` takes it.' },
    large: true,
    ...telling('seeded', ({ control, body }) => control.seed(body)),
  }),
  route('listSnapshots', 'GET /snapshots', 'The snapshots there are.', {
    answer: record({ snapshots: list(snapshotInfo) }),
    run: async ({ control }) => ({ snapshots: await control.snapshots.list() }),
  }),
  route('readSnapshot', 'GET /snapshots/{name}', 'A snapshot as a document.', {
    answer: snapshotDocumentSchema,
    run: ({ control, param }) => control.snapshots.read(param('name')),
  }),
  route('putSnapshot', 'PUT /snapshots/{name}', 'Keeps a document that was read, under a name.', {
    body: snapshotDocumentSchema,
    large: true,
    answer: snapshotInfo,
    run: ({ control, param, body }) => control.snapshots.put(param('name'), body),
  }),
  route('saveSnapshot', 'POST /snapshots/{name}/save', 'Keeps the present state under a name.', {
    answer: snapshotInfo,
    run: ({ control, param }) => control.snapshots.save(param('name')),
  }),
  route(
    'loadSnapshot',
    'POST /snapshots/{name}/load',
    'Goes back to the state of a snapshot.',
    telling('loaded', ({ control, param }) => control.snapshots.load(param('name'))),
  ),
  route(
    'removeSnapshot',
    'DELETE /snapshots/{name}',
    'Forgets a snapshot.',
    telling('removed', ({ control, param }) => control.snapshots.remove(param('name'))),
  ),
];
