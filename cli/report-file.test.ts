import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examples } from '../reports/testing/examples.fixture.ts';
import { reportOf } from '../reports/testing/runs.fixture.ts';
import { conform, folder } from './testing/command.fixture.ts';

/** A journal as version 1 wrote it: with the old names of events and fields. */
const [start, ...events] = examples.failing;
const journal = [{ ...start, version: 1 }, { event: 'original', endpoint: 'patch-gate', body: {} }, ...events];
const report = { ...reportOf(examples.failing), version: 1 };

function written(name: string, ...values: readonly object[]): string {
  const file = join(folder(), name);
  writeFileSync(file, values.map(value => `${JSON.stringify(value)}\n`).join(''));
  return file;
}

describe('a file of another version of the format is refused in one line, with exit code 2', () => {
  // biome-ignore format: a table
  test.each<[command: string, argv: (file: string) => string[], kinds: readonly ('journal' | 'report')[]]>([
    ['report',          file => ['report', file],                                                      ['journal']],
    ['restore',         file => ['restore', file],                                                     ['journal']],
    ['compare',         file => ['compare', file, file],                                               ['journal', 'report']],
    ['replay',          file => ['replay', 'patch-gate/reject', file],                                 ['journal', 'report']],
    ['baseline update', file => ['baseline', 'update', file, '--baseline', join(folder(), 'b.json')],  ['journal', 'report']],
  ])('%s', async (_command, argv, kinds) => {
    for (const kind of kinds) {
      const file = kind === 'journal' ? written('journal.ndjson', ...journal) : written('report.json', report);
      expect(await conform(argv(file))).toEqual({
        code: 2,
        out: '',
        err: `conform: ${file} was written by an older version of console-conformance: its field version is 1, and this one reads 2; run again, or use the older version\n`,
      });
    }
  });

  test('a newer one too', async () => {
    const ended = await conform(['report', written('journal.ndjson', { ...start, version: 3 })]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(/written by a newer version .* its field version is 3, .* use the newer version\n$/);
  });
});
