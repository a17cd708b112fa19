import { expect, test } from 'vitest';
import { httpDouble } from '../proof/testing/doubles.ts';
import { testKey } from '../proof/testing/reference-run.ts';
import { openReadOnlyClient } from './read-only-client.ts';
import { targetOf } from './target.ts';

const tooLong = 'the answer is longer than 4194304 bytes';

test('an answer that is longer than anybody reads comes back as a failure, as often as it comes', async () => {
  const { url } = await httpDouble((_request, response) => response.end(Buffer.alloc(9_000_000, ' ')));
  const client = openReadOnlyClient(targetOf({}, url, testKey), 'reads', 600_000);
  // More often than a run would tolerate.
  for (let nth = 1; nth <= 5; nth += 1) {
    const answer = await client.send({ endpoint: 'list-segments' });
    expect(answer).toMatchObject({
      status: 0,
      success: false,
      reply: { failure: { kind: 'too-large', message: tooLong } },
    });
  }
  expect(client.sent()).toBe(5);
  await client.close();
});

test.each([
  ['a patch that only reads may not send', { endpoint: 'patch-gate', param: 'a_gate', body: {} }],
  ['a patch that changes something', { endpoint: 'patch-gate', param: 'a_gate', body: { isEnabled: true } }],
  ['a deletion', { endpoint: 'list-segments', method: 'DELETE' }],
] as const)('%s is refused before it is sent', async (_what, request) => {
  let requests = 0;
  const { url } = await httpDouble((_request, response) => {
    requests += 1;
    response.end();
  });
  const client = openReadOnlyClient(targetOf({}, url, testKey), 'reads', 600_000);
  await expect(client.send(request)).rejects.toThrow('client');
  expect([requests, client.sent()]).toEqual([0, 0]);
  await client.close();
});

test.each([
  ['a body that is sent as it is', { endpoint: 'patch-gate', param: 'a_gate', body: {}, raw: '{"isEnabled":true}' }],
  ['another method than that of a reading', { endpoint: 'list-segments', method: 'PATCH', body: {} }],
] as const)('where empty patches are allowed, %s is refused all the same', async (_what, request) => {
  const { url } = await httpDouble((_request, response) => void response.end());
  const client = openReadOnlyClient(targetOf({}, url, testKey), 'reads and empty patches', 600_000);
  await expect(client.send(request)).rejects.toThrow('must not send PATCH');
  expect(client.sent()).toBe(0);
  await client.close();
});
