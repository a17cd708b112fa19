import { expect, test } from 'vitest';
import type { RunEvent } from '../contracts/report/journal.ts';
import { reportSchema } from '../contracts/report/report.ts';
import { validatorFor } from '../contracts/validation.ts';
import { type ReporterName, reporters } from './index.ts';
import { type ExampleName, examples } from './testing/examples.fixture.ts';
import { reportOf, writtenBy } from './testing/runs.fixture.ts';

test('the names and files of the reporters are stable', () => {
  expect(Object.entries(reporters).map(([name, { file }]) => [name, file])).toEqual([
    ['terminal', null],
    ['json', 'report.json'],
    ['junit', 'junit.xml'],
    ['html', 'report.html'],
    ['html-dir', 'html/index.html'],
    ['markdown', 'report.md'],
    ['github', null],
    ['ctrf', 'ctrf-report.json'],
    ['har', 'failures.har'],
  ]);
});

test.each(Object.keys(reporters) as ReporterName[])(
  '%s writes the same, live or replayed from a report alone',
  async name => {
    const replayed = examples.failing.map(event => JSON.parse(JSON.stringify(event)) as RunEvent);
    expect(await writtenBy(name, replayed)).toBe(await writtenBy(name, examples.failing));
    expect(await writtenBy(name, examples.failing)).toContain('patch-gate');
  },
);

test.each(Object.keys(examples) as ExampleName[])(
  'json writes a run that is %s as one document in the shape of its schema',
  async name => {
    const text = await writtenBy('json', examples[name]);
    expect(JSON.parse(text)).toEqual(reportOf(examples[name]));
    expect(validatorFor(reportSchema)(JSON.parse(text))).toEqual([]);
  },
);
