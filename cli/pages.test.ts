import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../contracts/report/journal.ts';
import { examples } from '../reports/testing/examples.fixture.ts';
import { reportOf } from '../reports/testing/runs.fixture.ts';
import { conform, folder } from './testing/command.fixture.ts';

/** Writes a run into a folder, as a report and a journal, or as a journal only. */
function put(place: string, events: readonly RunEvent[], as: 'report' | 'journal' = 'report'): void {
  mkdirSync(place, { recursive: true });
  if (as === 'report') writeFileSync(join(place, 'report.json'), JSON.stringify(reportOf(events)));
  const lines = events.map(event => `${JSON.stringify(event)}\n`).join('');
  writeFileSync(join(place, 'journal.ndjson'), lines);
}

test('badge prints the badge of a report or a journal, or writes it to a file', async () => {
  const place = folder();
  put(place, examples.green);
  const printed = await conform(['badge', join(place, 'report.json')]);
  expect(printed).toMatchObject({ code: 0, err: '' });
  expect(printed.out).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect((await conform(['badge', join(place, 'journal.ndjson')])).out).toContain('Console API: conformant');
  const file = join(place, 'docs', 'conformance.svg');
  expect(await conform(['badge', join(place, 'report.json'), '--out', file])).toMatchObject({ code: 0, out: '' });
  expect(readFileSync(file, 'utf8')).toBe(printed.out);
  expect((await conform(['badge', join(place, 'none.json')])).code).toBe(2);
});

describe('site', () => {
  test('writes the pages of all runs under some folders; a journal beside its report is the same run', async () => {
    const place = folder();
    put(join(place, 'gateway', '1'), examples.green);
    put(join(place, 'gateway', '2'), examples.failing);
    put(join(place, 'replica'), examples.interrupted, 'journal');
    const out = join(place, 'site');
    const named = `The replica=${join(place, 'replica')}`;
    const written = await conform(['site', join(place, 'gateway'), named, '--out', out, '--title', 'Console']);
    expect(written).toMatchObject({ code: 0, err: '' });
    expect(written.out).toContain('2 implementations, 3 runs');
    expect(readdirSync(out).sort()).toEqual(['gateway.html', 'index.html', 'style.css', 'the-replica.html']);
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<span class="first">Console</span></h1>');
  });

  test('leaves out what is no report of this version, says so, and goes on', async () => {
    const place = folder();
    put(join(place, 'a'), examples.green);
    mkdirSync(join(place, 'b'));
    writeFileSync(join(place, 'b', 'report.json'), '{"version": 1}');
    const written = await conform(['site', place, '--out', join(place, 'site')]);
    expect(written.code).toBe(0);
    expect(written.err).toMatch(/^left out: .*older version/);
  });

  test('is refused for a folder without runs, one that is not there, and two of one name', async () => {
    const place = folder();
    put(join(place, 'x', 'runs'), examples.green);
    put(join(place, 'y', 'runs'), examples.green);
    const out = ['--out', join(place, 'site')];
    const refused = async (...folders: string[]) => (await conform(['site', ...folders, ...out])).err;
    expect(await refused(folder())).toContain('holds no report.json');
    expect(await refused(join(place, 'none'))).toContain('cannot read the folder');
    expect(await refused(join(place, 'x', 'runs'), join(place, 'y', 'runs'))).toContain('NAME=DIR');
  });
});
