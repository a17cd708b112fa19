import { expect, test } from 'vitest';
import type { RunEvent } from '../../../contracts/report/journal.ts';
import { createReferenceServer, referenceTarget } from '../../../reference-server/index.ts';
import { diff, OneBackend } from '../../diff/index.ts';
import { targetOf } from '../../sut/target.ts';
import { patientServer } from '../testing/patient-server.ts';
import { testKey } from '../testing/reference-run.ts';
import { watchedRun } from '../testing/watched-run.ts';
import { compared } from './compared.fixture.ts';

const gates = { only: ['patch-gate', 'disable-gate'] } as const;
const labelled = ({ comparison }: Awaited<ReturnType<typeof compared>>): string[] => [
  ...new Set(comparison.places.map(({ label, requirement = '-' }) => `${label} ${requirement}`)),
];

test('two servers that are alike differ in nothing, and both are put back', async () => {
  const servers = [
    createReferenceServer({ ...patientServer, apiKey: testKey }),
    createReferenceServer({ ...patientServer, apiKey: testKey }),
  ];
  const before = await Promise.all(servers.map(server => server.store.snapshot()));
  const events: RunEvent[] = [];
  const [a, b] = await Promise.all(
    servers.map(async server => ({
      target: targetOf(referenceTarget(), new URL((await server.listen()).url), server.apiKey),
      emit: (event: RunEvent) => void events.push(event),
    })),
  );
  if (a === undefined || b === undefined) throw new Error('there are two servers');
  const run = { profile: 'quick', settleMs: 0, selection: { only: ['patch-gate'], skip: [] } } as const;
  const { comparison, ...ends } = await diff({ a, b, run, noiseRuns: 1, sameStart: true });
  expect(comparison).toMatchObject({ places: [], notCompared: [], shared: [] });
  expect(comparison.compared).toBeGreaterThan(50);
  expect([ends.a.outcome, ends.b.outcome]).toEqual(['complete', 'complete']);
  expect(events.filter(({ event }) => event === 'run-end')).toHaveLength(4);
  const after = await Promise.all(servers.map(server => server.store.snapshot()));
  const settings = (snapshot: (typeof after)[number]) =>
    snapshot.gates.map(([id, gate]) => [
      id,
      Object.entries(gate).filter(([name]) => name !== 'version' && !name.startsWith('lastModif')),
    ]);
  expect(after.map(settings)).toEqual(before.map(settings));
  await Promise.all(servers.map(server => server.close()));
});

test('one that breaks a clause is named, on the side on which it stands', async () => {
  const broken = { faults: ['gate-blanks-collapsed'] };
  expect(labelled(await compared({ b: broken, ...gates }))).toContain('b-breaks echo.sent-field');
  const swapped = labelled(await compared({ a: broken, ...gates }));
  expect(swapped).toContain('a-breaks echo.sent-field');
  expect(swapped.filter(line => line.startsWith('b-'))).toEqual([]);
});

test('what is left to servers is put to nobody, and shown by the smallest request', async () => {
  const { comparison } = await compared({ b: { dialects: ['refusals-422'] }, ...gates });
  expect([...new Set(comparison.places.map(({ label, requirement }) => `${label} ${requirement}`))]).toEqual([
    'open open.error-status',
  ]);
  for (const { example, a, b } of comparison.places) {
    expect([a, b]).toEqual(['status 400', 'status 422']);
    expect(example.steps).toHaveLength(1);
    expect(example.steps[0]).toMatchObject({ a: { status: 400 }, b: { status: 422 } });
  }
});

test('two addresses of one server are no two servers, and the gate that told it is put back', async () => {
  const server = createReferenceServer({ ...patientServer, apiKey: testKey });
  const { url } = await server.listen();
  const side = () => ({ target: targetOf(referenceTarget(), new URL(url), testKey), emit: () => undefined });
  const before = await server.store.snapshot();
  const run = { profile: 'quick', settleMs: 0, selection: { only: ['patch-gate'], skip: [] } } as const;
  await expect(diff({ a: side(), b: side(), run, noiseRuns: 0, sameStart: false })).rejects.toThrow(OneBackend);
  const described = ({ gates: all }: typeof before) =>
    all.map(([, gate]) => (gate as { description?: string }).description);
  expect(described(await server.store.snapshot())).toEqual(described(before));
  await server.close();
});

test('a side that dies differs in nothing by it, and nothing that differed before is sent to it again', async () => {
  const dying = createReferenceServer({ ...patientServer, apiKey: testKey, dialects: ['refusals-422'] });
  const living = createReferenceServer({ ...patientServer, apiKey: testKey });
  let answered = 0;
  const [a, b] = await Promise.all(
    [living, dying].map(async server => ({
      target: targetOf(referenceTarget(), new URL((await server.listen()).url), testKey),
      emit(event: RunEvent) {
        if (server === dying && event.event === 'check-end' && ++answered === 3) void dying.close();
      },
    })),
  );
  if (a === undefined || b === undefined) throw new Error('there are two servers');
  const run = {
    profile: 'quick',
    settleMs: 0,
    timeoutMs: 2_000,
    selection: { only: ['patch-gate'], skip: [] },
  } as const;
  const outcome = await diff({ a, b, run, noiseRuns: 0, sameStart: true });
  expect(outcome.b.outcome).not.toBe('complete');
  expect(outcome.comparison.places.filter(({ requirement }) => requirement !== 'open.error-status')).toEqual([]);
  expect(outcome.comparison.notCompared.length).toBeGreaterThan(0);
  await living.close();
});

test('a recording stands for the server that it was made of', async () => {
  const { recording: recorded } = await watchedRun({ only: [...gates.only], run: { profile: 'quick', settleMs: 50 } });
  const server = createReferenceServer({ ...patientServer, apiKey: testKey, dialects: ['refusals-422'] });
  const { url } = await server.listen();
  const b = { target: targetOf(referenceTarget(), new URL(url), testKey), emit: () => undefined };
  const run = { profile: 'quick', settleMs: 1, selection: { only: [...gates.only], skip: [] } } as const;
  const phases: string[] = [];
  const onPhase = (what: string) => void phases.push(what);
  const { comparison } = await diff({ a: recorded, b, run, noiseRuns: 1, sameStart: true, onPhase });
  expect([...new Set(comparison.places.map(place => place.requirement))]).toEqual(['open.error-status']);
  // A lagging replica would show the second run what the first has already restored, so that it would be restored
  // twice.
  expect(phases).toEqual([
    'B, to see what differs from itself (1 of 1)',
    'waiting until what was put back shows everywhere',
    'B, against the recording',
  ]);
  await server.close();
});

test('that which sends GET alone compares what GET shows', async () => {
  const { comparison } = await compared({
    b: { dialects: ['extra-members'] },
    only: ['list-segments', 'patch-gate'],
    run: { readOnly: true },
  });
  expect(new Set(comparison.places.map(({ endpoint }) => endpoint))).toEqual(new Set(['list-segments']));
  expect(new Set(comparison.places.map(({ label }) => label))).toEqual(new Set(['unsaid']));
});
