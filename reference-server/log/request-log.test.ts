import { request } from 'undici';
import { beforeEach, describe, expect, it } from 'vitest';
import { started } from '../proof/testing/started.ts';
import { redactionOf } from './redaction.ts';
import { createRequestLog, type Exchange } from './request-log.ts';

const servers = await started();

describe('the request log', () => {
  const entry: Exchange = {
    time: 0,
    took: 1,
    method: 'GET',
    url: '/',
    endpoint: null,
    status: 200,
    rawHeaders: [],
    body: '',
    answerHeaders: {},
    answer: '',
    behaviours: [],
    answeredBy: null,
  };
  const logOf = (key: string, capacity?: number) =>
    createRequestLog(
      redactionOf([key], 'SERVICE-API-KEY'),
      'SERVICE-API-KEY',
      sent => (sent === key ? 'main' : undefined),
      capacity,
    );

  it('shows the type of an answer that has one of its own', () => {
    const log = logOf('k3y');
    log.add({ ...entry, answer: '<p>', answerHeaders: { 'content-type': 'text/html' } });
    log.add({ ...entry, answer: '{}' });
    expect(log.list().map(({ answerHeaders }) => answerHeaders)).toEqual([
      { 'content-type': 'text/html' },
      { 'content-type': 'application/json; charset=utf-8' },
    ]);
  });

  it('keeps the last ones in order', () => {
    const log = logOf('k3y', 3);
    for (let status = 1; status <= 7; status++) log.add({ ...entry, status });
    expect(log.list().map(({ number, status }) => [number, status])).toEqual([
      [5, 5],
      [6, 6],
      [7, 7],
    ]);
  });

  it('redacts a short key where it is a value, and leaves names that hold it alone', () => {
    const log = logOf('k');
    const body = '{"key":"k","id":"new_checkout","note":"k k"}';
    log.add({ ...entry, url: '/console/v1/gates/k/disable?a=k&k=1&b=ok', body });
    expect(log.list()).toMatchObject([
      {
        url: '/console/v1/gates/k/disable?a=[redacted]&k=1&b=ok',
        body: '{"key":"[redacted]","id":"new_checkout","note":"k k"}',
      },
    ]);
  });

  it.each([
    ['Base64 of a user and the key', Buffer.from('somebody:k3y-k3y-k3y').toString('base64')],
    ['hexadecimal', Buffer.from('k3y-k3y-k3y').toString('hex')],
    ['another letter case', 'K3Y-k3y-K3Y'],
    ['an escape twice', encodeURIComponent(encodeURIComponent('k3y-k3y-k3y').replaceAll('-', '%2d'))],
  ])('redacts the key as %s, wherever it stands', (_as, written) => {
    const log = logOf('k3y-k3y-k3y');
    const refusal = { message: `no ${written}`, errors: [{ property: written, errorMessage: `not ${written}` }] };
    log.add({
      ...entry,
      status: 400,
      url: `/${written}?a=${written}`,
      body: `x ${written}`,
      answer: JSON.stringify(refusal),
      rawHeaders: ['X-A', `a ${written}`, `X-${written}`, 'b'],
      answerHeaders: { location: `/x/${written}` },
      refusal,
    });
    const [only] = log.list();
    expect(JSON.stringify(only)).not.toContain(written.slice(2, -4));
    expect(JSON.stringify(only).split('[redacted]')).toHaveLength(13);
  });

  it('cuts long texts, and finds a key that stands across the cut', () => {
    const log = logOf('k3y-k3y-');
    log.add({ ...entry, body: `${'x'.repeat(8191)}k3y-k3y-${'x'.repeat(9000)}`, url: `/${'y'.repeat(5000)}` });
    const [only] = log.list();
    expect(only?.body).toBe(`${'x'.repeat(8191)}[`);
    expect(only?.url).toHaveLength(1024);
  });
});

describe('a request in the log', () => {
  const { call, send, server, url } = servers;
  beforeEach(() => server.control.requests.clear());
  const last = () => server.control.requests.list({ limit: 1 })[0];

  it('shows what was sent and what was answered, without any key', async () => {
    await send('/console/v1/segments?limit=1', { headers: { 'X-Trace': 'abc', Authorization: 'Bearer other-key' } });
    expect(last()).toMatchObject({
      status: 200,
      headers: { 'SERVICE-API-KEY': '[redacted]', 'X-Trace': 'abc', Authorization: '[redacted]' },
      answerHeaders: { 'content-type': expect.stringContaining('json') },
      refused: null,
    });
    expect(JSON.parse(last()?.answer ?? '')).toMatchObject({ message: 'Segments listed successfully.' });
    await send('/console/v1/segments', { key: 'nearly-the-key' });
    expect(JSON.stringify(last())).not.toContain('nearly-the-key');
  });

  it('says what the key is called, if it is one of the server', async () => {
    const many = await started({ keys: [{ name: 'reader', key: 'the-reader', role: 'read-only' }], sandboxes: true });
    const keyOf = async (key: string | null, path = '/console/v1/segments') => {
      await many.send(path, { key });
      return many.server.control.requests.list().at(-1)?.keyName;
    };
    expect([await keyOf('the-reader'), await keyOf('other'), await keyOf(null), await keyOf('')]).toEqual([
      'reader',
      null,
      null,
      null,
    ]);
    expect(JSON.stringify(many.server.control.requests.list())).not.toContain('the-reader');
  });

  // biome-ignore format: a table
  it.each<readonly [what: string, ask: () => Promise<unknown>, requirements: readonly string[]]>([
    ['no key',                         () => send('/console/v1/segments', { key: null }),                                       ['auth.missing-key']],
    ['an empty key',                   () => send('/console/v1/segments', { key: '' }),                                         ['auth.empty-key']],
    ['another key',                    () => send('/console/v1/segments', { key: 'other' }),                                    ['auth.wrong-key']],
    ['a field that breaks its schema', () => call('patch-gate', 'dark_mode', { description: 'x'.repeat(1001), name: 'ab' }),    ['gate.description', 'gate.name']],
    ['a field further down',           () => call('patch-gate', 'dark_mode', { reviewSettings: { requiredReview: 1 } }),        ['gateReviewSettings.requiredReview']],
    ['a field that is missing',        () => call('create-metric', '', { name: 'abc' }),                                        ['metric.type']],
    ['a name that there is not',       () => call('patch-gate', 'dark_mode', { team: 'nobody' }),                               ['open.unknown-reference']],
    ['an entity that there is not',    () => call('patch-gate', 'nobody', {}),                                                  ['open.unknown-id-status']],
    ['a path that there is not',       () => send('/console/v1/nothing'),                                                       ['service.route']],
    ['another method',                 () => send('/console/v1/segments', { method: 'PUT' }),                                   ['open.method-status']],
    ['a page that is none',            () => send('/console/v1/segments?page=0&limit=x'),                                       ['query.page', 'query.limit']],
    ['a body that is no JSON',         () => send('/console/v1/gates/dark_mode', { method: 'PATCH', body: '{' }),               ['robust.malformed-json']],
    ['a metric that there is',         () => call('create-metric', '', { name: 'page_view', type: 'event_count_custom' }).then(() => call('create-metric', '', { name: 'page_view', type: 'event_count_custom' })), ['open.error-codes']],
  ])('says why it was refused, and on which requirement that rests: %s', async (_what, ask, requirements) => {
    await ask();
    expect(last()?.refused?.requirements.toSorted()).toEqual(requirements.toSorted());
    expect(last()?.refused?.message).not.toBe('');
  });

  it('is found by method, path, status, operation and number', async () => {
    await send('/console/v1/segments?page=2');
    await send('/console/v1/segments?page=x');
    await call('patch-gate', 'dark_mode', {});
    const numbers = async (query: string) =>
      (await send(`/_reference/v1/requests?${query}`)).json.requests.map(({ number }: { number: number }) => number);
    const [first = 0] = await numbers('');
    const relative = async (query: string) => (await numbers(query)).map((number: number) => number - first);
    expect(await relative('method=patch')).toEqual([2]);
    expect(await relative('path=page')).toEqual([0, 1]);
    expect(await relative('status=4xx')).toEqual([1]);
    expect(await relative('status=200')).toEqual([0, 2]);
    expect(await relative('endpoint=list-segments&limit=1')).toEqual([1]);
    expect(await relative(`since=${first}`)).toEqual([1, 2]);
  });

  it('is waited for, until there are enough or the time is over', async () => {
    const before = server.control.requests.last();
    const waiting = server.control.requests.wait({ count: 2, endpoint: 'patch-gate' });
    await call('patch-gate', 'dark_mode', {});
    await call('list-segments');
    await call('patch-gate', 'dark_mode', {});
    const expected = { complete: true, requests: [{ number: before + 1 }, { number: before + 3 }] };
    expect(await waiting).toMatchObject(expected);
    const path = `/_reference/v1/requests/wait?count=2&endpoint=patch-gate&since=${before}`;
    expect((await send(path)).json).toMatchObject(expected);
    const none = await send(`/_reference/v1/requests/wait?count=3&timeout=0&since=${before + 1}`);
    expect(none.json).toMatchObject({ complete: false, requests: [{ number: before + 2 }, { number: before + 3 }] });
  });

  it('is told to those who listen, from where they left off, until the server closes', async () => {
    await call('patch-gate', 'dark_mode', {});
    const begun = server.control.requests.last();
    const { body, headers } = await request(`${url}/_reference/v1/requests/stream`, {
      headers: { 'last-event-id': String(begun - 1) },
    });
    expect(headers['content-type']).toContain('text/event-stream');
    let text = '';
    let asked = false;
    for await (const chunk of body) {
      text += String(chunk);
      if (text.includes(`id: ${begun + 1}\n`)) break;
      if (!asked && text.includes(`id: ${begun}\n`)) {
        asked = true;
        await call('list-segments');
      }
    }
    const events = [...text.matchAll(/^event: request\ndata: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    expect(events.map(({ number, endpoint }) => [number, endpoint])).toEqual([
      [begun, 'patch-gate'],
      [begun + 1, 'list-segments'],
    ]);
  });

  it('is no more than what it was cut to, whatever a client sends', async () => {
    const headers = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`X-${index}`, 'v'.repeat(900)]));
    await send(`/console/v1/segments?q=${'q'.repeat(5000)}`, { headers });
    expect(Object.keys(last()?.headers ?? {}).length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(last()).length).toBeLessThan(60_000);
    await call('patch-gate', 'dark_mode', { tags: Array.from({ length: 5000 }, (_, index) => index) });
    expect(last()?.refused?.errors).toHaveLength(10);
  });
});
