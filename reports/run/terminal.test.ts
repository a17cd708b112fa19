import { describe, expect, test } from 'vitest';
import type { Output } from '../journal/reporter.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { wrongType } from '../testing/findings.fixture.ts';
import { exchange, run, written } from '../testing/runs.fixture.ts';
import { terminal } from './terminal.ts';

const files = ['conform-report/journal.ndjson', 'conform-report/report.json'];
const names = Object.keys(examples) as ExampleName[];

const show = (name: ExampleName, place: Partial<Output> = {}) => written(terminal, examples[name], { files, ...place });

describe('terminal', () => {
  test.each(names)('a run that is %s', async name => {
    await expect(show(name)).toMatchFileSnapshot(`__snapshots__/${name}.txt`);
  });

  test('a green run fits a small screen', () => {
    const lines = show('green', { columns: 80 }).split('\n');
    expect(lines.length).toBeLessThanOrEqual(24 + 3);
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(90);
  });

  test('commands to copy quote the path of the report', () => {
    expect(show('failing', { files: ['my run/report.json'] })).toContain("explain F1 'my run/report.json'");
  });

  test('colours add nothing but colours', () => {
    const coloured = show('failing', { colour: true });
    expect(coloured).toContain('\u001b[31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colour sequences
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(show('failing'));
  });

  test('the verdict of an endpoint is told by shape and word', () => {
    const text = show('failing');
    expect(text).toMatch(/✗ non-conformant +patch-gate/);
    expect(text).toMatch(/◐ incomplete +disable-gate/);
    expect(text).toMatch(/✓ conformant +list-events/);
  });

  test('one cause is no wall: what breaks one rule at fifteen endpoints is told once', () => {
    const text = show('wall');
    expect(text.match(/^ {2}F\d+ ✗ /gm)).toHaveLength(2);
    expect(text).toMatch(/at +30 failures at 15 endpoints, found by auth/);
    expect(text).toMatch(/at +50 failures at patch-gate, found by reject$/m);
  });

  test('ten causes are shown whole unless more are asked for, each in at most fifteen lines', () => {
    const text = show('many', { columns: 80 });
    const blocks = text.slice(text.indexOf('FAILURES'), text.indexOf('CAUSES')).split('\n\n').slice(1);
    expect(blocks.filter(block => /^ {2}F\d+ ✗ /.test(block))).toHaveLength(10);
    for (const block of blocks) expect(block.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(text).toContain('2 more: see --max-failures all');
    expect(show('many', { maxFailures: 12 }).match(/^ {2}F\d+ ✗ /gm)).toHaveLength(12);
    expect(show('many', { maxFailures: 3 }).match(/^ {2}F\d+ ✗ /gm)).toHaveLength(3);
  });

  test('of a sequence three steps are shown: what was known, what was done, and what shows it', () => {
    const steps = [1, 2, 7, 8, 9].map(number => ({ number, exchange: exchange(`{"nth":${number}}`, 200, '{}') }));
    const events = run({ 'patch-gate/auth': ['fail', { findings: [{ ...wrongType, steps }] }] });
    const text = written(terminal, events, { files, columns: 80 });
    const shown = text.slice(text.indexOf('steps'), text.indexOf('CAUSES'));
    expect(shown.match(/"nth":\d/g)).toEqual(['"nth":7', '"nth":8', '"nth":9']);
  });

  test('the list of causes names them all, and the commands that show one', () => {
    const text = show('many', { columns: 80 });
    const list = text.slice(text.indexOf('CAUSES'));
    expect(list.match(/^ {2}F\d+ /gm)).toHaveLength(12);
    expect(list).toContain('npx conform explain F1');
    expect(list).toContain('npx conform replay F1');
  });

  test.each(['failing', 'many', 'wall', 'warned', 'untested', 'green'] as const)(
    'no row of a run that is %s is wider than eighty columns, but for commands',
    name => {
      const rows = show(name, { columns: 80 }).split('\n');
      expect(rows.filter(row => row.length > 80 && !row.includes('to send: '))).toEqual([]);
    },
  );

  test('a target that never answered takes few lines', () => {
    const text = show('unreachable');
    expect(text).toContain('The run could not go on');
    expect(text.split('\n').length).toBeLessThanOrEqual(6);
  });

  test('notices stand above the results', () => {
    const text = show('untested');
    expect(text.indexOf('the key is refused everywhere')).toBeLessThan(text.indexOf('verdict'));
  });

  test('a person who watches sees progress, and nothing of it is left', () => {
    const text = show('failing', { interactive: true });
    expect(text).toContain('0/60 checks');
    expect(show('failing', { interactive: true, columns: 80 })).toContain('─ 0 %');
    expect(show('failing')).not.toContain('/60 checks');
    // The bar ends by clearing its line and showing the cursor again; then comes the page.
    const page = show('failing').split('\n').slice(1).join('\n');
    expect(text.endsWith(page)).toBe(true);
    expect(text).toContain('\u001b[?25h');
  });
});
