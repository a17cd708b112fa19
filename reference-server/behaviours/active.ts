import type { RequestListener } from 'node:http';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import type { Hooks } from '../api/hooks.ts';
import type { Handler } from '../api/request.ts';
import { combinedHooks, type Layer } from '../decorators/layers.ts';
import type { Notes } from '../store/backend.ts';
import type { Store } from '../store/store.ts';
import { storedBehaviours } from './control.ts';
import { draw } from './draw.ts';
import { layersOf, type Surroundings } from './effects.ts';
import { type Counted, countKeys, type StoredBehaviour } from './schema.ts';

/** How requests are served: by which operations, over which store, and at the raw HTTP. */
export interface Served {
  readonly pipelines: Readonly<Record<EndpointId, Handler>>;
  readonly store: Store;
  readonly listener: RequestListener;
  /** The ids of the behaviours that act. */
  readonly behaviours: readonly string[];
}

/** A behaviour with what it remembers at this server. */
interface Loaded {
  readonly behaviour: StoredBehaviour;
  readonly layers: readonly Layer[];
  /** Whether all of its `next` requests have come. */
  isSpent: boolean;
  met: number;
}

/** The count after one more request that a behaviour means. */
const counted = ({ share, seed = 0, next }: StoredBehaviour, before: Counted | undefined): Counted => {
  const { seen, met } = before ?? { seen: 0, met: 0 };
  const acts = (share === undefined || draw(seed, seen) < share) && (next === undefined || met < next);
  return { seen: seen + 1, met: acts ? met + 1 : met, acts };
};

/** The behaviours of a world as they act on requests. */
export interface ActiveBehaviours {
  /** Looks again at what is kept. */
  readonly load: () => Promise<void>;
  /** Whether there are none. */
  readonly isEmpty: () => boolean;
  /** How requests are served that meet none. */
  readonly base: Served;
  /** How a request is served: as ever where it meets none of them. `url` is path and query. */
  readonly serve: (method: string, url: string) => Promise<Served>;
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
export const activeBehaviours = (
  notes: Notes,
  stage: Stage,
  surroundings: Omit<Surroundings, 'notes'>,
): ActiveBehaviours => {
  const around: Surroundings = { ...surroundings, notes };
  let all: readonly Loaded[] = [];
  const sets = new Map<string, Served>();
  const stores = new Map<string, Store>();

  const loaded = (behaviour: StoredBehaviour): Loaded => {
    const known = all.find(one => one.behaviour.made === behaviour.made);
    return known ?? { behaviour, layers: layersOf(behaviour, around), isSpent: false, met: 0 };
  };

  /** Whether a behaviour acts on a request that it means: by its share, and by how many it still waits for. */
  const acts = async (one: Loaded): Promise<boolean> => {
    const { behaviour, isSpent } = one;
    if (isSpent) return false;
    if (behaviour.share !== undefined || behaviour.next !== undefined) {
      const key = countKeys(behaviour.made).met;
      const count = (await notes.change(key, before => counted(behaviour, before as Counted | undefined))) as Counted;
      one.isSpent = behaviour.next !== undefined && count.met >= behaviour.next;
      if (!count.acts) return false;
    }
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

  return {
    isEmpty: () => all.length === 0,
    base: stage.base,
    async load() {
      all = (await storedBehaviours(notes)).map(loaded);
      sets.clear();
      if (all.length === 0) stores.clear();
    },
    async serve(method, url) {
      if (all.length === 0) return stage.base;
      const operation = operationAt(method, url.split('?', 1)[0] ?? '');
      if (operation === undefined) return stage.base;
      const asked = { ...operation, method };
      const acting: Loaded[] = [];
      for (const one of all) if (isMeant(one, asked) && (await acts(one))) acting.push(one);
      return acting.length === 0 ? stage.base : servedBy(acting);
    },
    metBy: made => all.find(one => one.behaviour.made === made)?.met ?? 0,
  };
};
