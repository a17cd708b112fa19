import { describe, expect, it } from 'vitest';
import { started, testTime } from '../proof/testing/started.ts';
import { createMemoryBackend } from '../store/memory.ts';
import { worldNameOf } from './keys.ts';

let time = testTime;
const backend = createMemoryBackend();
const keys = [{ name: 'soon', key: 'expires-soon', expires: testTime + 1000 }];
const options = { backend, apiKey: 'main', keys, now: () => time };
const one = await started(options);
const other = await started(options);
const { send } = one;
const put = (name: string, body: unknown, at = one) =>
  at.send(`/_reference/v1/sandboxes/${name}`, { method: 'PUT', body });
const gate = (key: string, id: string, at = one) =>
  at.send(`/console/v1/gates/${id}`, { method: 'PATCH', body: {}, key }).then(({ status }) => status);

describe('a sandbox with fixtures of its own', () => {
  it('is made at run time with seed, clock and behaviours, at every server of the store', async () => {
    const made = await put('shop', {
      seed: { extends: 'empty', gates: ['mine'], teams: ['us'] },
      clock: { time: 5, stopped: true },
      behaviours: [{ id: 'once', match: { operation: 'patch-gate' }, then: [{ status: 503 }] }],
    });
    expect(made.json).toMatchObject({ name: 'shop', apiKey: expect.any(String) });
    const { apiKey } = made.json;
    expect([await gate(apiKey, 'mine'), await gate(apiKey, 'mine', other), await gate(apiKey, 'dark_mode')]).toEqual([
      503, 200, 404,
    ]);
    const { json } = await send('/_reference/v1/clock?world=shop');
    expect(json).toEqual({ time: 5, stopped: true });
    await send('/_reference/v1/state/gates/mine?world=shop', { method: 'DELETE' });
    await other.send('/_reference/v1/reset?world=shop', { method: 'POST', body: {} });
    expect([await gate(apiKey, 'mine'), await gate(apiKey, 'dark_mode')]).toEqual([200, 404]);
    expect((await send('/_reference/v1/snapshots?world=shop')).json.snapshots).toEqual([]);
    // A second PUT keeps the key but does not show it again.
    const again = await put('shop', { seed: { gates: ['other'] } });
    expect([again.status, again.json.apiKey, await gate(apiKey, 'other')]).toEqual([200, undefined, 200]);
    await send('/_reference/v1/sandboxes/shop', { method: 'DELETE' });
    expect([await gate(apiKey, 'mine'), await gate(apiKey, 'mine', other)]).toEqual([401, 401]);
  });

  // biome-ignore format: a table
  it.each([
    ['a metric of a type that there is not', { seed: { metrics: [{ name: 'm', type: 'nope' }] } },               '/metrics/0/type'],
    ['sizes that do not add up',             { seed: { experiments: [{ id: 'e', groups: [{ name: 'a', size: 60 }, { name: 'b', size: 30 }] }] } }, '/experiments/0/groups'],
    ['a behaviour that is none',             { behaviours: [{ then: [{ status: 200, text: 'a', body: 1 }] }] },  '/then/0/text'],
    ['a key of the server',                  { apiKey: 'main' },                                                 '/apiKey'],
  ])('is not made of %s', async (_what, body, pointer) => {
    const { status, json } = await put('broken', body);
    expect([status, json.errors?.[0]?.pointer]).toEqual([400, pointer]);
    expect((await send('/_reference/v1/sandboxes')).json.sandboxes.map(({ name }: { name: string }) => name)).not.toContain('broken');
  });

  it('has a key that opens no other one, whichever server is asked, and again after a restart', async () => {
    const sandbox = { apiKey: 'key-of-first', seed: { gates: ['first'] } };
    expect((await put('first', sandbox)).json).toMatchObject({ name: 'first', apiKey: 'key-of-first' });
    await one.send('/console/v1/gates/first/disable', { method: 'PUT', key: 'key-of-first' });
    const later = await started(options);
    for (const at of [one, other, later]) {
      const refused = await put('second', sandbox, at);
      expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/apiKey']);
      expect((await at.server.control.state.list('gates')).map(({ id }) => id)).not.toContain('first');
      const { json } = await at.send('/_reference/v1/state/gates/first?world=first');
      expect(json.isEnabled).toBe(false);
      const { sandboxes } = (await at.send('/_reference/v1/sandboxes')).json;
      expect(sandboxes.map(({ name }: { name: string }) => name)).not.toContain('second');
    }
    expect((await put('first', { apiKey: 'another-key' }, later)).status).toBe(400);
    expect((await put('first', sandbox, await started(options))).status).toBe(200);
  });

  it('has a key that opens another one only once it is forgotten', async () => {
    const apiKey = 'key-of-third';
    const open = async (at: typeof one) =>
      (await at.send('/_reference/v1/sandboxes', { method: 'POST', body: { apiKey } })).json.name;
    await put('third', { apiKey });
    expect([await open(other), await open(one), await open(await started(options))]).toEqual([
      'third',
      'third',
      'third',
    ]);
    await send('/_reference/v1/sandboxes/third', { method: 'DELETE' });
    expect([await open(one), await open(other)]).toEqual([worldNameOf(apiKey), worldNameOf(apiKey)]);
  });

  it('is as it was where it is refused a behaviour, or more of them than a world may have', async () => {
    await put('kept', { seed: { gates: ['kept'] }, behaviours: [{ id: 'before', then: [{ status: 503 }] }] });
    const good = { id: 'good', then: [{ status: 500 }] };
    const bad = { then: [{ status: 200, text: 'a', body: 1 }] };
    const asked = { seed: { gates: ['new'] }, clock: { stopped: true } };
    const told = [
      await put('kept', { ...asked, behaviours: [good, bad] }),
      await put('kept', { ...asked, behaviours: Array.from({ length: 101 }, () => ({ then: ['real'] })) }),
      await send('/_reference/v1/behaviours?world=kept', { method: 'POST', body: { behaviours: [good, bad] } }),
    ];
    expect(told.map(({ status }) => status)).toEqual([400, 409, 400]);
    const kept = async (path: string) => (await send(`/_reference/v1/${path}?world=kept`)).json;
    expect((await kept('behaviours')).behaviours).toMatchObject([{ id: 'before' }]);
    expect((await kept('state')).gates.map(([id]: [string]) => id)).toContain('kept');
    expect((await kept('clock')).stopped).toBe(false);
  });

  it('has a name that no world has by itself', async () => {
    for (const name of ['default', 'sandbox-0123456789abcdef', 'a b'])
      expect((await put(encodeURIComponent(name), {})).status).toBe(400);
  });
});

describe('a key that expires', () => {
  it('is refused from then on, by the clock of the world', async () => {
    expect([await gate('expires-soon', 'dark_mode'), await gate('main', 'dark_mode')]).toEqual([200, 200]);
    time += 1000;
    const refused = await send('/console/v1/segments', { key: 'expires-soon' });
    expect([refused.status, refused.json.message]).toEqual([401, 'The API key has expired.']);
    expect(await gate('main', 'dark_mode')).toBe(200);
    await one.server.control.clock.change({ advance: -1 });
    expect(await gate('expires-soon', 'dark_mode')).toBe(200);
    await one.server.control.clock.change({ real: true });
  });

  it('may be that of a sandbox, and is renewed', async () => {
    const { apiKey } = (await put('brief', { expires: time + 10 })).json;
    expect(await gate(apiKey, 'dark_mode')).toBe(200);
    await send('/_reference/v1/clock?world=brief', { method: 'PATCH', body: { advance: 10 } });
    expect([await gate(apiKey, 'dark_mode'), await gate(apiKey, 'dark_mode', other)]).toEqual([401, 401]);
    await put('brief', { expires: time + 60_000 });
    expect(await gate(apiKey, 'dark_mode')).toBe(200);
  });
});

describe('a seed into a server that runs', () => {
  it('is what the world holds, now and after a reset', async () => {
    expect(
      (await send('/_reference/v1/seed', { method: 'PUT', body: { extends: 'empty', gates: ['g'] } })).status,
    ).toBe(200);
    expect([await gate('main', 'g'), await gate('main', 'dark_mode', other)]).toEqual([200, 404]);
    await other.server.reset();
    expect([await gate('main', 'g'), await gate('main', 'dark_mode')]).toEqual([200, 404]);
    expect((await send('/_reference/v1/seed')).json.gates).toHaveLength(1);
    const refused = await send('/_reference/v1/seed', { method: 'PUT', body: { gates: [{ id: 1 }] } });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/gates/0/id']);
    await send('/_reference/v1/seed', { method: 'PUT', body: {} });
    expect(await gate('main', 'dark_mode')).toBe(200);
  });
});
