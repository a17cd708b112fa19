import { describe, expect, test } from 'vitest';
import { documentMarkdown } from '../document/markdown.ts';
import { runDocument } from '../run/document.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { reportOf, written } from '../testing/runs.fixture.ts';
import { github } from './github.ts';
import { annotationLine, withoutCommands } from './workflow-commands.ts';

function write(name: ExampleName) {
  const summaries: string[] = [];
  const out = written(github, examples[name], { stepSummary: text => void summaries.push(text) });
  return { summary: summaries.join(''), lines: out.split('\n').slice(0, -1) };
}

const names = Object.keys(examples) as ExampleName[];
const of = (lines: readonly string[], severity: string) => lines.filter(line => line.startsWith(`::${severity} `));

describe('GitHub', () => {
  test.each(names)('a run that is %s is lines of one command each, ten of a kind at most, and the summary', name => {
    const { lines, summary } = write(name);
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning) title=[^:,]+::[^\r\n]+$/);
      expect(line.match(/%(?!25|0A|3A|2C)/)).toBeNull();
    }
    for (const severity of ['error', 'warning']) expect(of(lines, severity).length).toBeLessThanOrEqual(10);
    expect(summary).toBe(documentMarkdown(runDocument(reportOf(examples[name]))));
  });

  test('only a run that exits with 0 is without an error', () => {
    for (const name of names)
      expect([name, of(write(name).lines, 'error').length === 0]).toEqual([
        name,
        reportOf(examples[name]).exitCode === 0,
      ]);
  });

  test('names the check, what broke and how to replay it', () => {
    const { lines } = write('failing');
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^::error title=F2 patch-gate\/reject::accepted `description` of 1,001 characters; expected a 4xx \(gate\.description\.maxLength\)%0Anpx conform run /,
      ),
    );
    expect(of(lines, 'warning')[0]).toContain('list-segments/headers');
  });

  test('a wall says how many more there are', () => {
    const { lines } = write('wall');
    expect(lines.at(-1)).toBe(
      '::error title=More of the same::7 more are in the summary of the step and in report.json',
    );
  });

  test('hostile text cannot end its command or its property', () => {
    expect(annotationLine({ severity: 'error', title: 'a:b,c::d%0A\n', message: 'x\r\n::set-env name=a::b %0A' })).toBe(
      '::error title=a%3Ab%2Cc%3A%3Ad%250A%0A::x\\u{d}%0A::set-env name=a::b %250A\n',
    );
  });
});

describe('the log of a workflow', () => {
  // biome-ignore format: a table
  test.each([
    ['::error::owned',                 '\\u{3a}:error::owned'],
    ['a line\n   ::stop-commands::x',  'a line\n   \\u{3a}:stop-commands::x'],
    ['\t::add-mask::a',                '\t\\u{3a}:add-mask::a'],
    ['see ##[error]owned',             'see #\\u{23}[error]owned'],
    ['##vso[task.x]owned',             '#\\u{23}vso[task.x]owned'],
    ['see ##VSO[task.x]owned',         'see #\\u{23}VSO[task.x]owned'],
    ["see ##teamcity[x 'owned']",      "see #\\u{23}teamcity[x 'owned']"],
    ['## [a] and ##a[b]',              '## [a] and ##a[b]'],
    ['12:30::45 is no command',        '12:30::45 is no command'],
  ])('%j has no command left', (text, shown) => {
    expect(withoutCommands(text)).toBe(shown);
  });
});
