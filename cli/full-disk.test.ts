import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examples } from '../reports/testing/examples.fixture.ts';
import { reportOf } from '../reports/testing/runs.fixture.ts';
import { conform, folder } from './testing/command.fixture.ts';
import { started } from './testing/process.fixture.ts';
import { scene } from './testing/scene.fixture.ts';

const gates = ['--only', 'patch-gate/{accepts,rejects}'];
/** Enough that something must be restored, and something is printed. */
const few = ['--only', 'patch-gate/accepts'];

/** Makes a file to which nothing can be written. */
function full(path: string): string {
  symlinkSync('/dev/full', path);
  return path;
}

describe('the journal', () => {
  test('cannot be written: told before anything is sent, with exit code 2', async () => {
    const { argv, out, requests } = await scene();
    const running = started(argv, { blocks: 0 });
    expect(await running.ended).toBe(2);
    expect(running.err()).toBe(`conform: cannot write ${out} (EFBIG); choose another place with --out\n`);
    expect(requests()).toBe(0);
  });

  test('fills the disk in the middle: the target is put back, and what was written can be rendered', async () => {
    let blocks = Number.POSITIVE_INFINITY;
    let owed = 0;
    const isFull = () => statSync(place.journal).size === blocks * 512;
    const place = await scene((_nth, listener) => async (request, response) => {
      if (isFull()) owed = Math.max(owed, (await place.changed()).length);
      listener(request, response);
    });
    const { argv, journal, changed } = place;
    // A whole run shows how long the journal is once gates have been written to.
    await conform([...argv, ...gates]);
    const whole = readFileSync(journal, 'utf8');
    blocks = Math.ceil(whole.indexOf('"check-start","id":"patch-gate/rejects"') / 512);
    const running = started([...argv, ...gates], { blocks });
    expect(await running.ended).toBe(2);
    expect(running.err()).toBe(`conform: cannot write ${journal} (EFBIG)\n`);
    expect(isFull()).toBe(true);
    expect(owed).toBeGreaterThan(0);
    expect(await changed()).toEqual([]);
    const rendered = await conform(['report', journal, '--reporter', 'json=-']);
    expect(rendered.code).toBe(3);
    expect(JSON.parse(rendered.out)).toMatchObject({ truncated: true, verdict: 'incomplete' });
  });
});

describe('a report that cannot be written is told in one line with exit code 2, and leaves the rest whole', () => {
  test('at the end, where a part of it still found room', async () => {
    const { argv, out, journal, events, changed } = await scene();
    const blocks = 100;
    const running = started([...argv, ...gates], { blocks });
    expect(await running.ended).toBe(2);
    const report = join(out, 'report.json');
    expect(running.err()).toBe(`conform: cannot write ${report} (EFBIG)\n`);
    expect(statSync(report).size).toBe(blocks * 512);
    expect(events().at(-1)).toMatchObject({ event: 'run-end', outcome: 'complete' });
    expect(await changed()).toEqual([]);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<\/testsuites>\n$/);
    expect((await conform(['report', journal, '--reporter', 'json=-'])).code).toBe(0);
  });

  test('while the run goes: nothing is left changed, the other reports are written', async () => {
    const { argv, out, changed, events } = await scene();
    const page = full(join(folder(), 'page.txt'));
    const ended = await conform([...argv, ...few, '--reporter', `terminal=${page}`, '--reporter', 'junit']);
    expect(ended).toEqual({ code: 2, out: '', err: `conform: cannot write ${page} (ENOSPC)\n` });
    expect(events().at(-1)).toMatchObject({ event: 'run-end', outcome: 'complete' });
    expect(await changed()).toEqual([]);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<\/testsuites>\n$/);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ verdict: 'conformant' });
  });

  test('the summary of the step of a workflow', async () => {
    const { argv, out } = await scene();
    const summary = full(join(folder(), 'summary.md'));
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const ended = await conform([...argv, '--only', 'list-segments'], environment);
    expect(ended).toMatchObject({ code: 2, err: `conform: cannot write ${summary} (ENOSPC)\n` });
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ verdict: 'conformant' });
  });

  test('a report that is rendered again, and a comparison', async () => {
    const { argv, out, journal } = await scene();
    await conform([...argv, '--only', 'list-segments']);
    const nowhere = full(join(folder(), 'nowhere'));
    const report = join(out, 'report.json');
    for (const words of [
      ['report', journal, '--reporter', `html=${nowhere}`],
      ['compare', report, report, '--reporter', `html=${nowhere}`],
    ]) {
      expect(await conform(words)).toEqual({ code: 2, out: '', err: `conform: cannot write ${nowhere} (ENOSPC)\n` });
    }
  });
});

describe('a file of the user that is written anew', () => {
  test('stays as it was where it finds no room', async () => {
    const report = join(folder(), 'report.json');
    writeFileSync(report, JSON.stringify(reportOf(examples.failing)));
    const baseline = join(folder(), 'baseline.json');
    const before = JSON.stringify({ version: 2, $schema: 'x'.repeat(2_000), known: [] });
    writeFileSync(baseline, before);
    const running = started(['baseline', 'update', report, '--baseline', baseline, '--reason', 'known'], { blocks: 1 });
    expect(await running.ended).toBe(2);
    expect(running.err()).toBe(`conform: cannot write ${baseline} (EFBIG); choose another place with --baseline\n`);
    expect(readFileSync(baseline, 'utf8')).toBe(before);
    expect(existsSync(`${baseline}.unfinished`)).toBe(false);
  });
});

describe('the standard output', () => {
  test('on a full disk: the run goes on, its files are whole, and its end says so with exit code 2', async () => {
    const { argv, out, changed } = await scene();
    const running = started([...argv, ...few], { stdout: '/dev/full' });
    expect(await running.ended).toBe(2);
    expect(running.err()).toBe('conform: cannot write the standard output (ENOSPC)\n');
    expect(await changed()).toEqual([]);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ verdict: 'conformant' });
  });

  test('with a reader who goes away after the first line: the run goes on and ends as it would', async () => {
    const { argv, out, changed } = await scene();
    const running = started([...argv, ...few]);
    running.child.stdout?.once('data', () => running.child.stdout?.destroy());
    expect(await running.ended).toBe(0);
    expect(running.err()).toBe('');
    expect(await changed()).toEqual([]);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ verdict: 'conformant' });
  });

  test('of a command that only prints', async () => {
    const running = started(['list', 'units'], { stdout: '/dev/full' });
    expect(await running.ended).toBe(2);
    expect(running.err()).toBe('conform: cannot write the standard output (ENOSPC)\n');
  });
});
