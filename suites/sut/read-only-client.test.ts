import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { httpDouble } from '../proof/testing/doubles.ts';
import { heldLimits } from '../proof/testing/held-limits.ts';
import { testKey } from '../proof/testing/reference-run.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import { RunStopped } from '../protocol/stop.ts';
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

/** Reads both plain lists of a target, then an event's list more often than anybody would from one that is gone. */
async function readingOn(gone: RequestListener, isGone: (url: string) => boolean) {
  let answered = 0;
  let requests = 0;
  const { url } = await httpDouble((request, response) => {
    requests += 1;
    if (answered < 2 || !isGone(request.url ?? '')) {
      answered += 1;
      response.end('{}');
    } else gone(request, response);
  });
  const client = openReadOnlyClient(targetOf({}, url, testKey), 'reads', longest);
  onTestFinished(() => client.close());
  await client.send({ endpoint: 'list-segments' });
  await client.send({ endpoint: 'list-qualifying-events' });
  const read = () => client.send({ endpoint: 'list-events', param: 'an_event' });
  const reading = async (): Promise<void> => {
    for (let nth = 1; nth <= 8; nth += 1) await read();
  };
  return { read, error: await reading().catch((error: unknown) => error), requests: () => requests };
}

/** Expects that the client said why it ended, and that it sends nothing more. */
async function expectEnded({ read, error, requests }: Awaited<ReturnType<typeof readingOn>>): Promise<void> {
  expect(error).toBeInstanceOf(RunStopped);
  expect(error).toMatchObject({
    reason: 'unreachable',
    message: expect.stringMatching(/^the target went away: it answers no more/),
    remedy: expect.stringContaining('look at its log'),
  });
  const before = requests();
  await expect(read()).rejects.toBe(error);
  expect(requests()).toBe(before);
}

const drop: RequestListener = request => void request.socket.destroy();

test.each<[string, RequestListener]>([
  ['closes each connection', drop],
  ['is behind a gateway that answers for it', (_request, response) => void response.writeHead(502).end()],
])('a target that went away and %s ends all reading', async (_what, gone) => {
  onTestFinished(skipWaits());
  await expectEnded(await readingOn(gone, () => true));
});

test('a target that went silent ends all reading after three requests and one look', async () => {
  const limits = heldLimits();
  onTestFinished(limits.release);
  const ended = await readingOn(limits.hold, () => true);
  // Two answered, three in a row that were not, and two reads at once to see whether it answers anything.
  expect(ended.requests()).toBe(7);
  await expectEnded(ended);
});

test('one operation that gets no answer does not end the reading of a target that is there', async () => {
  onTestFinished(skipWaits());
  const { read, error } = await readingOn(drop, url => url.includes('/events/'));
  expect(error).toBeUndefined();
  expect(await read()).toMatchObject({ reply: { failure: { kind: 'dropped' } } });
});
