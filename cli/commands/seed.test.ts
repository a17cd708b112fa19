import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Naming, TargetFile } from '../../contracts/target.ts';
import {
  createReferenceServer,
  type ReferenceServerOptions,
  referenceTarget,
  seedOf,
} from '../../reference-server/index.ts';
import { closedPort } from '../../suites/proof/testing/doubles.ts';
import { conform, folder } from '../testing/command.fixture.ts';

const apiKey = 'the-key-of-these-tests';

async function served(options: ReferenceServerOptions = {}): Promise<string> {
  const server = createReferenceServer({ apiKey, ...options });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return url;
}

const written = (name: string, content: unknown): string => {
  const file = join(folder(), name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};

const target = (baseUrl: string, naming?: Naming): TargetFile => ({ ...referenceTarget(naming), baseUrl, apiKey });

/** Returns all that the reading operations show of a server, page by page. */
async function shownBy(url: string, { fixtures = {} }: TargetFile, header = 'SERVICE-API-KEY'): Promise<unknown> {
  const { dynamicConfigs = [], gates = [] } = fixtures;
  const events = ['page_view', 'add_to_cart', 'purchase', 'session_start'];
  const lists = [
    '/experiments/qualifying_events',
    '/segments',
    ...dynamicConfigs.map(id => `/dynamic_configs/${id}/versions`),
    ...events.flatMap(name => [`/events/${name}`, `/events/${name}/metrics`]),
  ];
  const answers: Record<string, unknown> = {};
  const ask = async (path: string, method: 'GET' | 'PATCH' = 'GET') => {
    const headers = { [header]: apiKey, 'content-type': 'application/json' };
    const body = method === 'PATCH' ? '{}' : null;
    answers[path] = await (await request(`${url}/console/v1${path}`, { method, headers, body })).body.json();
  };
  for (const path of lists) for (const page of [1, 2, 3, 4]) await ask(`${path}?page=${page}`);
  for (const id of gates) await ask(`/gates/${id}`, 'PATCH');
  return answers;
}

describe('seed from', () => {
  test.each([
    ['the names of the specification', undefined],
    [
      'names of its own',
      { apiKeyHeader: 'X-Key', unitIdField: 'ownID', startDatePlaceholder: '{from}', endDatePlaceholder: '{to}' },
    ],
  ])('writes a seed of a server with %s, from which another one shows the same', async (_, naming) => {
    const names = naming === undefined ? {} : { naming };
    const url = await served(names);
    const file = target(url, naming);
    const out = join(folder(), 'seed.json');
    const ended = await conform([
      'seed',
      'from',
      '--config',
      written('c.json', file),
      '--event',
      'session_start',
      '--out',
      out,
    ]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toMatch(/: 9 gates, 5 configs, 28 qualifyingEvents, 4 events, 34 metrics, 30 segments\.\n/);
    expect(ended.out).not.toMatch(/Not read|Left out/);
    const text = readFileSync(out, 'utf8');
    expect(text + ended.out).not.toContain(apiKey);
    const copy = await served({ ...names, initial: given => seedOf(JSON.parse(text), given) });
    const header = naming?.apiKeyHeader;
    expect(await shownBy(copy, file, header)).toEqual(await shownBy(url, file, header));
    // Whatever a request may refer to at the original it may refer to at the copy.
    const models = await request(`${copy}/console/v1/prompts/greeting/versions`, {
      method: 'POST',
      headers: { [header ?? 'SERVICE-API-KEY']: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude-sonnet', provider: 'anthropic' }),
    });
    expect(models.statusCode).toBe(200);
    await models.body.dump();
  });

  test('sends nothing but GET where no gate is named, and patches that change nothing where one is', async () => {
    const sent: string[] = [];
    const decorateListener =
      (listener: RequestListener): RequestListener =>
      (incoming, response) => {
        sent.push(String(incoming.method));
        listener(incoming, response);
      };
    const url = await served({ decorateListener });
    const argv = [
      'seed',
      'from',
      '--base-url',
      url,
      '--api-key',
      apiKey,
      '--event',
      'nowhere',
      '--out',
      join(folder(), 's'),
    ];
    const { code, out } = await conform(argv);
    expect(code).toBe(0);
    expect(out).toContain('  event nowhere: no metric and no record of it\n');
    expect(out).toContain('  gates: name them under "fixtures" of a target file');
    expect(new Set(sent)).toEqual(new Set(['GET']));
    const config = written('c.json', { baseUrl: url, apiKey, fixtures: { gates: ['dark_mode', 'nobody'] } });
    const named = await conform(['seed', 'from', '--config', config, '--out', join(folder(), 's')]);
    expect(named.out).toContain('  gate nobody: status 404\n');
    expect(sent.filter(method => method !== 'GET')).toEqual(['PATCH', 'PATCH']);
  });

  test('leaves out what fits no seed, and what tells the key', async () => {
    const odd = { status: 7, extra: 1, description: `the key is ${apiKey}`, version: null };
    const url = await served({
      decorate:
        (id, handler) =>
        async (...given) => {
          const answer = await handler(...given);
          const { data, ...body } = answer.body as { data: object };
          if (id === 'patch-gate') return { ...answer, body: { ...body, data: { ...data, ...odd } } };
          const more = [{ id: apiKey }, { id: '' }, { id: 'odd', type: 7 }];
          return id === 'list-segments'
            ? { ...answer, body: { ...body, data: [...(data as object[]), ...more] } }
            : answer;
        },
    });
    const config = written('c.json', { baseUrl: url, apiKey, fixtures: { gates: ['dark_mode'] } });
    const out = join(folder(), 'seed.json');
    const ended = await conform(['seed', 'from', '--config', config, '--out', out]);
    expect(ended.code).toBe(0);
    const text = readFileSync(out, 'utf8');
    expect(text + ended.out).not.toContain(apiKey);
    expect(ended.out).toContain('  gates.status (1)\n  segments.type (1)\n');
    const seed = JSON.parse(text);
    expect(seed.gates[0]).not.toHaveProperty('extra');
    expect(seed.gates[0].description).toMatch(/^the key is /);
    expect(() => seedOf(seed)).not.toThrow();
  });

  test('writes nothing over a file that is there, and none where nobody answers', async () => {
    const out = written('seed.json', 'mine');
    const argv = ['--api-key', apiKey, '--out', out];
    const url = await served();
    expect(await conform(['seed', 'from', '--base-url', url, ...argv])).toMatchObject({ code: 2 });
    expect(readFileSync(out, 'utf8')).toBe('"mine"');
    expect((await conform(['seed', 'from', '--base-url', url, '--force', ...argv])).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('"extends": "empty"');
    const nobody = join(folder(), 'seed.json');
    const closed = (await closedPort()).href;
    const ended = await conform(['seed', 'from', '--base-url', closed, '--api-key', apiKey, '--out', nobody]);
    expect(ended).toMatchObject({ code: 3, out: '', err: expect.stringContaining('nothing was written') });
    expect(existsSync(nobody)).toBe(false);
    expect(await conform(['seed', 'from'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--base-url or --config'),
    });
  });
});
