import { beforeEach, describe, expect, it } from 'vitest';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { accepted } from '../proof/testing/accepted.ts';
import { pathOf, started } from '../proof/testing/started.ts';
import { createReferenceServer } from '../server.ts';

const keys = [
  { name: 'dev', key: 'key-of-dev' },
  { name: 'ci', key: 'key-of-ci', role: 'read-only' },
] as const;
const { server, send } = await started({ apiKey: 'main-key', keys });
beforeEach(server.reset);

describe('several keys', () => {
  it.each(endpointIds)('open %s, but for writes with the one that may only read', async id => {
    const { param, body } = accepted[id];
    const { method } = endpoints[id];
    const answer = async (key: string) => (await send(pathOf(id, param), { method, body, key })).status;
    expect(await answer('key-of-de')).toBe(401);
    const before = await server.store.snapshot();
    expect(await answer('key-of-ci')).toBe(method === 'GET' ? 200 : 403);
    expect(await server.store.snapshot()).toEqual(before);
    for (const key of ['main-key', 'key-of-dev']) {
      await server.reset();
      expect(await answer(key)).toBe(200);
    }
  });

  it('say in a refusal what the key is called, and nothing of the key', async () => {
    const refused = await send('/console/v1/gates/dark_mode', { method: 'PATCH', body: '{', key: 'key-of-ci' });
    expect(refused.json).toEqual({ status: 403, message: 'The API key ci is read-only: it may not write.' });
  });

  it('are all taken out of the log', async () => {
    await send('/console/v1/segments?a=key-of-ci&b=main-key&c=key-of-dev', { key: 'main-key' });
    expect((await send('/_reference/requests', { key: null })).text).not.toMatch(/key-of-|main-key/);
  });

  it('need no other key: the first of them is that of the server', async () => {
    const alone = await started({ keys });
    expect(alone.server.apiKey).toBe('key-of-dev');
    expect((await alone.send('/console/v1/segments', { key: 'reference-key' })).status).toBe(401);
    expect((await alone.send('/console/v1/segments', { key: 'key-of-ci' })).status).toBe(200);
  });
});

it.each([
  [[{ name: 'a', key: '' }], 'the API key a is empty'],
  [[{ name: 'a', key: 'ключ' }], 'the API key a has characters that no header can carry'],
  [[{ name: 'a', key: 'line\n' }], 'the API key a has characters that no header can carry'],
  [[{ name: 'a', key: 'blank ' }], 'the API key a has characters that no header can carry'],
  [
    [
      { name: 'a', key: 'x' },
      { name: 'a', key: 'y' },
    ],
    'two API keys are called a',
  ],
  [
    [
      { name: 'a', key: 'x' },
      { name: 'b', key: 'x' },
    ],
    'the API keys a and b are the same',
  ],
])('keys that cannot be told apart, or sent, are refused without being shown: %#', (bad, message) => {
  expect(() => createReferenceServer({ keys: bad })).toThrow(new RangeError(message));
});
