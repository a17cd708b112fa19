import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EndpointId, endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { FixtureSnapshot, RunEvent } from '../../contracts/report/journal.ts';
import { createReferenceServer } from '../../reference-server/index.ts';
import { lockFolder } from '../../reference-server/store/folder-lock.ts';
import type { Snapshot } from '../../reference-server/store/store.ts';
import { httpDouble } from '../../suites/proof/testing/doubles.ts';
import { conform, folder } from '../testing/command.fixture.ts';
import { apiKey, scene } from '../testing/scene.fixture.ts';

/** Starts a server and records the method and path of each request. */
async function served() {
  const asked: string[] = [];
  const server = createReferenceServer({
    apiKey,
    decorateListener: listener => (request: IncomingMessage, response) => {
      asked.push(`${request.method} ${request.url}`);
      listener(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return { server, url, asked };
}

/** Returns a function that writes a journal with forged events after the real first event of a run. */
async function forgery() {
  const { argv, events } = await scene();
  await conform([...argv, '--only', 'list-segments']);
  const [start] = events();
  return (...forged: readonly object[]): string => {
    const file = join(folder(), 'journal.ndjson');
    writeFileSync(file, [start, ...forged].map(event => `${JSON.stringify(event)}\n`).join(''));
    return file;
  };
}

const snapshot = (endpoint: EndpointId, param: string | undefined, body: JsonObject): FixtureSnapshot => ({
  event: 'snapshot',
  endpoint,
  ...(param === undefined ? {} : { param }),
  body,
});

const planned = (endpoint: EndpointId, id?: string): RunEvent => {
  const effect = { effect: 'put-back', endpoint, kind: 'x', what: 'x' } as const;
  return { event: 'planned-effects', effects: [id === undefined ? effect : { ...effect, id }] };
};

/** Returns the planned effect of a snapshot, followed by the snapshot. */
const told = (endpoint: EndpointId, param: string | undefined, body: JsonObject): RunEvent[] => [
  planned(endpoint, param),
  snapshot(endpoint, param, body),
];

describe('a journal that no run has written is refused before anything is sent', () => {
  const source = { sql: 'select 1', timestampColumn: 'ts', idTypeMapping: [] };
  // biome-ignore format: a table
  test.each<[what: string, forged: readonly object[], says: RegExp]>([
    ['an operation that creates',            told('create-metric', undefined, { name: 'forged', type: 'sum' }),    /create-metric puts nothing back/],
    ['one that archives',                    told('archive-config', 'pricing', {}),                                /archive-config puts nothing back/],
    ['one that overwrites for good',         told('update-experiment', 'checkout_flow', { status: 'abandoned' }),  /update-experiment puts nothing back/],
    ['one that disables',                    told('disable-gate', 'new_checkout', {}),                             /disable-gate puts nothing back/],
    ['one that reads',                       told('list-segments', undefined, {}),                                 /list-segments puts nothing back/],
    ['a dot segment',                        told('patch-gate', '..', { isEnabled: false }),                       /leads to another place/],
    ['a way out',                            told('patch-gate', '../experiments/x', { isEnabled: false }),         /leads to another place/],
    ['an escaped way out',                   told('patch-gate', '%2e%2e%2fexperiments', { isEnabled: false }),     /leads to another place/],
    ['one that is escaped often',            told('patch-gate', `%${'25'.repeat(40)}2e`, { isEnabled: false }),    /leads to another place/],
    ['a way out with backslashes',           told('patch-gate', '..\\x', { isEnabled: false }),                    /leads to another place/],
    ['no name',                              told('patch-gate', '', { isEnabled: false }),                         /leads to another place/],
    ['no entity where one is due',           told('patch-gate', undefined, { isEnabled: false }),                  /is of one entity/],
    ['an entity where a set is due',         told('update-environments', 'x', { environments: [{ name: 'x' }] }),  /is of a set/],
    ['no environments',                      told('update-environments', undefined, { environments: [] }),         /no set of environments/],
    ['environments of another type',         told('update-environments', undefined, { environments: 'all' }),      /no set of environments/],
    ['environments with another member',     told('update-environments', undefined, { environments: [{ name: 'x', url: 'http://x' }] }), /no set of environments/],
    ['members that the operation lacks',     told('patch-gate', 'new_checkout', { isEnabled: true, status: 'x' }), /puts back no status/],
    ['the member that names the entity',     told('update-qualifying-event', 'x', { ...source, name: 'y' }),       /puts back no name/],
    ['what says what to do with a body',     told('update-qualifying-event', 'x', { ...source, skip_validation: true }), /puts back no skip_validation/],
    ['a prototype',                          [planned('patch-gate', 'x'), JSON.parse('{"event":"snapshot","endpoint":"patch-gate","param":"x","body":{"__proto__":{}}}')], /puts back no __proto__/],
    ['a name of another type',               [{ event: 'snapshot', endpoint: 'patch-gate', param: 7, body: {} }],  /no event of a journal/],
    ['a body of another type',               [{ event: 'snapshot', endpoint: 'patch-gate', param: 'x', body: [] }], /no event of a journal/],
  ])('%s', async (_what, forged, says) => {
    const { url, asked } = await served();
    const file = (await forgery())(...forged);
    const ended = await conform(['restore', file, '--base-url', url, '--api-key', apiKey]);
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringMatching(says) });
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
    expect(asked).toEqual([]);
  });
});

test('a journal beside which a run is under way is refused, and put back when that has ended', async () => {
  const { url, asked } = await served();
  const file = (await forgery())(...told('patch-gate', 'dark_mode', { description: 'before' }));
  const { release } = await lockFolder(dirname(file));
  const command = ['restore', file, '--base-url', url, '--api-key', apiKey];
  const err = expect.stringContaining(`a run is under way in ${dirname(file)}, the process ${process.pid}; wait`);
  expect(await conform(command)).toMatchObject({ code: 2, out: '', err });
  expect(asked).toEqual([]);
  release();
  expect((await conform(command)).code).toBe(0);
});

test('what it waits for is told where a process elsewhere may be alive, before that is known', async () => {
  const { url, asked } = await served();
  const file = (await forgery())(...told('patch-gate', 'dark_mode', { description: 'before' }));
  const lock = join(dirname(file), 'process.id');
  writeFileSync(lock, '{"host":"elsewhere","pid":7}\n');
  let beats = 0;
  const heart = setInterval(() => {
    beats += 1;
    utimesSync(lock, beats, beats);
  }, 5);
  onTestFinished(() => clearInterval(heart));
  const ended = await conform(['restore', file, '--base-url', url, '--api-key', apiKey]);
  expect(ended).toMatchObject({ code: 2, out: '' });
  const lines = ended.err.trimEnd().split('\n');
  expect(lines[0]).toContain('in use by a process of another container or machine: looking for up to 20 s');
  expect(lines[1]).toContain('a run is under way');
  expect(asked).toEqual([]);
});

test('of several journals the one of the first run counts, in whatever order they are named', async () => {
  const journal = await forgery();
  const [early, late] = ['early', 'late'].map(description =>
    journal(...told('patch-gate', 'dark_mode', { description })),
  );
  const text = readFileSync(late as string, 'utf8');
  writeFileSync(late as string, text.replace(/"startedAt":"\d{4}/, '"startedAt":"2999'));
  const { server, url } = await served();
  for (const files of [
    [early, late],
    [late, early],
  ] as string[][]) {
    await server.reset();
    expect((await conform(['restore', ...files, '--base-url', url, '--api-key', apiKey])).code).toBe(0);
    expect(await server.control.state.get('gates', 'dark_mode')).toMatchObject({ description: 'early' });
  }
});

test('entities of which a journal did not tell that it would put them back are left alone, thousands of them', async () => {
  const { url, asked } = await served();
  const many = Array.from({ length: 3_000 }, (_, number) => snapshot('patch-gate', `g${number}`, { isEnabled: false }));
  const late = [snapshot('patch-gate', 'new_checkout', { isEnabled: false }), planned('patch-gate', 'new_checkout')];
  const file = (await forgery())(planned('update-qualifying-event', 'g1'), ...many, ...late);
  const ended = await conform(['restore', file, '--base-url', url, '--api-key', apiKey]);
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('nothing that could be put back') });
  expect(asked).toEqual([]);
});

test('what is not there any more is not created: it is told, with exit code 3', async () => {
  const { url, asked } = await served();
  const body = { sql: 'select 1', timestampColumn: 'ts', idTypeMapping: [] };
  const file = (await forgery())(
    ...told('update-qualifying-event', 'no_such_source', body),
    ...told('patch-gate', 'no_such_gate', { isEnabled: true }),
  );
  const ended = await conform(['restore', file, '--base-url', url, '--api-key', apiKey]);
  expect(ended.code).toBe(3);
  expect(ended.out.match(/could not be put back \(it is not there any more\)/g)).toHaveLength(2);
  // A gate is read by an empty patch.
  const writes = asked.filter(line => !line.startsWith('GET'));
  expect(writes).toEqual(['PATCH /console/v1/gates/no_such_gate']);
});

test.each([
  [
    'is not there',
    503,
    apiKey,
    /\nthe target does not answer \(.*\); try again with --wait 1m\. Nothing was put back\.$/,
  ],
  [
    'refuses the key',
    401,
    'another-key-than-that',
    /\nthe target refused the API key \(.*\)\. Nothing was put back\.$/,
  ],
])('nothing is sent to a target that %s but a read', async (_how, status, key, says) => {
  const asked = new Set<string>();
  const { url } = await httpDouble((request, response) => {
    asked.add(`${request.method} ${request.url}`);
    response.writeHead(status).end('{}');
  });
  const file = (await forgery())(...told('patch-gate', 'new_checkout', { isEnabled: false, tags: [] }));
  const ended = await conform(['restore', file, '--base-url', url.href, '--api-key', key]);
  expect(ended).toMatchObject({ code: 3, out: '' });
  expect(ended.err.trimEnd()).toMatch(says);
  expect([...asked].filter(line => !line.startsWith('GET /console/v1/'))).toEqual([]);
});

/** Returns every entity by its collection and name. */
const entitiesOf = (all: Snapshot): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(all).flatMap(([collection, pairs]) =>
      pairs.map(([name, value]) => [`${collection} ${name}`, JSON.stringify(value)] as const),
    ),
  );

/** A forged snapshot, and where its journal declares the restoration. */
interface Forged {
  readonly endpoint: EndpointId;
  readonly param: string | undefined;
  readonly body: object;
  readonly planned: 'before' | 'after' | 'never' | 'another';
}

/** The collection of the store that each operation restores. */
const collections = { 'patch-gate': 'gates', 'update-qualifying-event': 'qualifyingEvents' } as const;

test('however a journal is forged, nothing changes but what it says to put back by the operations that do', async () => {
  const { server, url, asked } = await served();
  const write = await forgery();
  const all = entitiesOf(await server.store.snapshot());
  const namesIn = (collection: string): string[] =>
    [...all.keys()].filter(key => key.startsWith(collection)).map(key => key.slice(key.indexOf(' ') + 1));
  const odd = ['', '.', '..', '../x', '%2e%2e', '..;a', 'a/../b', 'http://127.0.0.1:1/', 'x?y=z', 'x#y', 'none'];
  const members = [...new Set(endpointIds.flatMap(id => Object.keys(endpointRow(id).body?.properties ?? {})))];
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant([{ name: 'Production' }]));
  // Values that the server accepts and shows at once, so that nobody has to wait.
  const taken = fc.record(
    {
      description: fc.string(),
      tags: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
      isEnabled: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const likely: fc.Arbitrary<Forged> = fc.oneof(
    ...Object.entries(collections).map(([endpoint, collection]) =>
      fc.record({
        endpoint: fc.constant(endpoint as EndpointId),
        param: fc.constantFrom<(string | undefined)[]>(...namesIn(collection), ...odd.slice(-3)),
        body: taken,
        planned: fc.constantFrom(
          'before' as const,
          'before' as const,
          'after' as const,
          'never' as const,
          'another' as const,
        ),
      }),
    ),
  );
  const unlikely: fc.Arbitrary<Forged> = fc.record({
    endpoint: fc.constantFrom(...endpointIds),
    param: fc.option(fc.constantFrom(...namesIn(''), ...odd), { nil: undefined }),
    body: fc.dictionary(fc.constantFrom(...members, 'url', '__proto__'), value, { maxKeys: 3 }),
    planned: fc.constantFrom('before' as const, 'after' as const, 'never' as const, 'another' as const),
  });
  const forgeries = fc.array(fc.oneof({ weight: 6, arbitrary: likely }, { weight: 1, arbitrary: unlikely }), {
    minLength: 1,
    maxLength: 3,
  });
  let written = 0;
  const attempt = async (forged: readonly Forged[]): Promise<void> => {
    const events = forged.flatMap(one => {
      const plan = planned(one.endpoint, one.planned === 'another' ? 'another' : one.param);
      const ways = { method: 'DELETE', path: '/console/v1/segments', url: 'http://127.0.0.1:1/', baseUrl: 'http://x' };
      const taken = { ...ways, ...snapshot(one.endpoint, one.param, one.body as JsonObject) };
      return one.planned === 'never' ? [taken] : one.planned === 'after' ? [taken, plan] : [plan, taken];
    });
    asked.length = 0;
    const { code } = await conform(['restore', write(...events), '--base-url', url, '--api-key', apiKey]);
    expect([0, 2, 3]).toContain(code);
    const allowed = forged.filter(({ endpoint, param }) =>
      forged.some(one => /before|after/.test(one.planned) && one.endpoint === endpoint && one.param === param),
    );
    const paths = allowed.flatMap(({ endpoint, param = '' }) => {
      const { method, path, effect, body } = endpointRow(endpoint);
      const isDue = effect === 'restorable' && body !== null;
      return isDue ? [`${method} ${path.replace(/\{\w+\}/, encodeURIComponent(param))}`] : [];
    });
    const reads = ['GET /console/v1/experiments/qualifying_events', 'GET /console/v1/segments'];
    const sent = asked.filter(line => !reads.some(read => line.startsWith(read)));
    expect(sent.filter(line => !paths.includes(line))).toEqual([]);
    written += sent.length;
    const now = entitiesOf(await server.store.snapshot());
    const mayDiffer = (key: string): boolean =>
      allowed.some(({ endpoint, param }) =>
        endpoint === 'update-environments'
          ? key.startsWith('environments ')
          : key === `${collections[endpoint as keyof typeof collections]} ${param}`,
      );
    const keys = [...new Set([...all.keys(), ...now.keys()])];
    expect(keys.filter(key => all.get(key) !== now.get(key) && !mayDiffer(key))).toEqual([]);
    await server.reset();
  };
  await fc.assert(fc.asyncProperty(forgeries, attempt), { seed: 1, numRuns: 300 });
  expect(written).toBeGreaterThan(100);
});
