import { describe, expect, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { runDocument } from '../run/document.ts';
import { markdown } from '../run/page.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { tooLong } from '../testing/findings.fixture.ts';
import { hostileFinding } from '../testing/hostile.fixture.ts';
import { exampleEndpoints, reportOf, run, written } from '../testing/runs.fixture.ts';
import { documentMarkdown, inlineText } from './markdown.ts';

const markdownPage = (report: Report): string => documentMarkdown(runDocument(report));
const write = (name: ExampleName) => written(markdown, examples[name]);

const all = exampleEndpoints.length;
const names = Object.keys(examples) as ExampleName[];
const tableRows = (text: string) => text.split('\n').filter(line => /^\| (✅|❌|🟡|➖) [a-z]/u.test(line));

describe('Markdown', () => {
  // biome-ignore format: a table
  test.each<[ExampleName, says: RegExp]>([
    ['empty',       /^## 🟡 Incomplete: 0 of 0 endpoints conform\n[\s\S]*No endpoint was tested/],
    ['green',       new RegExp(`^## ✅ Conformant · coverage 46\\.1 %: ${all} of ${all} endpoints conform\n`)],
    ['failing',     new RegExp(`^## ❌ Non-conformant · coverage 43\\.0 %: ${all - 3} of ${all} endpoints conform\n`)],
    ['fault',       /### Faults of the suite, not of the target\n\n- ❌ <code>list-events\/envelope<\/code> <code>TypeError/],
    ['untested',    /### Not tested\n\n.*\n.*\n\| {2}\| <code>the target file names no gate/],
    ['truncated',   /^## ❌ Non-conformant: .*; the journal was cut off/],
    ['interrupted', /; the run was interrupted/],
    ['unreachable', /; the run could not go on\n\n- <code>Nothing was tested[\s\S]*connect ECONNREFUSED/],
    ['strict',      /^## ❌ Non-conformant/],
  ])('a run that is %s says so', (name, says) => {
    expect(write(name)).toMatch(says);
  });

  test.each(names)('a run that is %s has a row for each endpoint, fits a comment, and folds what it opens', name => {
    const text = write(name);
    expect(tableRows(text)).toHaveLength(reportOf(examples[name]).endpoints.length);
    for (const row of tableRows(text)) expect(row.split('|')).toHaveLength(8);
    expect(text.length).toBeLessThan(65_536);
    for (const tag of ['details', 'summary', 'pre', 'code', 'b'])
      expect([tag, text.split(`<${tag}>`).length]).toEqual([tag, text.split(`</${tag}>`).length]);
  });

  test.each(['| a | b |', '**bold** _it_ ~~no~~', '[x](http://a.b)', '@everyone', '# head', '`code`', '<b>', 'a\n\nb'])(
    'inline, %j is letters and numeric references only',
    text => {
      expect(inlineText(text)).toMatch(/^<code>[\p{L}\p{N} /-]*(&#\d+;[\p{L}\p{N} /-]*)*<\/code>$/u);
    },
  );

  test('the name of a baseline is text, whatever Markdown would read in it', () => {
    const stale = [{ entry: 'patch-gate/auth', why: 'is there no more', place: 'line 5', reason: 'ticket 7' }];
    const baseline = { file: 'ci/_known_/@team.json', known: [], fresh: [], stale, unjudged: [], behind: [] };
    const page = markdownPage({ ...reportOf(examples.green), baseline });
    expect(page).toContain('### Baseline\n\n<code>ci/&#95;known&#95;/&#64;team&#46;json</code>\n');
  });

  test('a block cannot be left from within', () => {
    const finding = { ...hostileFinding, actual: '</pre>\n\n</details>\n# out' };
    const page = markdownPage(reportOf(run({ 'patch-gate/reject': ['fail', { findings: [finding] }] })));
    expect(page.match(/<\/pre>/g)).toHaveLength(1);
    expect(page.match(/<\/details>/g)).toHaveLength(1);
  });

  test('a finding keeps its replay command, however long it is', () => {
    const page = markdownPage(reportOf(run({ 'patch-gate/reject': ['fail', { findings: [tooLong, tooLong] }] })));
    expect(page).toContain('npx conform run');
    expect(page).toContain('- <code>patch-gate/reject&#35;2');
  });

  test('a page of nothing but long hostile text is cut and says so', () => {
    const because = '<&|`'.repeat(500);
    const finding = { ...hostileFinding, actual: because, expected: because, requirement: because };
    const odd: Parameters<typeof run>[0] = Object.fromEntries(
      ['envelope', 'reject', 'auth', 'headers'].flatMap(check =>
        ['patch-gate', 'disable-gate', 'list-events'].map(id => [`${id}/${check}`, ['fail', { findings: [finding] }]]),
      ),
    );
    const page = markdownPage(reportOf(run(odd)));
    expect(page.length).toBeLessThan(65_536);
    expect(tableRows(page)).toHaveLength(all);
  });
});
