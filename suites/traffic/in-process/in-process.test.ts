import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { Agent, request, fetch as undiciFetch } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer } from '../../../reference-server/index.ts';
import { onLoopback } from '../../proof/testing/loopback.ts';
import { judgedFetch, judgedInterceptor, judgeInProcess } from '../index.ts';

const key = 'the-key-of-these-tests';
const headers = { 'SERVICE-API-KEY': key };
const json = { ...headers, 'content-type': 'application/json' };

async function served(faults: readonly string[] = []): Promise<string> {
  const server = createReferenceServer({ apiKey: key, faults });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  return url;
}

/** The ways of sending from within this process. */
const clients = {
  fetch: (baseUrl: string) => {
    const judge = judgeInProcess({ baseUrl });
    return { judge, send: judgedFetch(fetch, judge) };
  },
  'fetch of undici with the interceptor': (baseUrl: string) => {
    const judge = judgeInProcess({ baseUrl });
    const dispatcher = new Agent().compose(judgedInterceptor(judge));
    onTestFinished(() => dispatcher.close());
    const send = (url: string, init: object) =>
      undiciFetch(url, { ...init, dispatcher }) as unknown as Promise<Response>;
    return { judge, send };
  },
  'undici with the interceptor': (baseUrl: string) => {
    const judge = judgeInProcess({ baseUrl });
    const dispatcher = new Agent().compose(judgedInterceptor(judge));
    onTestFinished(() => dispatcher.close());
    const send = async (url: string, init: object) => {
      const { statusCode, body } = await request(url, { ...init, dispatcher });
      return new Response(await body.text(), { status: statusCode });
    };
    return { judge, send };
  },
};

describe.each(Object.entries(clients))('%s', (_name, clientOf) => {
  test('gives back what the server answers, and nothing of sound traffic is told', async () => {
    const url = await served();
    const { judge, send } = clientOf(url);
    const list = await send(`${url}/console/v1/segments?limit=2&page=1`, { headers });
    expect([list.status, ((await list.json()) as { data: unknown[] }).data.length]).toEqual([200, 2]);
    const body = JSON.stringify({ description: 'as it should be' });
    const gate = await send(`${url}/console/v1/gates/new_checkout`, { method: 'PATCH', headers: json, body });
    expect(((await gate.json()) as { data: object }).data).toMatchObject({ description: 'as it should be' });
    expect(await judge.breaches()).toEqual([]);
    expect(judge.exchanges()).toBe(2);
  });

  test('has what the client breaks told once, with the requirement, and not put on the server', async () => {
    const url = await served();
    const { judge, send } = clientOf(url);
    const body = JSON.stringify({ name: 'ab' });
    const refused = await send(`${url}/console/v1/gates/new_checkout`, { method: 'PATCH', headers: json, body });
    expect(refused.status).toBe(400);
    expect(await judge.breaches()).toMatchObject([{ side: 'client', requirement: 'client.body-constraint' }]);
    expect(await judge.breaches()).toEqual([]);
  });

  test('has what the server breaks told, and not put on the client', async () => {
    const url = await served(['segment-count-as-text']);
    const { judge, send } = clientOf(url);
    await (await send(`${url}/console/v1/segments`, { headers })).text();
    const found = await judge.breaches();
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ side }) => side))).toEqual(new Set(['server']));
    expect(await judge.breaches('client')).toEqual([]);
  });

  test('passes on a body that is a stream, and has it judged', async () => {
    const url = await served();
    const { judge, send } = clientOf(url);
    const text = JSON.stringify({ name: 'ab' });
    const isFetch = _name.includes('fetch');
    const body = isFetch ? new Blob([text]).stream() : Readable.from([text]);
    const options = { method: 'PATCH', headers: json, body, duplex: 'half' } as object;
    expect((await send(`${url}/console/v1/gates/new_checkout`, options)).status).toBe(400);
    expect(await judge.breaches()).toMatchObject([{ requirement: 'client.body-constraint' }]);
  });

  test('lets an error of the connection through, and no side is accused of it', async () => {
    const gone = await onLoopback(createServer());
    await gone.close();
    const url = gone.url.origin;
    const { judge, send } = clientOf(url);
    await expect(send(`${url}/console/v1/segments`, { headers })).rejects.toThrow();
    await judge.breaches();
    expect(judge.exchanges()).toBe(1);
  });

  test('leaves alone what goes elsewhere', async () => {
    const url = await served();
    const { judge, send } = clientOf('https://elsewhere.test');
    expect((await send(`${url}/console/v1/segments`, {})).status).toBe(401);
    expect([await judge.breaches(), judge.exchanges()]).toEqual([[], 0]);
  });
});

describe('a fetch that a test makes up', () => {
  const baseUrl = 'https://console.test/api/';
  const page = { itemsPerPage: 10, pageNumber: 1, totalItems: 0, nextPage: null, previousPage: null, all: '' };
  const answer = { message: 'Segments listed successfully.', data: [], pagination: page };

  test('is called with what the client gave, and what it gives back is judged', async () => {
    const judge = judgeInProcess({ baseUrl });
    const calls: unknown[][] = [];
    const client = judgedFetch(async (...args) => {
      calls.push(args);
      return Response.json({ ...answer, pagination: { ...page, totalItems: '0' } });
    }, judge);
    const init = { headers };
    expect(await (await client('https://console.test/api/console/v1/segments', init)).json()).toMatchObject({
      data: [],
    });
    expect(calls).toEqual([['https://console.test/api/console/v1/segments', init]]);
    expect(calls[0]?.[1]).toBe(init);
    expect(await judge.breaches()).toMatchObject([{ side: 'server', text: expect.stringContaining('totalItems') }]);
  });

  test('may give back what is no Response, and its status is all that is judged', async () => {
    const judge = judgeInProcess({ baseUrl });
    const client = judgedFetch((async () => ({ status: 500, json: async () => ({}) })) as never, judge);
    expect(await (await client(`${baseUrl}console/v1/segments`, { headers })).json()).toEqual({});
    expect((await judge.breaches()).map(({ side }) => side)).toEqual(['server']);
  });

  test.each([
    ['a stream of Node', (text: string) => Readable.from([text.slice(0, 5), text.slice(5)])],
    [
      'a generator',
      async function* (text: string) {
        yield text.slice(0, 5);
        yield Buffer.from(text.slice(5));
      },
    ],
  ])('may be given %s, which is still there to be sent as a whole', async (_what, bodyOf) => {
    const judge = judgeInProcess({ baseUrl });
    let sent = '';
    const client = judgedFetch(async (...args) => {
      sent = await new Request(...args).text();
      return Response.json({}, { status: 400 });
    }, judge);
    const text = JSON.stringify({ name: 'ab' });
    const body = bodyOf(text) as unknown as ReadableStream;
    await client(`${baseUrl}console/v1/gates/a`, { method: 'PATCH', headers: json, body, duplex: 'half' } as object);
    expect(sent).toBe(text);
    expect(await judge.breaches('client')).toMatchObject([{ requirement: 'client.body-constraint' }]);
  });

  test('may be given a Request, whose body is still there to be sent', async () => {
    const judge = judgeInProcess({ baseUrl });
    let sent = '';
    const client = judgedFetch(async input => {
      sent = await (input as Request).text();
      return Response.json({}, { status: 400 });
    }, judge);
    const body = JSON.stringify({ name: 'ab' });
    await client(new Request(`${baseUrl}console/v1/gates/a`, { method: 'PATCH', headers: json, body }));
    expect(sent).toBe(body);
    expect(await judge.breaches('client')).toMatchObject([{ requirement: 'client.body-constraint' }]);
  });
});

test('a breach that a test expects is not told', async () => {
  const url = await served();
  const judge = judgeInProcess({ baseUrl: url, expected: [{ requirement: 'client.key-header' }] });
  await judgedFetch(fetch, judge)(`${url}/console/v1/segments`);
  expect([await judge.breaches(), judge.exchanges()]).toEqual([[], 1]);
});
