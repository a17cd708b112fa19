import { expect, onTestFinished, test } from 'vitest';
import { type EndpointId, endpointIds } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import type { TargetFile } from '../../contracts/target.ts';
import { createReferenceServer, type ReferenceServerOptions, referenceTarget } from '../../reference-server/index.ts';
import { answeringOtherwise, demanding, refusing } from '../proof/premise/demanding.fixture.ts';
import { patientServer } from '../proof/testing/patient-server.ts';
import { targetOf } from '../sut/target.ts';
import { diagnose } from './diagnosis.ts';

/** Returns what a diagnosis with `--write` says of a server's operations, and what it left behind, by kind. */
async function told(options: ReferenceServerOptions, file: TargetFile = referenceTarget(), write = true) {
  const server = createReferenceServer({ ...patientServer, apiKey: 'key', ...options });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const kept = async () => {
    const { metrics, prompts, qualifyingEvents, experiments, environments, configs } =
      (await server.store.snapshot()) as unknown as Record<string, unknown>;
    return JSON.stringify({ metrics, prompts, qualifyingEvents, experiments, environments, configs });
  };
  const before = await kept();
  const target = targetOf(file, new URL(url), 'key');
  const diagnosis = await diagnose({ target, write, timeoutMs: 600_000, now: () => 0 });
  const problems = diagnosis.diagnostics.filter(({ state }) => state === 'problem');
  return { ...diagnosis, problems, texts: problems.map(({ text }) => text), isUnchanged: (await kept()) === before };
}

test.each<[EndpointId, string, string]>([
  ['create-metric', 'tags', '4.9'],
  ['update-qualifying-event', 'description', '4.3'],
])('%s that demands %s is told with both remedies, and nothing stays', async (endpoint, field, section) => {
  const { problems, provable, complete, isUnchanged } = await told(demanding(endpoint, field));
  expect(problems).toMatchObject([
    {
      area: 'operations',
      text: `${endpoint}: status 422: "Invalid request."; accepted with ${field}`,
      remedy: `section ${section} does not require ${field}; a service that demands it says so in its target file, "requires": { "${endpoint}": ["${field}"] }`,
    },
  ]);
  expect([provable.length, complete, isUnchanged]).toEqual([endpointIds.length, false, true]);
});

test('what the target file says that the service demands goes with its dry runs', async () => {
  const file = { ...referenceTarget(), requires: { 'create-metric': ['tags'], 'patch-gate': ['description'] } };
  expect((await told(demanding('create-metric', 'tags'), file)).texts).toEqual([]);
});

test('an operation that accepts nothing is untested, with what was tried', async () => {
  const { problems, provable } = await told(refusing('create-metric', () => true));
  expect(problems).toMatchObject([
    { text: expect.stringMatching(/^create-metric: of its dry runs, the minimal request was refused .*others/) },
  ]);
  expect(provable).not.toContain('create-metric');
});

test.each(endpointIds)('%s that is answered with 405 is told as not served, and nothing else is', async endpoint => {
  const { texts, provable, isUnchanged } = await told(answeringOtherwise(one => one === endpoint, 405));
  expect(texts).toContain(`${endpoint}: not served (status 405: "Method not allowed.")`);
  expect(texts.filter(text => /served/.test(text))).toHaveLength(1);
  expect(provable).not.toContain(endpoint);
  expect(isUnchanged).toBe(true);
});

test('an operation that is answered like an unknown path is told as such, where others tell ids from paths', async () => {
  const gone: readonly EndpointId[] = ['disable-gate', 'update-experiment', 'list-events', 'update-environments'];
  const { texts, provable } = await told(answeringOtherwise(one => gone.includes(one), 404));
  const like =
    'probably not served, because it answers as it answers unknown paths (status 404: "There is no such path.")';
  expect(new Set(texts)).toEqual(
    new Set([
      'update-environments: not served (status 404: "There is no such path.")',
      ...gone.filter(one => one !== 'update-environments').map(one => `${one}: ${like}`),
    ]),
  );
  expect(provable).toEqual(endpointIds.filter(id => !gone.includes(id)));
});

test('without leave to write only what reads is looked at, and the others are named', async () => {
  const { texts, diagnostics } = await told(
    answeringOtherwise(id => /event/.test(id), 405),
    referenceTarget(),
    false,
  );
  expect(texts.filter(text => /not served/.test(text)).map(text => text.split(':')[0])).toEqual([
    'list-qualifying-events',
    'list-event-metrics',
    'list-events',
  ]);
  expect(diagnostics.find(({ state, area }) => state === 'note' && area === 'operations')?.text).toMatch(
    /without a change \(--write .*\): .*create-metric/,
  );
});

test('a server that keeps what was a dry run is told, and sent no more of them', async () => {
  let kept = 0;
  const { texts } = await told({
    decorateOperation: (id, handler) => async (request, store, settings) => {
      if (id !== 'create-metric') return handler(request, store, settings);
      const { dryRun, ...body } = membersOf(request.body);
      if (!Object.hasOwn(body, 'tags')) return { status: 422, body: { message: 'Invalid request.' } as never };
      kept += 1;
      return handler({ ...request, body: body as never }, store, settings);
    },
  });
  expect(texts).toEqual(['create-metric: it keeps what was sent as a dry run, which nothing may keep (section 4.9)']);
  expect(kept).toBe(1);
});

test.each(['key-not-for-metrics', 'empty-patch-refused'])('no correct server is said to be half done: %s', async id => {
  const { texts } = await told({ dialects: [id] });
  expect(texts.filter(text => /served|accepted with|keeps/.test(text))).toEqual([]);
});
