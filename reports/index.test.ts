import { expect, test } from 'vitest';
import { type ReporterName, reporters } from './index.ts';
import { examples } from './testing/examples.ts';
import { reportOf } from './testing/runs.ts';

test('the names and files of the reporters are stable', () => {
  expect(Object.entries(reporters).map(([name, { file }]) => [name, file])).toEqual([
    ['terminal', null],
    ['json', 'report.json'],
    ['junit', 'junit.xml'],
    ['html', 'report.html'],
    ['markdown', 'report.md'],
    ['github', null],
    ['ctrf', 'ctrf-report.json'],
    ['har', 'failures.har'],
  ]);
});

test.each(Object.keys(reporters) as ReporterName[])(
  '%s writes the same, live or replayed from a report alone',
  async name => {
    const written = async (events: typeof examples.failing) => {
      let text = '';
      const out = { write: (more: string) => (text += more), columns: 100, colour: false, interactive: false };
      const reporting = await reporters[name].create(out);
      for (const event of events) reporting.event(event);
      await reporting.end(reportOf(events));
      return text;
    };
    const replayed = examples.failing.map(event => JSON.parse(JSON.stringify(event)));
    expect(await written(replayed as never)).toBe(await written(examples.failing));
    expect(await written(examples.failing)).toContain('patch-gate');
  },
);
