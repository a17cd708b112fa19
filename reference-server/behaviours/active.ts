import type { RequestListener } from 'node:http';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { lastResults } from '../../contracts/memoized.ts';
import type { Hooks } from '../api/hooks.ts';
import type { Planned, PlannedAnswer } from '../api/planned.ts';
import type { Handler } from '../api/request.ts';
import { combinedHooks, type Layer } from '../decorators/layers.ts';
import type { Store } from '../store/store.ts';
import { storedBehaviours } from './control.ts';
import { latencyOf } from './draw.ts';
import { layersOf, limited, plannedOf, type Surroundings } from './effects.ts';
import { type Asked, asksForBody, unmet } from './matching.ts';
import { type Counted, countKeys, type StoredBehaviour } from './schema.ts';
import { counted, isCounted, isOver, limitOf, scriptOf, turnOf } from './turns.ts';

/** How a request is served: with which operations, store and raw HTTP listener. */
export interface Served extends Planned {
  readonly pipelines: Readonly<Record<EndpointId, Handler>>;
  readonly store: Store;
  readonly listener: RequestListener;
  /** The ids of the behaviours that act. */
  readonly behaviours: readonly string[];
}

/** A behaviour with its memory at this server. */
interface Loaded {
  readonly behaviour: StoredBehaviour;
  readonly layers: readonly Layer[];
  /** True if it makes the answer. */
  readonly answers: boolean;
  readonly limit: number | undefined;
  readonly isCounted: boolean;
  /** True if no requests are left for it. */
  isSpent: boolean;
  met: number;
}

/** A behaviour that acts on a request, and the number of that request, from 1. */
interface Acting {
  readonly one: Loaded;
  readonly turn: number;
}

/** The parts of the server that behaviours wrap. */
export interface Stage {
  /** The server's own layers, outermost last; behaviours wrap them. */
  readonly inner: readonly Layer[];
  /** The caller's decorators, around everything. */
  readonly outer: Layer;
  /** Builds the operations with the given hooks. */
  readonly pipelinesOf: (hooks: Required<Hooks>) => Readonly<Record<EndpointId, Handler>>;
  /** Serves requests that meet no behaviour. */
  readonly base: Served;
}

/** Maximum number of cached combinations of behaviours. */
const keptSets = 64;

/** Applies the behaviours of a world, which are stored in its notes, to requests. None acts before `load`. */
export const activeBehaviours = (stage: Stage, around: Surroundings) => {
  const { notes } = around;
  let all: readonly Loaded[] = [];
  const newSets = () => lastResults<Omit<Served, keyof Planned>>(keptSets);
  let sets = newSets();
  const newStores = () => lastResults<Store>(keptSets);
  let stores = newStores();

  const loaded = async (behaviour: StoredBehaviour): Promise<Loaded> => {
    const known = all.find(one => one.behaviour.made === behaviour.made);
    if (known !== undefined) return known;
    return {
      behaviour,
      layers: await layersOf(behaviour, around),
      answers: scriptOf(behaviour) !== undefined,
      limit: limitOf(behaviour),
      isCounted: isCounted(behaviour),
      isSpent: false,
      met: 0,
    };
  };

  const isMeant = ({ behaviour, isSpent }: Loaded, asked: Asked, now: number): boolean =>
    behaviour.on && !isSpent && !isOver(behaviour, now) && unmet(behaviour, asked) === undefined;

  /** Counts a matching request. Returns the behaviour if it acts, given its skip, share and limit. */
  const acting = async (one: Loaded): Promise<Acting | undefined> => {
    const { behaviour, limit } = one;
    let turn = one.met + 1;
    if (one.isCounted) {
      const key = countKeys(behaviour.made).met;
      const count = (await notes.change(key, before => counted(behaviour, before as Counted | undefined))) as Counted;
      one.isSpent = limit !== undefined && count.met >= limit;
      if (!count.acts) return undefined;
      turn = count.met;
    }
    one.met += 1;
    return { one, turn };
  };

  /** Returns the 429 of a behaviour that has a script too, of which a refused request spends nothing. */
  const limitedBefore = async ({ behaviour, isCounted: hasCount }: Loaded, now: number) => {
    if (behaviour.rateLimit === undefined) return undefined;
    const key = countKeys(behaviour.made).met;
    const before = (hasCount ? await notes.get(key) : undefined) as Counted | undefined;
    const refused = counted(behaviour, before).acts ? await limited(behaviour, notes, now) : undefined;
    // The next request has its own chance of being met.
    const seen = (one: unknown) => ({
      ...(one as Counted | undefined),
      seen: ((one as Counted | undefined)?.seen ?? 0) + 1,
    });
    if (refused !== undefined && hasCount) await notes.change(key, seen);
    return refused;
  };

  /** Returns the store as these behaviours show it. A behaviour that decorates the store holds for all requests. */
  const storeOf = (meeting: readonly Loaded[]): Store => {
    const layers = meeting.flatMap(one =>
      one.layers.map((layer, index) => [`${one.behaviour.made}.${index}`, layer] as const),
    );
    const showing = layers.filter(([, layer]) => layer.decorateStore !== undefined);
    const name = showing.map(([id]) => id).join();
    return stores(name, () => combinedHooks(showing.map(([, layer]) => layer)).decorateStore(stage.base.store));
  };

  const servedBy = (meeting: readonly Loaded[]): Omit<Served, keyof Planned> => {
    const layered = meeting.filter(({ layers }) => layers.length > 0);
    if (layered.length === 0) return stage.base;
    const name = layered.map(one => one.behaviour.made).join();
    const layers = layered.flatMap(one => one.layers);
    return sets(name, () => ({
      pipelines: stage.pipelinesOf(combinedHooks([...stage.inner, ...layers, stage.outer])),
      store: storeOf(layered),
      listener: combinedHooks(layers).decorateListener(stage.base.listener),
      behaviours: [],
    }));
  };

  /** Returns the delays that the behaviours impose on a request, in milliseconds. */
  const delaysOf = (meeting: readonly Acting[]): readonly number[] =>
    meeting.flatMap(({ one: { behaviour, answers }, turn }) => {
      const { latency, seed = 0 } = behaviour;
      const delays = [latency, answers ? turnOf(behaviour, turn)?.delay : undefined];
      return delays.flatMap(delay => (delay === undefined ? [] : [latencyOf(delay, seed, turn - 1)]));
    });

  return {
    /** True if there are no behaviours. */
    isEmpty: (): boolean => all.length === 0,
    /** Serves requests that meet no behaviour. */
    base: stage.base,
    /** True if a behaviour matches on the body, which must then be read first. */
    needsBody: (asked: Asked): boolean => all.some(({ behaviour }) => behaviour.on && asksForBody(behaviour, asked)),
    /** Reloads the behaviours from the notes. */
    async load(): Promise<void> {
      all = await Promise.all((await storedBehaviours(notes)).map(loaded));
      sets = newSets();
      if (all.length === 0) stores = newStores();
    },
    /**
     * Returns how a request is served. Behaviours combine; of those that make the answer only the newest acts, and only
     * it is spent. `now` is the time of the world.
     */
    async serve(asked: Asked, now: number): Promise<Served> {
      const meeting: Acting[] = [];
      let planned: PlannedAnswer | undefined;
      const meet = async (one: Loaded): Promise<Acting | undefined> => {
        const found = isMeant(one, asked, now) ? await acting(one) : undefined;
        if (found !== undefined) meeting.push(found);
        return found;
      };
      const present = all;
      for (const one of present.filter(({ answers }) => !answers).toReversed())
        if ((await meet(one)) !== undefined) planned ??= await limited(one.behaviour, notes, now);
      for (const one of present.filter(({ answers }) => answers).toReversed()) {
        if (planned !== undefined) break;
        planned = isMeant(one, asked, now) ? await limitedBefore(one, now) : undefined;
        if (planned !== undefined) {
          one.met += 1;
          meeting.push({ one, turn: one.met });
          break;
        }
        const found = await meet(one);
        if (found === undefined) continue;
        const { behaviour, limit } = one;
        const left = limit === undefined ? null : limit - found.turn;
        planned = plannedOf(behaviour.id, turnOf(behaviour, found.turn) ?? {}, left);
      }
      if (meeting.length === 0) return stage.base;
      meeting.sort((one, other) => one.one.behaviour.made - other.one.behaviour.made);
      const delays = delaysOf(meeting);
      return {
        ...servedBy(meeting.map(({ one }) => one)),
        behaviours: meeting.map(({ one }) => one.behaviour.id),
        ...(planned !== undefined && { planned }),
        ...(delays.length > 0 && { hold: () => around.wait(delays.reduce((sum, ms) => sum + ms)) }),
      };
    },
    /** Returns how many requests met a behaviour. */
    metBy: (made: number): number => all.find(one => one.behaviour.made === made)?.met ?? 0,
  };
};
