import type { RequestListener } from 'node:http';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import type { Hooks } from '../api/hooks.ts';
import type { Handler } from '../api/request.ts';
import { combinedHooks, type Layer } from '../decorators/layers.ts';
import type { Notes } from '../store/backend.ts';
import type { Store } from '../store/store.ts';
import { storedBehaviours } from './control.ts';
import { draw } from './draw.ts';
import { layersOf, type Surroundings } from './effects.ts';
import { behaviourKey, type StoredBehaviour } from './schema.ts';

/** How requests are served: by which operations, over which store, and at the raw HTTP. */
export interface Served {
  readonly pipelines: Readonly<Record<EndpointId, Handler>>;
  readonly store: Store;
  readonly listener: RequestListener;
  /** The ids of the behaviours that act. */
  readonly behaviours: readonly string[];
}

/** A behaviour with what it counts and remembers at this server. */
interface Loaded {
  readonly behaviour: StoredBehaviour;
  readonly layers: readonly Layer[];
  /** How many of its `next` requests are still to come. */
  left: number;
  /** How many requests it could have met, of which a share is taken. */
  seen: number;
  met: number;
}

/** The behaviours of a world as they act on requests. */
export interface ActiveBehaviours {
  /** Looks again at what is kept. */
  readonly load: () => Promise<void>;
  /** How a request is served: as ever where it meets none of them. `url` is path and query. */
  readonly serve: (method: string, url: string) => Served | Promise<Served>;
  /** How many requests met a behaviour. */
  readonly metBy: (made: number) => number;
}

/** What behaviours stand between. */
export interface Stage {
  /** The layers of the server itself, the last outermost; behaviours stand around them. */
  readonly inner: readonly Layer[];
  /** What the caller decorates, around all. */
  readonly outer: Layer;
  /** The operations as hooks have them. */
  readonly pipelinesOf: (hooks: Required<Hooks>) => Readonly<Record<EndpointId, Handler>>;
  /** How requests are served that meet no behaviour. */
  readonly base: Served;
}

/** So many sets of behaviours are kept ready. */
const keptSets = 64;

const isMeant = ({ behaviour: { on, operations, methods, entity } }: Loaded, asked: Asked): boolean =>
  on &&
  (operations === undefined || operations.includes(asked.endpoint)) &&
  (methods === undefined || methods.some(method => method === asked.method)) &&
  (entity === undefined || entity === asked.param);

interface Asked {
  readonly endpoint: EndpointId;
  readonly method: string;
  readonly param: string | undefined;
}

/** The behaviours that are kept in `notes`. Nothing acts before `load`. */
export const activeBehaviours = (notes: Notes, stage: Stage, around: Surroundings): ActiveBehaviours => {
  let all: readonly Loaded[] = [];
  const sets = new Map<string, Served>();
  const stores = new Map<string, Store>();

  const loaded = (behaviour: StoredBehaviour): Loaded => {
    const known = all.find(one => one.behaviour.made === behaviour.made);
    const { left = Number.POSITIVE_INFINITY } = behaviour;
    if (known === undefined) return { behaviour, layers: layersOf(behaviour, around), left, seen: 0, met: 0 };
    // What is kept may be older than what this server has counted.
    known.left = Math.min(known.left, left);
    return known;
  };

  /** Whether a behaviour acts on a request that it means: by its share, and by how many it still waits for. */
  const acts = (one: Loaded): boolean => {
    const { share, seed = 0 } = one.behaviour;
    one.seen += 1;
    if (one.left <= 0 || (share !== undefined && draw(seed, one.seen - 1) >= share)) return false;
    one.left -= 1;
    one.met += 1;
    return true;
  };

  /** The store as some behaviours show it: those that show it in another way hold for all requests. */
  const storeOf = (acting: readonly Loaded[]): Store => {
    const layers = acting.flatMap(one =>
      one.layers.map((layer, index) => [`${one.behaviour.made}.${index}`, layer] as const),
    );
    const showing = layers.filter(([, layer]) => layer.decorateStore !== undefined);
    const name = showing.map(([id]) => id).join();
    const known = stores.get(name) ?? combinedHooks(showing.map(([, layer]) => layer)).decorateStore(stage.base.store);
    stores.set(name, known);
    return known;
  };

  const servedBy = (acting: readonly Loaded[]): Served => {
    const name = acting.map(one => one.behaviour.made).join();
    const known = sets.get(name);
    if (known !== undefined) return known;
    const layers = acting.flatMap(one => one.layers);
    const served: Served = {
      pipelines: stage.pipelinesOf(combinedHooks([...stage.inner, ...layers, stage.outer])),
      store: storeOf(acting),
      listener: combinedHooks(layers).decorateListener(stage.base.listener),
      behaviours: acting.map(one => one.behaviour.id),
    };
    if (sets.size >= keptSets) sets.clear();
    sets.set(name, served);
    return served;
  };

  /** Keeps how many requests a behaviour still waits for, so that it waits for no more after a new start. */
  const keepLeft = async (counted: readonly Loaded[]): Promise<void> => {
    for (const { behaviour, left } of counted) {
      const kept = (await notes.get(behaviourKey + behaviour.id)) as unknown as StoredBehaviour | undefined;
      // It may have been taken away or made anew meanwhile.
      if (kept?.made === behaviour.made)
        await notes.put(behaviourKey + behaviour.id, { ...kept, left } as unknown as Json);
    }
  };

  return {
    async load() {
      all = (await storedBehaviours(notes)).map(loaded);
      sets.clear();
      if (all.length === 0) stores.clear();
    },
    serve(method, url) {
      if (all.length === 0) return stage.base;
      const operation = operationAt(method, url.split('?', 1)[0] ?? '');
      if (operation === undefined) return stage.base;
      const asked = { ...operation, method };
      const acting = all.filter(one => isMeant(one, asked) && acts(one));
      if (acting.length === 0) return stage.base;
      const served = servedBy(acting);
      const counted = acting.filter(one => one.behaviour.next !== undefined);
      return counted.length === 0 ? served : keepLeft(counted).then(() => served);
    },
    metBy: made => all.find(one => one.behaviour.made === made)?.met ?? 0,
  };
};
