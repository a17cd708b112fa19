import { describe, expect, it } from 'vitest';
import type { LeftBehind } from '../../../contracts/report/journal.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import { fixtures, type Snapshot } from '../../../reference-server/index.ts';
import type { RunRecord } from '../testing/reference-run.ts';
import { damage } from './state.fixture.ts';

const before = fixtures(specificationNaming);
const left = (endpoint: LeftBehind['endpoint'], id: string, what: string, count?: number): LeftBehind => ({
  event: 'left-behind',
  endpoint,
  kind: 'entity',
  id,
  what,
  ...(count !== undefined && { count }),
});
const found = (after: Partial<Snapshot>, events: readonly LeftBehind[] = [], changes: readonly string[] = []) =>
  damage({ events, before, after: { ...before, ...after } } as unknown as RunRecord, changes);

const gatesWith = (more: object): Partial<Snapshot> => ({
  gates: before.gates.map(([id, gate]) => [id, id === 'dark_mode' ? { ...gate, ...more } : gate]),
});
const [, model] = before.metrics[0] as Snapshot['metrics'][number];
const metricsWith = (...names: readonly string[]): Partial<Snapshot> => ({
  metrics: [...before.metrics, ...names.map(name => [`${name}::sum`, { ...model, name }] as const)],
});

describe('the damage of a run', () => {
  it('is every member that is not as it was', () => {
    expect(found({})).toEqual([]);
    expect(found(gatesWith({ description: 'x' }))).toEqual([
      'gates/dark_mode/description: was "Offers the dark theme.", is "x"',
    ]);
    expect(found(gatesWith({ more: true }))).toEqual(['gates/dark_mode/more: was absent, is true']);
  });

  it('is no stamp, and no other order of a set', () => {
    expect(found(gatesWith({ version: 99, lastModifiedTime: 1, lastModifierID: 'x' }))).toEqual([]);
    const tagged = before.gates.map(([id, gate]) => [id, { ...gate, tags: [...(gate.tags ?? [])].reverse() }] as const);
    expect(found({ gates: tagged })).toEqual([]);
  });

  it('is not what others changed', () => {
    expect(found(gatesWith({ checksPerHour: 1 }), [], ['gates/*/checksPerHour'])).toEqual([]);
    expect(found(gatesWith({ checksPerHour: 1 }), [], ['gates/audit_log'])).toHaveLength(1);
  });

  it('is not what the run told, of that entity and that member', () => {
    const told = [left('patch-gate', 'dark_mode', 'team, teamID as last sent: nobody knows')];
    expect(found(gatesWith({ teamID: 'x' }), told)).toEqual([]);
    expect(found(gatesWith({ idType: 'x' }), told)).toHaveLength(1);
    expect(found(gatesWith({ teamID: 'x' }), [left('patch-gate', 'audit_log', 'teamID')])).toHaveLength(1);
  });

  it('is a creation that the run did not tell, or did not count', () => {
    const told = left('create-metric', 'conform_test_*', 'created', 2);
    expect(found(metricsWith('conform_test_1', 'conform_test_2'), [told])).toEqual([]);
    expect(found(metricsWith('conform_test_1'), [told])).toEqual(['create-metric: left 1, told 2']);
    expect(found(metricsWith('conform_test_1', 'other'), [told])).toHaveLength(1);
    expect(found(metricsWith('conform_test_1'), [], ['metrics'])).toEqual([]);
  });
});
