import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../contracts/emit/examples.ts';
import { endpointIds, endpointRow } from '../contracts/endpoints.ts';
import { createReferenceServer } from './index.ts';

const server = createReferenceServer({ apiKey: 'reference-key' });
let url = '';
beforeAll(async () => {
  ({ url } = await server.listen());
});
afterAll(() => server.close());

// Archive last, because an archived config can be neither read nor disabled.
const ordered = endpointIds.toSorted(
  (one, other) => Number(one === 'archive-config') - Number(other === 'archive-config'),
);

test.each(ordered)('the example of %s in the OpenAPI document is accepted as it stands', async id => {
  const { method, path } = endpointRow(id);
  const { param, body } = examples[id];
  const answer = await request(new URL(path.replace(/\{\w+\}/, param ?? ''), url), {
    method,
    headers: { 'SERVICE-API-KEY': 'reference-key', 'content-type': 'application/json' },
    body: body === null ? null : JSON.stringify(body),
  });
  expect([answer.statusCode, await answer.body.text()]).toEqual([200, expect.stringContaining('"data"')]);
});
