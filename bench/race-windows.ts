import type { EndpointId } from '../contracts/endpoints.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { createReferenceServer, type HandlerRequest, referenceTarget, type Store } from '../reference-server/index.ts';
import { run } from '../suites/engine/run.ts';
import { targetOf } from '../suites/sut/target.ts';

/** A server that reads, waits, and then writes the old value with its changes. */
interface Window {
  readonly endpoints: readonly EndpointId[];
  readonly only: string;
  /** Milliseconds in between; 0 is a turn of the event loop. */
  readonly wait: number;
  /** True if it writes back all entities of the collection as they were read, as to one file. */
  readonly whole: boolean;
}

// biome-ignore format: a table
const kinds = [
  { endpoints: ['patch-gate'],              only: 'patch-gate/races',              whole: false },
  { endpoints: ['patch-gate', 'disable-gate'], only: 'disable-gate/races',         whole: false },
  { endpoints: ['patch-gate'],              only: 'patch-gate/neighbours',         whole: true },
  { endpoints: ['update-qualifying-event'], only: 'update-qualifying-event/races', whole: true },
  { endpoints: ['create-prompt-version'],   only: 'create-prompt-version/at-once', whole: false },
] as const;

const waits = [0, 1, 5] as const;

/** Runs of each kind and how many must find the race; replays and how many must show it again. */
const aims = { runs: 20, found: 19, replays: 10, shown: 9 };

const paused = (wait: number): Promise<void> =>
  new Promise(resolve => (wait === 0 ? setImmediate(resolve) : setTimeout(resolve, wait)));

function withoutLock(store: Store, { wait, whole }: Window): Store {
  const transaction: Store['transaction'] = async work => {
    const writes: (() => Promise<void>)[] = [];
    const result = await work({
      get: store.get,
      list: store.list,
      async put(collection, id, value) {
        const all = whole ? await store.list(collection) : [];
        for (const other of all) {
          const { id: own, name } = other as { id?: string; name?: string };
          if ((own ?? name) !== id) writes.push(() => store.put(collection, own ?? name ?? '', other));
        }
        writes.push(() => store.put(collection, id, value));
      },
      remove: async (collection, id) => void writes.push(() => store.remove(collection, id)),
    });
    if (writes.length > 0) await paused(wait);
    for (const write of writes) await write();
    return result;
  };
  return { ...store, transaction };
}

/** Runs the check once, or one case of it. Returns the paths of the cases that found the defect. */
async function findings(window: Window, seed: number, path?: string): Promise<readonly string[]> {
  const server = createReferenceServer({
    grace: 20,
    decorateOperation: (id, work) =>
      window.endpoints.includes(id)
        ? (request: HandlerRequest, store, settings) => work(request, withoutLock(store, window), settings)
        : work,
  });
  const { url } = await server.listen();
  const events: RunEvent[] = [];
  try {
    const target = targetOf(referenceTarget(server.naming), new URL(url), server.apiKey);
    const selection = { only: [window.only], skip: [] };
    await run({ target, selection, seed, path, token: `run${seed}`, settleMs: 200 }, event => void events.push(event));
  } finally {
    await server.close();
  }
  const ends = events.filter(event => event.event === 'check-end').filter(({ id }) => id === window.only);
  return ends.flatMap(end =>
    end.findings.flatMap(({ requirement, counterexample }) =>
      requirement.startsWith('state.concurrent') && counterexample !== undefined ? [counterexample.path] : [],
    ),
  );
}

/**
 * Measures how often races are found if their window is as long as a database takes, and how often a replay shows them
 * again. Returns the number of measurements that miss the aims.
 */
export async function raceWindows(print: (line: string) => void): Promise<number> {
  let short = 0;
  for (const kind of kinds) {
    for (const wait of waits) {
      const window = { ...kind, wait };
      const paths: string[] = [];
      let found = 0;
      for (let seed = 1; seed <= aims.runs; seed += 1) {
        const [path] = await findings(window, seed);
        if (path === undefined) continue;
        found += 1;
        paths.push(path);
      }
      let shown = 0;
      for (const [index, path] of paths.slice(0, aims.replays).entries())
        shown += Number((await findings(window, index + 1, path)).length > 0);
      if (found < aims.found || shown < aims.shown) short += 1;
      const name = `${kind.only}, ${wait === 0 ? 'a turn' : `${wait} ms`} between reading and writing`;
      print(`${name.padEnd(70)} found ${found} of ${aims.runs}, replayed ${shown} of ${aims.replays}`);
    }
  }
  return short;
}
