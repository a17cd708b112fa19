import { readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type EndpointId, endpointRow } from '../contracts/endpoints.ts';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { type Running, started } from './testing/process.fixture.ts';
import { apiKey } from './testing/scene.fixture.ts';

/** How many runs are killed, and the seed that chooses the places. */
const kills = Number(process.env.RUN_KILLS ?? 4);
const seed = Number(process.env.RUN_KILL_SEED ?? 1);

/** A minute for each kill; it only ends what hangs. */
const limit = kills * 60_000;

/** The operations that a run writes with and restores. */
const written = ['patch-gate', 'disable-gate', 'update-qualifying-event', 'update-environments'] as const;
const collections = { gates: 'patch-gate', qualifyingEvents: 'update-qualifying-event' } as const;

/** A little more than the requests of such a run, and than the changes in its folder. */
const most = { request: 560, change: 60 } as const;

/** The place of a kill: at a request, before or after it is carried out, or at a change in the folder. */
const place = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ at: fc.constantFrom('asked', 'answered'), nth: fc.integer({ min: 1, max: most.request }) }),
  },
  { weight: 1, arbitrary: fc.record({ at: fc.constant('changed'), nth: fc.integer({ min: 1, max: most.change }) }) },
);

/** Runs killed in succession before anything is restored. */
const pile = fc.array(place, { minLength: 1, maxLength: 3 });

/** Returns the fields of an entity that an operation can set. */
const settable = (endpoint: EndpointId, entity: object): object =>
  Object.fromEntries(
    Object.entries(entity).filter(([field]) => Object.hasOwn(endpointRow(endpoint).body?.properties ?? {}, field)),
  );

/** Normalises equal values: sorts members and sets of texts, and drops members that are null. */
function inOrder(_name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.every(item => typeof item === 'string') ? [...value].sort() : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Starts a server that survives the runs, and calls back for every request and every answer. */
async function served(meet: (what: string) => void) {
  const server = createReferenceServer({
    apiKey,
    decorateListener: listener => (request, response) => {
      meet('asked');
      response.once('finish', () => meet('answered'));
      listener(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  /** Returns everything that these operations can set, once pending writes are done. */
  const state = async (): Promise<string> => {
    await server.store.transaction(async () => {});
    const all = await server.store.snapshot();
    const kept = Object.entries(collections).flatMap(([collection, endpoint]) =>
      all[collection as keyof typeof collections].map(([name, entity]) => [
        collection,
        name,
        settable(endpoint, entity),
      ]),
    );
    return JSON.stringify([...kept, ...all.environments], inOrder);
  };
  return { url, state };
}

/** Returns the journals in a folder, the oldest first: that of the last run has no number yet. */
const journalsIn = (out: string): string[] =>
  readdirSync(out)
    .filter(name => /^journal(\.\d+)?\.ndjson$/.test(name))
    .sort((one, other) => Number(/\d+/.exec(one)?.[0] ?? 1e9) - Number(/\d+/.exec(other)?.[0] ?? 1e9))
    .map(name => join(out, name));

test(
  `of ${kills} runs into one folder that are killed, everything is put back`,
  async () => {
    let meet: (what: string) => void = () => {};
    const { url, state } = await served(what => meet(what));
    const [out, config] = [folder(), join(folder(), 'c.json')];
    writeFileSync(config, JSON.stringify({ ...referenceTarget(), baseUrl: url, apiKey }));
    const selected = written.flatMap(id => ['--only', id]);
    const argv = ['run', '--config', config, '--profile', 'quick', '--settle', '1ms', '--out', out, ...selected];
    const before = await state();

    /** Runs until a place is reached. Returns true if it was. */
    const runUntil = async ({ at, nth }: { at: string; nth: number }): Promise<boolean> => {
      let left = nth;
      let running: Running | undefined;
      meet = what => {
        if (what !== at) return;
        left -= 1;
        if (left === 0) running?.child.kill('SIGKILL');
      };
      const watcher = watch(out, () => meet('changed'));
      running = started(argv);
      const ended = await running.ended;
      watcher.close();
      expect([0, 'SIGKILL'], running.err()).toContain(ended);
      return ended === 'SIGKILL';
    };

    // Draw more, because some places are never reached.
    const piles = fc.sample(pile, { seed, numRuns: 3 * kills });
    let [killed, changed, kept] = [0, 0, 0];
    while (killed < kills) {
      const drawn = piles.shift();
      if (drawn === undefined) throw new Error(`only ${killed} runs of ${kills} were killed`);
      for (const one of drawn) if (killed < kills && (await runUntil(one))) killed += 1;
      const isChanged = (await state()) !== before;
      if (isChanged) changed += 1;
      const journals = journalsIn(out).filter(file => readFileSync(file, 'utf8').includes('\n'));
      kept += journals.filter(file => /\.\d+\.ndjson$/.test(file)).length;
      const restored =
        journals.length === 0
          ? undefined
          : await conform(['restore', ...journals, '--base-url', url, '--api-key', apiKey]);
      const where = { seed, killed, drawn, restored };
      expect({ ...where, code: restored?.code ?? 0, isAsBefore: (await state()) === before }).toEqual({
        ...where,
        code: 0,
        isAsBefore: true,
      });
      // Remove the journals after restoring what they record, as a user would.
      for (const file of journalsIn(out)) rmSync(file);
    }
    // The kills must have had effects: many left a change, and journals were kept.
    expect(changed).toBeGreaterThan(kills / 10);
    expect(kept).toBeGreaterThan(kills / 10);
  },
  limit,
);
