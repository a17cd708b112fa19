import { expect, test } from 'vitest';
import { terminal } from '../reports/run/terminal.ts';
import { examples } from '../reports/testing/examples.fixture.ts';
import { written } from '../reports/testing/runs.fixture.ts';
import { terminalOf } from './outputs.ts';

const stream = (isTTY: boolean) => ({ isTTY, columns: 80 }) as NodeJS.WriteStream;

// biome-ignore format: a table
test.each<[string, boolean, Record<string, string>, boolean]>([
  ['a terminal with a person before it',  true,  {},               true],
  ['a terminal of a build machine',       true,  { CI: 'true' },   false],
  ['a terminal that cannot move back',    true,  { TERM: 'dumb' }, false],
  ['a file or a pipe',                    false, {},               false],
])('%s draws progress: %s', (_what, isTTY, environment, isDrawn) => {
  const shown = terminalOf(stream(isTTY), environment);
  expect(shown.interactive).toBe(isDrawn);
  const text = written(terminal, examples.failing, { ...shown, colour: false });
  expect(/\[\?25l|━/.test(text)).toBe(isDrawn);
  expect(text).toContain('CAUSES');
});
