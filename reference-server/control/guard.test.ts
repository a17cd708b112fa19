import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { started } from '../proof/testing/started.ts';
import { type Access, controlRefusal } from './guard.ts';

const here = 'http://127.0.0.1:4010';
const refusedBy = (headers: Record<string, string>, access: Partial<Access> = {}, open = false) =>
  controlRefusal({ headers }, { controlKey: undefined, host: () => '127.0.0.1', ...access }, open)?.status;

describe('the control paths', () => {
  // biome-ignore format: a table
  it.each([
    ['a client on this machine',                  { host: '127.0.0.1:4010' },                                    undefined],
    ['a client that says localhost',              { host: 'localhost:4010' },                                    undefined],
    ['a client that says a name under localhost', { host: 'sandbox.localhost' },                                 undefined],
    ['a client on the loopback interface of IPv6', { host: '[::1]:4010' },                                       undefined],
    ['a page of the server itself',               { host: '127.0.0.1:4010', origin: here },                      undefined],
    ['a page of another port',                    { host: '127.0.0.1:4010', origin: 'http://127.0.0.1:3000' },   403],
    ['a page of another site',                    { host: '127.0.0.1:4010', origin: 'https://evil.example' },    403],
    ['a page without an origin to tell',          { host: '127.0.0.1:4010', origin: 'null' },                    403],
    ['a page of another name for this machine',   { host: '127.0.0.1:4010', origin: 'http://localhost:4010' },   403],
    ['a name that its owner points here',         { host: 'evil.example:4010' },                                 403],
    ['such a name and a page of it',              { host: 'evil.example', origin: 'http://evil.example' },       403],
    ['an address that only begins like ours',     { host: '127.0.0.1.evil.example' },                            403],
    ['a name that only ends like ours',           { host: 'evillocalhost' },                                     403],
    ['a client that names no host',               {},                                                            403],
  ])('are open or closed to %s as they should be', (_who, headers, status) => {
    expect(refusedBy(headers as Record<string, string>)).toBe(status);
  });

  it('answer to the name on which the server was told to listen, and want a key there', () => {
    const listening = { host: () => 'build-host' };
    expect(refusedBy({ host: 'build-host:4010' }, listening)).toBe(403);
    expect(refusedBy({ host: 'build-host:4010' }, listening, true)).toBeUndefined();
    const keyed = { ...listening, controlKey: 'c0ntrol' };
    expect(refusedBy({ host: 'build-host:4010' }, keyed)).toBe(401);
    expect(refusedBy({ host: 'build-host:4010', 'reference-control-key': 'c0ntro' }, keyed)).toBe(401);
    expect(refusedBy({ host: 'build-host:4010', 'reference-control-key': 'c0ntrol' }, keyed)).toBeUndefined();
    expect(refusedBy({ host: 'other:4010', 'reference-control-key': 'c0ntrol' }, keyed)).toBe(403);
  });

  it('are closed where the server listens everywhere without a control key, and take any name with it', () => {
    const everywhere = { host: () => '0.0.0.0' };
    expect(refusedBy({ host: '127.0.0.1:4010' }, everywhere)).toBe(403);
    const key = { 'reference-control-key': 'c0ntrol' };
    expect(refusedBy({ host: '192.0.2.7:4010', ...key }, { ...everywhere, controlKey: 'c0ntrol' })).toBeUndefined();
    expect(refusedBy({ host: '192.0.2.7:4010' }, { ...everywhere, controlKey: 'c0ntrol' })).toBe(401);
  });

  it('want the control key on this machine too, where there is one', () => {
    expect(refusedBy({ host: 'localhost' }, { controlKey: 'c0ntrol' })).toBe(401);
    expect(refusedBy({ host: 'localhost' }, { controlKey: 'c0ntrol' }, true)).toBeUndefined();
  });
});

describe('a page of another site', async () => {
  const { send, server } = await started();
  it('can neither reset the server nor change what it holds', async () => {
    const before = await server.store.snapshot();
    const headers = { origin: 'https://evil.example' };
    const sent = [
      ['POST', '/_reference/reset'],
      ['POST', '/_reference/v1/reset'],
      ['PUT', '/_reference/state'],
      ['DELETE', '/_reference/v1/state/gates/dark_mode'],
      ['GET', '/_reference/v1/state'],
    ] as const;
    for (const [method, path] of sent)
      expect((await send(path, { method, key: null, headers, body: method === 'PUT' ? {} : undefined })).status).toBe(
        403,
      );
    expect(await server.store.snapshot()).toEqual(before);
  });
});

describe('a key that is sent to the control paths', async () => {
  const { send, server } = await started({
    sandboxes: true,
    apiKey: 'reference-key',
    keys: [{ name: 'ci', key: 'key-of-ci' }],
  });
  const other = await started({ naming: { apiKeyHeader: 'X-Key' }, sandboxes: true });
  const reset = '/_reference/v1/reset';

  it.each(['', 'reference-kez', 'reference-key ~', 'sandbx_one', 'reference-key, reference-key', 'Sandbox_one'])(
    'is refused where it is nobody’s, and opens no other world: "%s"',
    async key => {
      await server.control.state.patch('gates', 'dark_mode', { description: 'kept' });
      for (const path of [reset, '/_reference/reset', `${reset}?world=default`])
        expect((await send(path, { method: 'POST', key })).status).toBe(401);
      expect((await send('/_reference/v1/state', { key })).status).toBe(401);
      expect((await server.control.state.get('gates', 'dark_mode')).description).toBe('kept');
      // The health path is open: it ignores the key.
      expect((await send('/_reference/v1/health', { key })).status).toBe(200);
    },
  );

  it.each([null, 'reference-key', 'key-of-ci'])(
    'means the default world where it is the server’s own, or none: %s',
    async key => {
      await server.control.state.patch('gates', 'dark_mode', { description: 'kept' });
      expect((await send(reset, { method: 'POST', key })).status).toBe(200);
      expect((await server.control.state.get('gates', 'dark_mode')).description).not.toBe('kept');
    },
  );

  it('means its world too in the header that the specification names, where the server has another', async () => {
    const named = (key: string) => ({ method: 'POST', key: null, headers: { 'SERVICE-API-KEY': key } });
    await other.server.control.state.patch('gates', 'dark_mode', { description: 'kept' });
    expect((await other.send(reset, named('sandbox_1'))).status).toBe(200);
    expect((await other.send(reset, named('sandbx_1'))).status).toBe(401);
    expect((await other.server.control.state.get('gates', 'dark_mode')).description).toBe('kept');
  });
});

describe('what is sent to the control paths', async () => {
  const { url, send } = await started();
  const state = '/_reference/v1/state';

  it('is refused before it is parsed where it has too many parts, and the server goes on', async () => {
    const body = `{"gates":[${'[],'.repeat(1_000_001)}[]]}`;
    const { status, json } = await send(state, { method: 'PUT', body });
    expect([status, json.message]).toEqual([400, 'The request body has more than 1000000 parts.']);
  });

  it('is refused while other large bodies are being read, and taken when they are gone', async () => {
    const begun = [1, 2].map(() => {
      const sending = request(url + state, { method: 'PUT', headers: { 'Content-Type': 'application/json' } });
      sending.on('error', () => undefined).write('{');
      return sending;
    });
    const put = async () => send(state, { method: 'PUT', body: (await send(state)).json });
    // The server must receive them first.
    while ((await put()).status !== 503);
    expect((await put()).headers['retry-after']).toBe('1');
    for (const sending of begun) sending.destroy();
    while ((await put()).status !== 200);
  });
});
