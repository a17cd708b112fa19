import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProgress, readRows, staleIds, staleness, writeRows } from './rows.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conform-rows-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const present = [
  { id: 'kept', hash: '1' },
  { id: 'changed', hash: '2' },
  { id: 'new', hash: '3' },
];

describe('noted rows', () => {
  it('are stale where what they were measured with is another now, or where there is no row or no note', () => {
    const noted = { kept: { hash: '1' }, changed: { hash: 'before' }, gone: { hash: '4' } };
    expect(staleIds(present, noted)).toEqual(['changed', 'new', 'gone']);
    expect(staleIds(present, { kept: { hash: '1' }, changed: { hash: '2' }, new: { hash: '3' } })).toEqual([]);
  });

  it('name the command that renews them', () => {
    expect(staleness('dialects', [])).toBe('');
    expect(staleness('dialects', ['one'])).toBe(
      'dialects: one changed since it was proven: npm run prove -- --changed',
    );
    expect(staleness('dialects', ['one', 'two'])).toContain('one and 1 more changed');
  });

  it('are read as they were written, a line each', () => {
    const file = pathToFileURL(join(folder, 'rows.json'));
    expect(readRows(file)).toEqual({});
    const rows = { a: { hash: '1', differs: ['x'] }, b: { hash: '2', differs: [] } };
    writeRows(file, rows);
    expect(readRows(file)).toEqual(rows);
  });
});

describe('a round that was interrupted', () => {
  it('goes on after the rows that it has measured with what there is now', () => {
    const file = join(folder, 'deep', 'progress.ndjson');
    const first = openProgress(file, present);
    expect(first.rows).toEqual({});
    first.add('kept', { hash: '1' });
    first.add('changed', { hash: 'before' });
    expect(openProgress(file, present).rows).toEqual({ kept: { hash: '1' } });
  });

  it('leaves out what a process that was killed wrote by halves, and is forgotten at its end', () => {
    const file = join(folder, 'progress.ndjson');
    const progress = openProgress(file, present);
    progress.add('kept', { hash: '1' });
    appendFileSync(file, '["new",{"ha');
    expect(openProgress(file, present).rows).toEqual({ kept: { hash: '1' } });
    progress.end();
    expect(openProgress(file, present).rows).toEqual({});
  });
});
