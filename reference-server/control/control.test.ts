import { beforeEach, describe, expect, it } from 'vitest';
import { fixtures } from '../fixtures/index.ts';
import { started, testTime } from '../proof/testing/started.ts';
import { snapshotOf } from '../tool/snapshot.ts';

const { server, call, send } = await started({ apiKey: 'secret "key" /1' });
beforeEach(server.reset);
const state = async () => (await send('/_reference/state', { key: null })).json;

describe('/_reference/', () => {
  it('tells its health without a key', async () => {
    expect((await send('/_reference/health', { key: null })).json).toEqual({ status: 'ok' });
    expect((await send('/_reference/health', { method: 'POST', key: null })).status).toBe(405);
    expect((await send('/_reference/nothing', { key: null })).status).toBe(404);
  });

  it('gives the state, takes it back, and resets it', async () => {
    const begin = await state();
    await call('disable-gate', 'dark_mode');
    await call('create-metric', '', { name: 'kept', type: 'sum' });
    const changed = await state();
    expect(changed).not.toEqual(begin);
    expect((await send('/_reference/reset', { method: 'POST', key: null })).json).toEqual({ status: 'reset' });
    expect(await state()).toEqual(begin);
    expect((await send('/_reference/state', { method: 'PUT', body: changed, key: null })).json).toEqual({
      status: 'restored',
    });
    expect(await state()).toEqual(changed);
    expect((await call('patch-gate', 'dark_mode', {})).json.data.isEnabled).toBe(false);
    expect((await call('create-metric', '', { name: 'kept', type: 'sum' })).status).toBe(409);
  });

  it('refuses what is no state, and keeps what it has', async () => {
    const begin = await state();
    const wrong: unknown[] = [
      {},
      { ...begin, gates: 1 },
      { ...begin, gates: [[1, {}]] },
      { ...begin, gates: [['a', { id: 'a', isEnabled: 1 }]] },
      { ...begin, configs: [['a', { id: 'a', versions: [] }]] },
    ];
    for (const body of wrong)
      expect((await send('/_reference/state', { method: 'PUT', body, key: null })).status).toBe(400);
    expect(await state()).toEqual(begin);
    expect('problems' in snapshotOf({ ...begin, metrics: [['a', { id: 'a', name: 'a', type: 'b' }]] })).toBe(true);
    expect('snapshot' in snapshotOf(structuredClone(fixtures(server.naming)))).toBe(true);
  });

  it('names by pointers what of a state does not fit together', async () => {
    const begin = await state();
    const [[id, gate]] = begin.gates;
    const pointers = async (body: unknown) => {
      const { json } = await send('/_reference/state', { method: 'PUT', body, key: null });
      return json.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers({ ...begin, gates: [[id, { ...gate, id: 'other' }]] })).toEqual(['/gates/0/0']);
    expect(await pointers({ ...begin, gates: [...begin.gates, [id, gate]] })).toEqual([`/gates/${begin.gates.length}`]);
    expect(await pointers({ ...begin, modells: [] })).toEqual(['/modells']);
    const odd = { ...begin.configs[0][1].versions[0], 'a.b': 1, isEnabled: 'no' };
    expect(await pointers({ ...begin, configs: [['c', { id: 'c', versions: [odd] }]] })).toEqual([
      '/configs/0/1/versions/0/isEnabled',
    ]);
    expect(await state()).toEqual(begin);
  });

  it('puts nothing back for a reset that says in a misspelt word what it means', async () => {
    await server.control.state.patch('gates', 'dark_mode', { description: 'kept' });
    for (const [path, member] of [
      ['reset', 'onyl'],
      ['sandboxes', 'apikey'],
    ]) {
      const answer = await send(`/_reference/v1/${path}`, { method: 'POST', body: { [`${member}`]: ['state'] } });
      expect([answer.status, answer.json.errors]).toEqual([
        400,
        [{ pointer: `/${member}`, message: 'is not a known field' }],
      ]);
    }
    expect((await server.control.state.get('gates', 'dark_mode')).description).toBe('kept');
  });

  it('shows the last requests without the key', async () => {
    await send('/console/v1/segments?key=secret%20%22key%22%20%2F1', { key: null });
    await call('patch-gate', 'dark_mode', { description: 'the key is secret "key" /1' });
    const { text, json } = await send('/_reference/requests', { key: null });
    expect(text).not.toContain('secret');
    expect(json.requests.slice(-2)).toMatchObject([
      {
        method: 'GET',
        url: '/console/v1/segments?key=[redacted]',
        endpoint: 'list-segments',
        status: 401,
        time: testTime,
        body: '',
      },
      { method: 'PATCH', endpoint: 'patch-gate', status: 200, body: '{"description":"the key is [redacted]"}' },
    ]);
  });
});
