import { request } from 'undici';
import { afterAll, describe } from 'vitest';
import { sandboxTest } from './index.ts';

const urls = new Set<string>();
const keys = new Set<string>();
const test = sandboxTest();

describe('a sandbox of each test', () => {
  for (const name of ['one', 'two', 'three', 'four'])
    test.concurrent(`is seen by test ${name} alone, at a server that all share`, async ({ sandbox, expect }) => {
      urls.add(sandbox.url);
      keys.add(sandbox.apiKey);
      const answer = await request(`${sandbox.url}/console/v1/gates/dark_mode`, {
        method: 'PATCH',
        headers: { 'SERVICE-API-KEY': sandbox.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ description: name }),
      });
      await answer.body.dump();
      expect(await sandbox.state.get('gates', 'dark_mode')).toMatchObject({ description: name });
      expect(sandbox.requests.list()).toHaveLength(1);
    });

  test('is told what requests meet in turn', async ({ sandbox, expect }) => {
    await sandbox.behave({ match: { operation: 'list-segments' }, then: [{ status: 503 }, { wire: 'reset' }] });
    const ask = () =>
      request(`${sandbox.url}/console/v1/segments`, { headers: { 'SERVICE-API-KEY': sandbox.apiKey } }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        },
        () => 'lost',
      );
    expect([await ask(), await ask(), await ask()]).toEqual([503, 'lost', 200]);
    expect(sandbox.requests.list().map(({ answeredBy }) => answeredBy?.left)).toEqual([1, 0, undefined]);
  });

  afterAll(() => {
    if (urls.size !== 1 || keys.size !== 4) throw new Error(`${urls.size} servers and ${keys.size} keys`);
  });
});
