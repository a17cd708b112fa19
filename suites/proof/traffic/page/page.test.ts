import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../../../reference-server/index.ts';
import { describeInBrowser } from '../../../../reports/testing/browser.fixture.ts';
import type { ObservedExchange } from '../../../traffic/index.ts';
import { startProxy } from '../../../traffic/wire/proxy.ts';
import { judgedTraffic } from '../../testing/exchanges.ts';
import { onLoopback } from '../../testing/loopback.ts';

const apiKey = 'Key-of-the-page-0815';
const gate = referenceTarget().fixtures?.gates?.[0] ?? '';

const server = createReferenceServer({ apiKey });
const seen: ObservedExchange[] = [];
const { url } = await server.listen();
const proxy = await startProxy(
  { target: new URL(url), sink: { observe: exchange => void seen.push(exchange) } },
  { host: '127.0.0.1', port: 0 },
);
/** A page with another origin than the proxy. */
const site = await onLoopback(
  createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Gates</title>'),
  ),
);
afterAll(async () => {
  await proxy.close();
  await Promise.all([server.close(), site.close()]);
});

/** The script of the page: lists segments page by page, enables a gate, and sends a name that is too short. */
const session = `(async (api, key, gate) => {
  const headers = { 'SERVICE-API-KEY': key };
  const sent = { ...headers, 'Content-Type': 'application/json' };
  const statuses = [];
  for (let query = '?limit=10'; query !== null; ) {
    const answer = await fetch(api + '/console/v1/segments' + query, { headers });
    const { pagination } = await answer.json();
    statuses.push(answer.status);
    query = pagination.nextPage === null ? null : pagination.nextPage.slice(pagination.nextPage.indexOf('?'));
  }
  for (const body of [{ isEnabled: true }, { description: 'seen in a browser 🎉' }, { name: 'ab' }])
    statuses.push((await fetch(api + '/console/v1/gates/' + gate, { method: 'PATCH', headers: sent, body: JSON.stringify(body) })).status);
  return statuses;
})`;

describeInBrowser('a page of another origin, with the proxy before the server', chromium => {
  test('its questions beforehand pass and are set aside, and its one mistake is its own', async () => {
    const context = await chromium().newContext();
    const page = await context.newPage();
    await page.goto(site.url.href);
    const given = [proxy.url.origin, apiKey, gate].map(text => JSON.stringify(text)).join(', ');
    const statuses = (await page.evaluate(`${session}(${given})`)) as number[];
    await context.close();
    expect(statuses.slice(-3)).toEqual([200, 200, 400]);
    const exchanges = seen.toSorted((one, other) => one.number - other.number);
    const { found, notes, report } = judgedTraffic(exchanges, { apiKey, soleWriter: true, settleMs: 0 });
    expect({ found, notes }).toEqual({ found: ['client client.body-constraint /name'], notes: [] });
    const preflights = exchanges.filter(({ request }) => request.method === 'OPTIONS').length;
    expect(preflights).toBeGreaterThan(0);
    expect(report.traffic).toMatchObject({
      judged: statuses.length,
      notJudged: [],
      outside: [{ because: 'a question of a browser before the request itself (CORS, OPTIONS)', count: preflights }],
      sides: { client: 'non-conformant', server: 'conformant' },
    });
    expect(JSON.stringify(report)).not.toContain(apiKey);
  });
});
