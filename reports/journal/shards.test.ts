import { describe, expect, test } from 'vitest';
import type { RunEvent, RunStart } from '../../contracts/report/journal.ts';
import { examples } from '../testing/examples.fixture.ts';
import { reportOf, run } from '../testing/runs.fixture.ts';
import { joinedShards } from './shards.ts';

const shard = (index: number, total: number, options: Partial<RunStart['options']> = {}): RunEvent[] =>
  run({}, { shard: { index, total }, ...options }, [
    index === 1 ? 'patch-gate' : index === 2 ? 'list-events' : 'list-segments',
  ]);
const named = (...journals: (readonly RunEvent[])[]) =>
  journals.map((events, index) => ({ name: `shard-${'abcdef'[index]}.ndjson`, events }));
const started = (events: readonly RunEvent[], change: Partial<RunStart>): RunEvent[] => [
  { ...(events[0] as RunStart), ...change },
  ...events.slice(1),
];

describe('joining shards', () => {
  test('gives the run that was divided, in whatever order they come', () => {
    const [a, b, c] = [shard(1, 3), shard(2, 3), shard(3, 3)];
    const joined = reportOf(joinedShards(named(c, a, b)));
    expect(joined).toEqual(reportOf(joinedShards(named(a, b, c))));
    expect(joined.options).not.toHaveProperty('shard');
    expect(joined.endpoints.map(one => one.id)).toEqual(['patch-gate', 'list-segments', 'list-events']);
    expect(joined).toMatchObject({ verdict: 'conformant', exitCode: 0, stats: { requests: 3 * 840 } });
  });

  test('a shard that was cut off leaves the whole cut off', () => {
    const joined = reportOf(joinedShards(named(shard(1, 2), shard(2, 2).slice(0, -1))));
    expect(joined).toMatchObject({ truncated: true, verdict: 'incomplete', exitCode: 3 });
  });

  test('one journal is what it is, a shard too', () => {
    expect(joinedShards(named(examples.green))).toEqual(examples.green);
    expect(reportOf(joinedShards(named(shard(1, 3)))).options.shard).toEqual({ index: 1, total: 3 });
  });

  // biome-ignore format: a table
  test.each<[says: RegExp, ...journals: (readonly RunEvent[])[]]>([
    [/missing: shard 2\/3;/,                                       shard(1, 3), shard(3, 3)],
    [/missing: shard 1\/4, shard 4\/4;/,                           shard(2, 4), shard(3, 4)],
    [/shard 1\/2 is there twice: shard-a.* and shard-b/,           shard(1, 2), shard(1, 2)],
    [/shard-b\.ndjson is a run of its own/,                        shard(1, 2), run({})],
    [/shard-b.* another run than shard-a.*: another number of shards/, shard(1, 2), shard(2, 3)],
    [/another seed/,                                               shard(1, 2), started(shard(2, 2), { seed: 7 })],
    [/another profile/,                                            shard(1, 2), started(shard(2, 2), { profile: 'quick' })],
    [/another target/,                                             shard(1, 2), started(shard(2, 2), { target: { baseUrl: 'http://b.test', embedded: false } })],
    [/another --strict/,                                           shard(1, 2), shard(2, 2, { strict: true })],
    [/another --read-only/,                                        shard(1, 2), shard(2, 2, { readOnly: true })],
    [/another --only/,                                             shard(1, 2), shard(2, 2, { only: ['patch-gate'] })],
  ])('refuses what is not one run: %s', (says, ...journals) => {
    expect(() => joinedShards(named(...journals))).toThrow(says);
  });

  test('embedded servers have a port each, and are one target', () => {
    const embedded = (events: readonly RunEvent[], port: number) =>
      started(events, { target: { baseUrl: `http://127.0.0.1:${port}`, embedded: true } });
    expect(() => joinedShards(named(embedded(shard(1, 2), 1), embedded(shard(2, 2), 2)))).not.toThrow();
  });
});
