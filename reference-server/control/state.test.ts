import { beforeEach, describe, expect, it } from 'vitest';
import { started, testTime } from '../proof/testing/started.ts';
import { merged } from '../tool/merge-patch.ts';

const { server, send, call } = await started();
const { control } = server;
beforeEach(() => control.reset());
const at = (path: string, method = 'GET', body?: unknown) => send(`/_reference/v1/state${path}`, { method, body });

describe('the state of a world', () => {
  it('is read and changed entity by entity, as the API sees at once', async () => {
    const { json: gate } = await at('/gates/dark_mode');
    expect(gate).toMatchObject({ id: 'dark_mode', isEnabled: true });
    expect((await at('/gates')).json.entities).toContainEqual(gate);
    const { json: patched } = await at('/gates/dark_mode', 'PATCH', { isEnabled: false, owner: { ownerName: null } });
    expect(patched).toMatchObject({ isEnabled: false, owner: { ownerID: gate.owner.ownerID } });
    expect(patched.owner).not.toHaveProperty('ownerName');
    expect((await call('patch-gate', 'dark_mode', {})).json.data.isEnabled).toBe(false);
    expect((await at('/gates/made', 'PUT', { ...gate, id: 'made' })).status).toBe(200);
    expect((await call('patch-gate', 'made', {})).status).toBe(200);
    expect((await at('/gates/made', 'DELETE')).status).toBe(200);
    expect((await call('patch-gate', 'made', {})).status).toBe(404);
    expect((await at('/gates/made', 'DELETE')).status).toBe(404);
  });

  // biome-ignore format: a table
  it.each([
    ['another collection',                        '/gate',            'GET',    undefined,                        404, []],
    ['an entity that there is not',               '/gates/nobody',    'PATCH',  {},                               404, []],
    ['a value that no answer could show',         '/gates/dark_mode', 'PATCH',  { isEnabled: 'yes', tags: [1] },  400, ['/isEnabled', '/tags/0']],
    ['an entity that loses what it must have',    '/gates/dark_mode', 'PATCH',  { isEnabled: null },              400, ['/isEnabled']],
    ['groups that do not add up',                 '/experiments/e',   'PUT',    { id: 'e', groups: [{ name: 'a', size: 60 }] }, 400, ['/groups']],
    ['a metric of a type that there is not',      '/metrics/m::nope', 'PUT',    { name: 'm', type: 'nope' },      400, ['/type']],
    ['a name that no patch of the API could give', '/gates/dark_mode', 'PATCH', { name: 'ab', description: 'x'.repeat(1001) }, 400, ['/description', '/name']],
    ['an entity that has another id',             '/gates/dark_mode', 'PATCH',  { id: 'other' },                  400, ['/id']],
    ['one that loses its id',                     '/gates/dark_mode', 'PATCH',  { id: null },                     400, ['/id']],
    ['a config without a version',                '/configs/nothing', 'PUT',    { id: 'nothing', versions: [] },  400, ['/versions']],
    ['a body that is no object',                  '/gates/dark_mode', 'PUT',    [],                               400, []],
  ])('refuses %s with pointers, and changes nothing', async (_what, path, method, body, status, pointers) => {
    const before = await control.state.all();
    const answer = await at(path, method, body);
    expect([answer.status, (answer.json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer).sort()]).toEqual([status, pointers]);
    expect(await control.state.all()).toEqual(before);
  });

  it('gives an entity that is put what a seed would give it', async () => {
    expect((await at('/experiments/e', 'PUT', { id: 'e' })).json).toMatchObject({
      id: 'e',
      groups: [{}, {}],
      status: 'setup',
    });
    expect((await call('enable-groups', 'e', { group_names: ['Test'] })).status).toBe(200);
    const whole = await control.state.all();
    await control.state.replace({ ...whole, gates: [['g', { id: 'g' }]] });
    expect(await control.state.list('gates')).toMatchObject([{ id: 'g', isEnabled: true }]);
  });

  it('takes a merge patch with names that an object has already as what it says', () => {
    const patch = JSON.parse('{"__proto__": {"a": 1}, "b": null, "c": {"d": 1, "e": null}}');
    const result = merged({ b: 1, c: { e: 2, f: 3 } }, patch);
    expect(JSON.stringify(result)).toBe('{"c":{"f":3,"d":1},"__proto__":{"a":1}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

describe('snapshots', () => {
  it('are saved, listed, loaded, carried elsewhere and forgotten', async () => {
    await control.state.patch('gates', 'dark_mode', { description: 'kept' });
    expect(await control.snapshots.save('before lunch')).toMatchObject({ name: 'before lunch', savedAt: testTime });
    const kept = await control.state.all();
    await control.reset();
    expect((await control.state.get('gates', 'dark_mode')).description).not.toBe('kept');
    const document = (await send('/_reference/v1/snapshots/before%20lunch')).json;
    expect((await send('/_reference/v1/snapshots/copy', { method: 'PUT', body: document })).status).toBe(200);
    expect((await control.snapshots.list()).map(({ name }) => name)).toEqual(['before lunch', 'copy']);
    await control.snapshots.load('copy');
    expect(await control.state.all()).toEqual(kept);
    await control.reset(['snapshots']);
    expect(await control.snapshots.list()).toEqual([]);
    expect((await send('/_reference/v1/snapshots/copy/load', { method: 'POST' })).status).toBe(404);
  });

  it('do not change when what was saved does', async () => {
    await control.snapshots.save('a');
    const { state } = await control.snapshots.read('a');
    await control.state.remove('gates', 'dark_mode');
    expect((await control.snapshots.read('a')).state).toEqual(state);
    await control.snapshots.load('a');
    expect((await control.state.get('gates', 'dark_mode')).id).toBe('dark_mode');
  });

  it('of a newer version, of another shape or without a name are refused with a clear line', async () => {
    await control.snapshots.save('a');
    const document = await control.snapshots.read('a');
    const imported = (body: unknown, name = 'b') => send(`/_reference/v1/snapshots/${name}`, { method: 'PUT', body });
    expect((await imported({ ...document, version: 2 })).json).toMatchObject({ status: 400, message: /newer version/ });
    const broken = { ...document, state: { ...document.state, gates: [['a', { id: 'a' }]] } };
    expect((await imported(broken)).json.errors).toEqual([
      { pointer: '/state/gates/0/1/isEnabled', message: 'is required' },
      { pointer: '/state/gates/0/1/version', message: 'is required' },
    ]);
    expect((await imported(document, 'a%2Fb')).status).toBe(400);
    await expect(control.snapshots.save('..')).rejects.toThrow('no name for a snapshot');
    expect(await control.snapshots.list()).toHaveLength(1);
  });

  it('load without a copy of what did not change', async () => {
    const before = await server.store.list('gates');
    await control.snapshots.save('a');
    await control.snapshots.load('a');
    const after = await server.store.list('gates');
    expect(after.every((gate, index) => gate === before[index])).toBe(true);
  });
});

describe('the clock', () => {
  it('is set, advanced, stopped and given back, and what the API stamps follows it', async () => {
    const stamped = async () =>
      (await call('patch-gate', 'dark_mode', { description: `${Math.abs(await read())}` })).json.data.lastModifiedTime;
    const read = async () => (await control.clock.read()).time;
    expect(await stamped()).toBe(testTime);
    await control.clock.change({ time: 1000 });
    expect(await stamped()).toBe(1000);
    await control.clock.change({ advance: 500, stopped: true });
    expect([await stamped(), (await control.clock.read()).stopped]).toEqual([1500, true]);
    await control.clock.change({ stopped: false });
    expect(await control.clock.read()).toEqual({ time: 1500, stopped: false });
    await control.clock.change({ real: true });
    expect(await stamped()).toBe(testTime);
    await expect(control.clock.change({ advance: 0.5 })).rejects.toThrow('/advance must be an integer');
  });
});
