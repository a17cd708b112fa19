import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Means, round, type Which } from './round.ts';
import { readRows, writeRows } from './rows.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conform-round-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a round over three rows. `outcome` returns the result of each, or throws to interrupt the round. */
async function roundOf(which: Which, outcome: (id: string) => object) {
  const file = pathToFileURL(join(folder, 'rows.json'));
  const told: string[] = [];
  const measured: string[] = [];
  const measureAll: Means['measureAll'] = async (_name, ids, onResult) => {
    for (const id of ids) {
      const result = outcome(id);
      measured.push(id);
      onResult(id, result);
    }
  };
  const catalogue = { name: 'rows', file, present: () => ['a', 'b', 'c'].map(id => ({ id, hash: `${id} now` })) };
  const means = { measureAll, progressAt: join(folder, 'progress') };
  const wrong = await round(catalogue, which, line => void told.push(line), means).catch(() => 'interrupted');
  return { wrong, told, measured, rows: readRows(file) };
}

const fine = (id: string) => ({ noted: { worth: id }, problems: [] });

test('a round notes every row with its hash', async () => {
  const { wrong, rows } = await roundOf('all', fine);
  expect(wrong).toBe(0);
  expect(rows).toEqual({
    a: { hash: 'a now', worth: 'a' },
    b: { hash: 'b now', worth: 'b' },
    c: { hash: 'c now', worth: 'c' },
  });
});

test('a round that is interrupted goes on with what it has not measured', async () => {
  const first = await roundOf('all', id => {
    if (id === 'c') throw new Error('killed');
    return fine(id);
  });
  expect(first).toMatchObject({ wrong: 'interrupted', measured: ['a', 'b'], rows: {} });
  const second = await roundOf('all', fine);
  expect(second.measured).toEqual(['c']);
  expect(Object.keys(second.rows)).toEqual(['a', 'b', 'c']);
  // A completed round starts from the beginning.
  expect((await roundOf('all', fine)).measured).toEqual(['a', 'b', 'c']);
});

test('only what changed is measured where that is asked for, and what is noted of the rest stays', async () => {
  const noted = { a: { hash: 'a now', worth: 'old' }, b: { hash: 'b before', worth: 'old' }, gone: { hash: '' } };
  writeRows(pathToFileURL(join(folder, 'rows.json')), noted);
  const { measured, rows } = await roundOf('changed', fine);
  expect(measured).toEqual(['b', 'c']);
  expect(rows).toEqual({
    a: { hash: 'a now', worth: 'old' },
    b: { hash: 'b now', worth: 'b' },
    c: { hash: 'c now', worth: 'c' },
  });
});

test('a row of which something is wrong is told, and loses its note', async () => {
  await roundOf('all', fine);
  const { wrong, told, rows } = await roundOf('all', id => (id === 'b' ? { problems: ['it is accused'] } : fine(id)));
  expect(wrong).toBe(1);
  expect(told).toContain('  b: it is accused');
  expect(Object.keys(rows)).toEqual(['a', 'c']);
});
