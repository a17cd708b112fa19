import { readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type EndpointId, endpointRow } from '../contracts/endpoints.ts';
import { createReferenceServer, referenceTarget } from '../reference-server/index.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { type Running, started } from './testing/process.fixture.ts';
import { apiKey } from './testing/scene.fixture.ts';

/** How often a run is killed, and which places are drawn. */
const kills = Number(process.env.RUN_KILLS ?? 4);
const seed = Number(process.env.RUN_KILL_SEED ?? 1);

/** A minute for each kill only ends what hangs. */
const limit = kills * 60_000;

/** What a run writes to and puts back. */
const written = ['patch-gate', 'disable-gate', 'update-qualifying-event', 'update-environments'] as const;
const collections = { gates: 'patch-gate', qualifyingEvents: 'update-qualifying-event' } as const;

/** Some more than a run of these sends, and than what happens in its folder before the first request and after. */
const most = { request: 560, change: 60 } as const;

/** Where a run is killed: at a request, before or after it is carried out; or at a change in its folder. */
const place = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ at: fc.constantFrom('asked', 'answered'), nth: fc.integer({ min: 1, max: most.request }) }),
  },
  { weight: 1, arbitrary: fc.record({ at: fc.constant('changed'), nth: fc.integer({ min: 1, max: most.change }) }) },
);

/** So many runs are killed one after another before anything is put back. */
const pile = fc.array(place, { minLength: 1, maxLength: 3 });

/** The fields of an entity that an operation can set. */
const settable = (endpoint: EndpointId, entity: object): object =>
  Object.fromEntries(
    Object.entries(entity).filter(([field]) => Object.hasOwn(endpointRow(endpoint).body?.properties ?? {}, field)),
  );

/** One text for what is the same: members in one order, sets of texts too, and no member that says nothing. */
function inOrder(_name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.every(item => typeof item === 'string') ? [...value].sort() : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A server that stays up, and calls back for every request that is asked of it and answered. */
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
  /** All that an operation of these can set. What is being written is waited for. */
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

/** The journals in a folder, the oldest first: that of the last run has no number yet. */
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

    /** Runs until a place is come to; true where it was. */
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

    // Some places lie behind the end of a run.
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
      // Whoever has put back what they tell takes them away.
      for (const file of journalsIn(out)) rmSync(file);
    }
    // The kills were kills: many left something changed, and journals were kept.
    expect(changed).toBeGreaterThan(kills / 10);
    expect(kept).toBeGreaterThan(kills / 10);
  },
  limit,
);
