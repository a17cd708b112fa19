import { expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { run } from '../engine/run.ts';
import { targetOf } from './target.ts';
import { traceparent } from './wire-request.ts';

const apiKey = 'the-key-of-these-tests';

/** Runs briefly against a server that records every request, and may refuse it first. */
async function traced(trace: boolean, refuses: (header: string | undefined) => boolean = () => false) {
  const { createServer } = await import('node:http');
  const reference = createReferenceServer({ apiKey });
  const handle = reference.app.callback();
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const header = request.headers.traceparent as string | undefined;
    seen.push(header);
    if (!refuses(header)) return handle(request, response);
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"what is that?"}');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const events: RunEvent[] = [];
  const target = targetOf(referenceTarget(), new URL(`http://127.0.0.1:${port}`), apiKey);
  await run(
    {
      target,
      trace,
      token: '0badcafe',
      profile: 'quick',
      selection: { only: ['list-segments', 'patch-gate'], skip: [] },
    },
    event => void events.push(event),
  );
  server.closeAllConnections();
  await new Promise(done => server.close(done));
  await reference.close();
  return { seen, events };
}

test('is of the case and of the request, in the form of the standard, and of no other run', () => {
  const [first, second, other] = ['a/b#0', 'a/b#0.2', 'a/b#1'].map(id => traceparent('0badcafe', id));
  expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(first?.slice(0, 35)).toBe(second?.slice(0, 35));
  expect(first).not.toBe(second);
  expect(other?.slice(0, 35)).not.toBe(first?.slice(0, 35));
  expect(traceparent('feedface', 'a/b#0')).not.toBe(first);
});

test('goes with every request', async () => {
  const { seen, events } = await traced(true);
  expect(seen.filter(header => !/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(header ?? ''))).toEqual([]);
  expect(events.flatMap(event => (event.event === 'check-end' && event.verdict === 'fail' ? [event.id] : []))).toEqual(
    [],
  );
});

test('a target that does not bear it is told once, and accused of nothing', async () => {
  const { seen, events } = await traced(true, header => header !== undefined);
  expect(seen.filter(header => header !== undefined).length).toBeLessThan(5);
  const notices = events.flatMap(event => (event.event === 'notice' ? [event.text] : []));
  expect(notices.filter(text => text.includes('traceparent'))).toHaveLength(1);
  const accused = events.flatMap(event => (event.event === 'check-end' && event.findings.length > 0 ? [event.id] : []));
  expect(accused).toEqual([]);
});

test('is left out where nobody asks for it', async () => {
  expect((await traced(false)).seen.filter(header => header !== undefined)).toEqual([]);
});
