import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { patientServer } from '../proof/testing/patient-server.ts';
import { testKey } from '../proof/testing/reference-run.ts';
import { longest, skipWaits } from '../proof/testing/skip-waits.ts';
import { targetOf } from '../sut/target.ts';
import { diagnose } from './diagnosis.ts';

/** Returns a diagnosis with `--write` of a server for which `gone` answers some requests, by their number and path. */
async function diagnosedWithout(isGone: (nth: number, path: string) => boolean, gone: RequestListener) {
  onTestFinished(skipWaits());
  let requests = 0;
  const server = createReferenceServer({
    ...patientServer,
    apiKey: testKey,
    decorateListener: inner => (request, response) => {
      requests += 1;
      (isGone(requests, request.url ?? '') ? gone : inner)(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const target = targetOf(referenceTarget(), new URL(url), testKey);
  return diagnose({ target, write: true, timeoutMs: longest, now: () => 0 });
}

const drop: RequestListener = request => void request.socket.destroy();
const unavailable: RequestListener = (_request, response) => void response.writeHead(503).end('{}');

test.each([
  ['while fixtures are read', 10, unavailable],
  ['while fixtures are read, and closes each connection', 10, drop],
  ['before operations are looked at', 33, unavailable],
  ['before operations are looked at, and closes each connection', 33, drop],
])('a target that goes away %s is told as away, and nothing else is', async (_when, from, gone) => {
  const diagnosis = await diagnosedWithout(nth => nth >= from, gone);
  expect(diagnosis.diagnostics).toEqual([
    {
      area: 'reachable',
      state: 'problem',
      text: expect.stringMatching(/^the target went away: it answers no more/),
      remedy: expect.stringContaining('look at its log'),
    },
  ]);
  expect(diagnosis).toMatchObject({ complete: false, provable: [] });
});

test.each([
  ['no answer', drop],
  ['an error of the server', unavailable],
])('the target file is not to be mended where a list gets %s', async (_what, gone) => {
  const { diagnostics } = await diagnosedWithout((_nth, path) => path.includes('/events/'), gone);
  const lost = diagnostics.filter(({ state, text }) => state === 'problem' && text.startsWith('events '));
  expect(lost.length).toBeGreaterThan(0);
  for (const { remedy } of lost) expect(remedy).toContain('look at its log');
});

test('a gate and an operation that get no answer are told as such', async () => {
  const { diagnostics, complete } = await diagnosedWithout((_nth, path) => path.includes('/gates/'), drop);
  expect(diagnostics).toContainEqual({
    area: 'fixtures',
    state: 'note',
    text: expect.stringMatching(/^gates new_checkout: cannot be looked at, for the empty patch got no answer/),
  });
  expect(diagnostics).toContainEqual({
    area: 'operations',
    state: 'problem',
    text: expect.stringMatching(/^patch-gate: no answer/),
  });
  expect(complete).toBe(false);
});
