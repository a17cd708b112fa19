import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpDouble } from '../proof/testing/doubles.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import type { Reply } from '../protocol/reply.ts';
import { createHttpClient } from './client.ts';
import { createDrops } from './drops.ts';

const lost = { failure: { kind: 'dropped', message: 'first' } } as unknown as Reply;
const dropped = { failure: { kind: 'dropped', message: 'alone' } } as unknown as Reply;
const answered = { failure: null, status: 200 } as unknown as Reply;

const whenThere = async () => 'there' as const;

/** Settles requests that lost their connection at once; each gets the given reply when it is sent again. */
const settled = (...again: readonly (Reply | null)[]) => settledWhere('there', ...again);

/** The same, where a look finds the target there or away. */
async function settledWhere(seen: 'there' | 'was-away' | 'away', ...again: readonly (Reply | null)[]) {
  let sent = 0;
  const drops = createDrops(async () => {});
  const resend = (reply: Reply) => async (): Promise<Reply> => {
    sent += 1;
    return reply;
  };
  const ends = await Promise.all(
    again.map(reply =>
      drops.settle({
        reply: lost,
        deservesAnother: false,
        resend: reply === null ? null : resend(reply),
        whenThere: async () => seen,
      }),
    ),
  );
  return { ends, sent };
}

test('what gets no answer alone is the cause, and the others have the answers that they get alone', async () => {
  const { ends } = await settled(answered, dropped, answered, null);
  expect(ends).toEqual([answered, dropped, answered, 'was-away']);
});

test('where all are answered alone, none is known to be the cause, and each keeps its failure', async () => {
  expect((await settled(answered, answered, null)).ends).toEqual([lost, lost, lost]);
});

test('what loses its connection while others are answered is not sent again', async () => {
  expect(await settled(answered)).toEqual({ ends: [lost], sent: 0 });
});

test('where everything is dropped, not everything is sent again', async () => {
  expect((await settled(...Array.from({ length: 8 }, () => dropped))).sent).toBe(3);
});

test('where the target was away and all are answered alone, it was restarted, and the answers count', async () => {
  expect((await settledWhere('was-away', answered, answered, null)).ends).toEqual([answered, answered, 'was-away']);
  expect(await settledWhere('was-away', answered)).toEqual({ ends: [answered], sent: 1 });
  expect((await settledWhere('was-away', dropped)).ends).toEqual([dropped]);
  expect(await settledWhere('away', answered, null)).toEqual({ ends: ['away', 'away'], sent: 0 });
});

test('a target that drops again and again while it is there is still seen to be restarted', async () => {
  const drops = createDrops(async () => {});
  const dropped = { reply: lost, deservesAnother: false, resend: async () => answered };
  for (let turn = 0; turn < 8; turn += 1) expect(await drops.settle({ ...dropped, whenThere })).toBe(lost);
  expect(await drops.settle({ ...dropped, whenThere: async () => 'was-away' })).toBe(answered);
});

test('a connection that was kept alive is no attempt where nobody listens for the next one', async () => {
  const drops = createDrops(async () => {});
  expect(await drops.settle({ reply: lost, deservesAnother: true, resend: async () => answered, whenThere })).toBe(
    answered,
  );
});

test('what is lost later is of another event', async () => {
  let release = (): void => {};
  const drops = createDrops(() => new Promise(resolve => (release = resolve)));
  const first = drops.settle({ reply: lost, deservesAnother: false, resend: async () => dropped, whenThere });
  release();
  expect(await first).toBe(lost);
  const second = drops.settle({ reply: lost, deservesAnother: false, resend: async () => answered, whenThere });
  release();
  expect(await second).toBe(lost);
});

test('a process that dies of one request takes no other with it', async () => {
  onTestFinished(skipWaits());
  const sockets = new Set<Socket>();
  let deaths = 0;
  const { url } = await httpDouble((request, response) => {
    sockets.add(request.socket);
    if (request.url === '/deadly') {
      deaths += 1;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    } else setTimeout(() => response.writeHead(200).end('{}'), 5);
  });
  const http = createHttpClient({ baseUrl: url, timeoutMs: longest, connections: 4 });
  onTestFinished(() => http.close());
  for (let round = 0; round < 3; round += 1) {
    const paths = ['/a', '/deadly', '/b', '/c'];
    const replies = await Promise.all(paths.map(path => http.send({ method: 'GET', path, headers: {} })));
    expect(replies.map(({ status }) => status)).toEqual([200, 0, 200, 200]);
    expect(replies[1]?.failure?.kind).toBe('dropped');
  }
  expect(deaths).toBeLessThan(12);
});
