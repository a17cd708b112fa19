import { request } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { started, testTime } from '../proof/testing/started.ts';
import { createReferenceServer } from '../server.ts';
import { createMemoryBackend } from '../store/memory.ts';
import { worldNameOf } from './keys.ts';

/** Sends a request with a key. Returns its status and JSON. */
const asked = async (url: string, key: string, path: string, method = 'GET', body?: unknown) => {
  const answer = await request(url + path, {
    method: method as 'GET',
    headers: { 'SERVICE-API-KEY': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
  return { status: answer.statusCode, json: (await answer.body.json()) as any };
};

const gate = '/console/v1/gates/dark_mode';

describe('keys with a world of their own', async () => {
  const { server, url } = await started({ sandboxes: true });

  it('begin with the seed at their first request, and see what they change alone', async () => {
    await asked(url, 'sandbox_one', gate, 'PATCH', { description: 'of one' });
    await asked(url, 'sandbox_two', gate, 'PATCH', { description: 'of two' });
    const shown = async (key: string) => (await asked(url, key, gate, 'PATCH', {})).json.data;
    const [one, two, own] = [await shown('sandbox_one'), await shown('sandbox_two'), await shown('reference-key')];
    expect([one.description, two.description]).toEqual(['of one', 'of two']);
    expect(own).not.toHaveProperty('description', expect.stringMatching(/^of /));
    expect(await server.control.state.get('gates', 'dark_mode')).toMatchObject({ version: own.version });
  });

  // biome-ignore format: a table
  it.each([
    ['no prefix',                     'sand_one'],
    ['the prefix alone',              'sandbox_'],
    ['the prefix in other letters',   'SANDBOX_one'],
    ['the prefix further on',         'my_sandbox_one'],
    ['a header that was sent twice',  'sandbox_one, sandbox_one'],
    ['more than two hundred letters', `sandbox_${'x'.repeat(200)}`],
  ])('are checked as ever where they have %s', async (_what, key) => {
    expect((await asked(url, key, '/console/v1/segments')).status).toBe(401);
  });

  it('name the world of which the control paths speak, as does its name', async () => {
    await asked(url, 'sandbox_three', gate, 'PATCH', { description: 'of three' });
    const path = '/_reference/v1/state/gates/dark_mode';
    expect((await asked(url, 'sandbox_three', path)).json.description).toBe('of three');
    const name = worldNameOf('sandbox_three');
    expect((await asked(url, 'reference-key', `${path}?world=${name}`)).json.description).toBe('of three');
    expect((await asked(url, 'reference-key', path)).json.description).not.toBe('of three');
    expect((await asked(url, 'reference-key', `${path}?world=nobody`)).status).toBe(404);
    const { sandboxes } = (await asked(url, 'reference-key', '/_reference/v1/sandboxes')).json;
    expect(sandboxes.map((one: { name: string }) => one.name)).toEqual(expect.arrayContaining(['default', name]));
    expect(JSON.stringify(sandboxes)).not.toContain('sandbox_three');
  });

  it('have a log of their own, which does not show them', async () => {
    await asked(url, 'sandbox_four', '/console/v1/segments?key=sandbox_four');
    const { requests } = (await asked(url, 'sandbox_four', '/_reference/v1/requests')).json;
    expect(requests).toMatchObject([{ number: 1, url: '/console/v1/segments?key=[redacted]', status: 200 }]);
    expect(JSON.stringify(requests)).not.toContain('sandbox_four');
  });

  it('begin anew once their world was forgotten, and those who have it still wait for nothing', async () => {
    await asked(url, 'sandbox_five', gate, 'PATCH', { description: 'of five' });
    const name = worldNameOf('sandbox_five');
    expect((await asked(url, 'reference-key', `/_reference/v1/sandboxes/${name}`, 'DELETE')).status).toBe(200);
    expect((await asked(url, 'reference-key', `/_reference/v1/sandboxes/${name}`, 'DELETE')).status).toBe(404);
    expect((await asked(url, 'reference-key', '/_reference/v1/sandboxes/default', 'DELETE')).status).toBe(404);
    expect((await asked(url, 'sandbox_five', gate, 'PATCH', {})).json.data.description).not.toBe('of five');
  });
});

describe('a key that was given a world', () => {
  const sandboxes = '/_reference/v1/sandboxes';
  const segments = '/console/v1/segments';
  const statusOf = async (url: string, key: string) => (await asked(url, key, segments)).status;

  it.each([undefined, 'my_own.key'])('opens it, and none that is nearly the same opens any: %s', async apiKey => {
    const { url } = await started({ sandboxes: true });
    const made = await asked(url, 'reference-key', sandboxes, 'POST', apiKey === undefined ? {} : { apiKey });
    const key: string = made.json.apiKey;
    expect(await statusOf(url, key)).toBe(200);
    const near = [
      key.slice(0, -1),
      `${key}x`,
      key.toUpperCase(),
      `${key.slice(0, -1)}~`,
      key.slice(1),
      `${key}, ${key}`,
    ];
    for (const other of near) expect([other, await statusOf(url, other)]).toEqual([other, 401]);
  });

  it.each(['reference-key', '', 'with blank', 'a,b'])(
    'is refused where it could be no key of its own: "%s"',
    async apiKey => {
      const { url } = await started({ sandboxes: true });
      expect((await asked(url, 'reference-key', sandboxes, 'POST', { apiKey })).status).toBe(400);
    },
  );

  it('opens it at every server of the store, until one of them is told to forget it', async () => {
    const backend = createMemoryBackend();
    const [one, other] = [await started({ backend }), await started({ backend })];
    const { name, apiKey } = (await asked(one.url, 'reference-key', sandboxes, 'POST', {})).json;
    await asked(one.url, apiKey, gate, 'PATCH', { description: 'its own' });
    expect((await asked(other.url, 'reference-key', sandboxes)).json.sandboxes).toContainEqual({ name, requests: 0 });
    expect((await asked(other.url, apiKey, gate, 'PATCH', {})).json.data.description).toBe('its own');
    expect(await statusOf(other.url, 'nobody')).toBe(401);
    const later = await started({ backend });
    expect((await asked(later.url, 'reference-key', `${sandboxes}/${name}`, 'DELETE')).status).toBe(200);
    expect((await asked(later.url, 'reference-key', `${sandboxes}/default`, 'DELETE')).status).toBe(404);
    for (const { url } of [later, one, other]) {
      expect(await statusOf(url, apiKey)).toBe(401);
      const { sandboxes: left } = (await asked(url, 'reference-key', sandboxes)).json;
      expect(left.map((world: { name: string }) => world.name)).toEqual(['default']);
    }
  });

  it('is looked into by its name at a server that was not asked for it yet', async () => {
    const backend = createMemoryBackend();
    const [one, other] = [await started({ backend }), await started({ backend })];
    const { name, apiKey } = (await asked(one.url, 'reference-key', sandboxes, 'POST', {})).json;
    const state = `/_reference/v1/state/gates/dark_mode?world=${name}`;
    expect((await asked(other.url, 'reference-key', state, 'PATCH', { description: 'by name' })).status).toBe(200);
    expect(
      (await asked(other.url, 'reference-key', `/_reference/v1/clock?world=${name}`, 'PATCH', { time: 5 })).status,
    ).toBe(200);
    for (const { url } of [one, other])
      expect((await asked(url, apiKey, gate, 'PATCH', {})).json.data).toMatchObject({
        description: 'by name',
        lastModifiedTime: expect.any(Number),
      });
    expect(
      (await asked(other.url, 'reference-key', '/_reference/v1/state?world=sandbox-0000000000000000')).status,
    ).toBe(404);
  });

  it('does not hold up those whose key is asked for at the same time', async () => {
    const backend = createMemoryBackend();
    const [one, other] = [await started({ backend }), await started({ backend })];
    const { apiKey } = (await asked(one.url, 'reference-key', sandboxes, 'POST', {})).json;
    const asking = Array.from({ length: 40 }, async (_, index) => {
      if (index % 8 === 0) await asked(one.url, 'reference-key', sandboxes, 'POST', {});
      return statusOf(other.url, apiKey);
    });
    expect(new Set(await Promise.all(asking))).toEqual(new Set([200]));
  });
});

it.each(['', 'a b', 'a,b', 'ä', 'x'.repeat(200)])('a prefix with which no key can begin is refused: "%s"', prefix => {
  expect(() => createReferenceServer({ sandboxes: { prefix } })).toThrow(RangeError);
});

describe('worlds that nobody uses', () => {
  it('are forgotten after a time, the others are not, and there are never more than so many', async () => {
    let time = testTime;
    const { url } = await started({ now: () => time, sandboxes: { prefix: 'test-', idle: 1000, most: 2 } });
    const described = async (key: string) => (await asked(url, key, gate, 'PATCH', {})).json.data?.description;
    await asked(url, 'test-1', gate, 'PATCH', { description: 'kept' });
    time += 600;
    await asked(url, 'test-2', gate, 'PATCH', { description: 'kept' });
    const third = await asked(url, 'test-3', gate, 'PATCH', {});
    expect([third.status, third.json.message]).toEqual([503, expect.stringContaining('2 sandboxes')]);
    time += 600;
    expect((await asked(url, 'test-3', gate, 'PATCH', {})).status).toBe(200);
    expect(await described('test-2')).toBe('kept');
    time += 1000;
    expect(await described('test-1')).not.toBe('kept');
  });

  it('are only let go of where they are kept elsewhere', async () => {
    let time = testTime;
    const backend = createMemoryBackend();
    const { url } = await started({ backend, now: () => time, sandboxes: { idle: 1000 } });
    await asked(url, 'sandbox_1', gate, 'PATCH', { description: 'kept' });
    time += 5000;
    await asked(url, 'sandbox_2', gate, 'PATCH', {});
    expect((await asked(url, 'sandbox_1', gate, 'PATCH', {})).json.data.description).toBe('kept');
    expect(await backend.worlds()).toHaveLength(3);
  });
});

describe('a sandbox for a test', () => {
  const server = createReferenceServer({ now: () => testTime });
  afterAll(server.close);

  it('serves a hundred tests at once without a leak', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `test ${index}`);
    await Promise.all(
      names.map(async name => {
        const { url, apiKey, state, requests, close } = await server.sandbox();
        await asked(url, apiKey, gate, 'PATCH', { description: name });
        await asked(url, apiKey, '/console/v1/metrics', 'POST', { name, type: 'sum' });
        expect((await asked(url, apiKey, gate, 'PATCH', {})).json.data.description).toBe(name);
        expect(
          (await state.list('metrics')).filter(metric => metric.name.startsWith('test ')).map(metric => metric.name),
        ).toEqual([name]);
        expect(requests.list().map(one => one.status)).toEqual([200, 200, 200]);
        await close();
        expect((await asked(url, apiKey, '/console/v1/segments')).status).toBe(401);
      }),
    );
    expect((await server.store.list('metrics')).filter(metric => metric.name.startsWith('test '))).toEqual([]);
  });

  it('fails alone, as often as it is told to', async () => {
    const [one, other] = [await server.sandbox(), await server.sandbox()];
    await one.fail({ operations: ['patch-gate'], next: 2 });
    const statuses = async ({ url, apiKey }: typeof one) => {
      const answers = [];
      for (let count = 0; count < 3; count++) answers.push((await asked(url, apiKey, gate, 'PATCH', {})).status);
      return answers;
    };
    expect([await statuses(one), await statuses(other)]).toEqual([
      [500, 500, 200],
      [200, 200, 200],
    ]);
    const id = (await one.fail({ error: { status: 409, message: 'Taken.' } })).id;
    expect((await asked(one.url, one.apiKey, '/console/v1/segments')).json).toEqual({ status: 409, message: 'Taken.' });
    await one.control.behaviours.remove(id);
    expect((await asked(one.url, one.apiKey, '/console/v1/segments')).status).toBe(200);
    await one.fail({ then: [{ status: 503 }] });
    expect((await asked(one.url, one.apiKey, '/console/v1/segments')).status).toBe(503);
  });
});
