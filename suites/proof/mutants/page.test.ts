import { expect, test } from 'vitest';
import { mutantsPage } from './page.fixture.ts';
import { isCounted, isFound, noted, type Row, reasons } from './rows.ts';

const row = (judgement: Row['judgement'], kind: Row['kind'] = 'answer'): Row => ({
  server: 'reference',
  kind,
  title: 'a change',
  judgement,
});

test('the score leaves out what is equivalent, not stated, or no mutant', () => {
  const rows = {
    a: row('found'),
    b: row('hangs'),
    c: row('silent'),
    d: row('silent'),
    e: row('never differs'),
    f: row('does not start'),
  };
  const why = { c: { class: 'missed', why: 'one' }, d: { class: 'equivalent', why: 'two' } } as const;
  expect(mutantsPage({ sample: { seed: 1, count: 6 }, rows }, why)).toContain(
    '| all | 4 | 2 | 1 | 0 | 1 | 0 | 66.7 % |',
  );
});

test('a request that nobody sends is a mutant, and survives', () => {
  expect(isCounted(row('never differs', 'request'))).toBe(true);
  expect(isFound(row('never differs', 'request'))).toBe(false);
});

test('each survivor has a class and a reason, and there is none of another', () => {
  const survivors = Object.entries(noted().rows).filter(([, one]) => isCounted(one) && !isFound(one));
  expect(Object.keys(reasons()).sort()).toEqual(survivors.map(([id]) => id).sort());
  for (const { class: one, because } of Object.values(reasons())) expect(because === undefined).toBe(one !== 'missed');
});
