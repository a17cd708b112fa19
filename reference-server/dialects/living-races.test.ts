import { isDeepStrictEqual } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { createReferenceServer } from '../server.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { raceDialects } from './living-races.ts';

/** Returns the sorted results of two concurrent requests to a server with these dialects, and of a later read. */
async function metBy(dialects: readonly string[], endpoint: EndpointId): Promise<readonly string[]> {
  const server = createReferenceServer({ dialects, grace: 20, now: () => 0 });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  const ask = async (id: EndpointId, body: object): Promise<string> => {
    const { method, path } = endpoints[id];
    const response = await fetch(`${url}${path.replace('{id}', 'dark_mode')}`, {
      method,
      headers: { 'SERVICE-API-KEY': server.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return `${response.status} ${await response.text()}`;
  };
  const bodies =
    endpoint === 'create-metric'
      ? ['one', 'other'].map(name => ({
          name,
          type: 'event_user',
          metricEvents: [{ name: 'page_view', type: 'count' }],
        }))
      : [{ description: 'one' }, { tags: ['other'] }];
  const met = await Promise.all(bodies.map(body => ask(endpoint, body)));
  return [...met.sort(), ...(endpoint === 'patch-gate' ? [await ask('patch-gate', {})] : [])];
}

const mostTries = 20;

const endpointOf = (row: Dialect): EndpointId =>
  row.endpoints?.includes('patch-gate') === true ? 'patch-gate' : 'create-metric';

// These two dialects change only the order of writes, which the results do not show.
const unseen = ['writes-in-a-row', 'first-is-last'];

test.each(raceDialects.map(dialectOf).filter(({ id }) => !unseen.includes(id)))(
  '$id shows where two requests meet',
  async row => {
    const endpoint = endpointOf(row);
    const usual = await metBy([], endpoint);
    // On a busy machine two requests may miss one another.
    let met = usual;
    for (let tries = 0; tries < mostTries && isDeepStrictEqual(met, usual); tries += 1)
      met = await metBy([row.id], endpoint);
    expect(met).not.toEqual(usual);
  },
);

test.each(unseen)('%s keeps what both have written', async id => {
  const last = (await metBy([id], 'patch-gate')).at(-1) ?? '';
  expect(last).toContain('"description":"one"');
  expect(last).toContain('"tags":["other"]');
});
