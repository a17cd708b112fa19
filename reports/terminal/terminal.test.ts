import { describe, expect, test } from 'vitest';
import type { Output } from '../journal/reporter.ts';
import { type ExampleName, examples } from '../testing/examples.ts';
import { written } from '../testing/runs.ts';
import { terminal } from './terminal.ts';

const files = ['conform-report/journal.ndjson', 'conform-report/report.json'];
const names = Object.keys(examples) as ExampleName[];

const show = (name: ExampleName, place: Partial<Output> = {}) => written(terminal, examples[name], { files, ...place });

describe('terminal', () => {
  test.each(names)('a run that is %s', async name => {
    await expect(show(name)).toMatchFileSnapshot(`__snapshots__/${name}.txt`);
  });

  test('a green run fits one screen', () => {
    const lines = show('green', { columns: 80 }).split('\n');
    expect(lines.length).toBeLessThanOrEqual(24 + 1);
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(90);
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

  test('one cause is no wall: twelve blocks, as many checks as possible, and the number of the others', () => {
    const text = show('wall');
    const blocks = [...text.matchAll(/^ {2}\d+ ✗ (\S+)/gm)].map(([, check]) => check);
    expect(blocks).toHaveLength(12);
    expect(new Set(blocks).size).toBe(12);
    expect(blocks).toContain('patch-gate/reject');
    expect(text).toContain('78 more in report.json');
  });

  test('a check with many findings has three blocks', () => {
    const text = show('monotonous');
    expect(text.match(/^ {2}\d+ ✗ /gm)).toHaveLength(3);
    expect(text).toContain('7 more in report.json');
  });

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
    expect(show('failing')).not.toContain('/60 checks');
    // The last thing of the bar is to clear its line and show the cursor again; then comes the page.
    const page = show('failing').split('\n').slice(1).join('\n');
    expect(text.endsWith(page)).toBe(true);
    expect(text).toContain('\u001b[?25h');
  });
});
