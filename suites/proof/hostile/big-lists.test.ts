import { expect, test } from 'vitest';
import { endpointRow } from '../../../contracts/endpoints.ts';
import type { Collections } from '../../../reference-server/entities.ts';
import type { Store } from '../../../reference-server/index.ts';
import { checksThat, recordedRun } from '../testing/reference-run.ts';

type Segment = Collections['segments'];

/** Runs the suite over the segments of a server that lists changed ones. */
function runOver(change: (segments: readonly Segment[]) => readonly Segment[]) {
  let changed: readonly Segment[] | undefined;
  const list = (store: Store): Store['list'] =>
    (async (collection: keyof Collections) => {
      const items = await store.list(collection);
      if (collection !== 'segments') return items;
      changed ??= change(items as readonly Segment[]);
      return changed;
    }) as Store['list'];
  return recordedRun({
    only: ['list-segments/*'],
    run: { profile: 'standard' },
    server: {
      decorate: (id, handler) => (request, store, settings) =>
        handler(request, endpointRow(id).resource === 'segment' ? { ...store, list: list(store) } : store, settings),
    },
  });
}

const copies = (segments: readonly Segment[], length: number): readonly Segment[] =>
  Array.from({ length }, (_, index) => ({ ...(segments[index % segments.length] as Segment), id: `segment_${index}` }));

test('a list of 6,000 items is judged whole, with few requests', async () => {
  const record = await runOver(segments => copies(segments, 6_000));
  expect(record.verdicts.get('list-segments')).toBe('conformant');
  expect(checksThat(record, 'untested')).toEqual([]);
  expect(record.seen.length).toBeLessThan(300);
});

test('a list of items with 4,000 values each is judged whole, though some pages are too long to be read', async () => {
  const values = Array.from({ length: 4_000 }, (_, index) => `value ${index}`);
  const condition = { type: 'user_id', operator: 'any', field: 'id', customID: '', targetValue: values };
  const rules = { name: 'all', passPercentage: 100, conditions: [condition], returnValue: {} };
  const record = await runOver(segments =>
    copies(segments, 40).map(segment => ({ ...segment, type: 'rule_based', rules }) as unknown as Segment),
  );
  expect(record.verdicts.get('list-segments')).toBe('conformant');
  expect(checksThat(record, 'untested')).toEqual([]);
});
