import type { Har } from 'har-format';
import { describe, expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import type { CheckEnd } from '../contracts/report/journal.ts';
import { comparisonDocument } from './compare/document.ts';
import { type DifferenceReporterName, differenceReporters } from './difference/reporters.ts';
import { documentHtml } from './document/html.ts';
import { documentMarkdown } from './document/markdown.ts';
import { documentText } from './document/terminal.ts';
import { withoutCommands } from './formats/workflow-commands.ts';
import { type ReporterName, reporters } from './index.ts';
import { differences } from './testing/differences.fixture.ts';
import { comparisons } from './testing/examples.fixture.ts';
import { attacks, hostileRun } from './testing/hostile.fixture.ts';
import { reportOf, writtenBy } from './testing/runs.fixture.ts';
import { isUnshowable } from './text/safe-text.ts';

const firstShown = attacks[0]?.shown ?? '';
const allShown = attacks.map(({ shown }) => shown);
const sentFindings = hostileRun.flatMap(event => (event.event === 'check-end' ? (event as CheckEnd).findings : []));

/** Returns the tags of an HTML text, each once. */
const tagsOf = (text: string) => [...new Set([...text.matchAll(/<\/?([a-z]+)[^>]*>/g)].map(([, tag]) => tag))].sort();

function isMarkdown(text: string): void {
  // All tags are ours, and each opened tag is closed.
  expect(tagsOf(text).filter(tag => !['b', 'code', 'details', 'pre', 'summary'].includes(tag ?? ''))).toEqual([]);
  for (const tag of ['details', 'summary', 'pre', 'code', 'b'])
    expect([tag, text.split(`<${tag}>`).length]).toEqual([tag, text.split(`</${tag}>`).length]);
  expect(text).toContain('&#60;script&#62;');
  // Inside `<pre>` mentions, links and emphasis have no effect.
  expect(text.replace(/<pre>.*?<\/pre>/gs, '')).not.toMatch(/@everyone|\]\(http|\*\*b/);
}

function isHtml(scripts: number): (text: string) => void {
  return text => {
    expect(text.match(/<script/g) ?? []).toHaveLength(scripts);
    const foreign = ['img', 'svg', 'base', 'link', 'iframe', 'object', 'embed', 'form'];
    expect(tagsOf(text).filter(tag => foreign.includes(tag ?? ''))).toEqual([]);
    expect(text).not.toMatch(/<style>[^<]*owned/);
    expect(text).toContain('&lt;/script&gt;&lt;script&gt;window.owned=1;alert(1)&lt;/script&gt;');
  };
}

const isTerminal = (text: string): void => {
  // Wrapping only adds line ends and indentation.
  const words = text.replace(/\s+/g, ' ');
  for (const shown of allShown) expect(words).toContain(shown);
  expect(withoutCommands(text)).not.toMatch(/^\s*::|##(vso|teamcity)?\[/m);
};

/** Assertions on a document of each format. A new reporter does not compile without a row here. */
const wellFormed: Readonly<Record<ReporterName, (text: string) => void>> = {
  terminal: isTerminal,
  json: text => {
    expect(JSON.parse(text)).toEqual(reportOf(hostileRun));
    // It may go to the log of a workflow unchanged.
    expect(text).not.toMatch(/^\s*::|##(vso|teamcity)?\[/m);
  },
  junit: text => {
    const document = JSON.stringify(convert(text, { format: 'object' }));
    expect(text).not.toMatch(/<(script|img|svg|base|link)/);
    expect(document).toContain('"testsuites"');
    expect(document).toContain('\\\\u{1b}[2J');
  },
  html: isHtml(1),
  'html-dir': isHtml(1),
  markdown: isMarkdown,
  github: text => {
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^::(error|warning) title=[^:,]+::[^\r\n]+$/);
      expect(line).not.toMatch(/%(?!25|0A|3A|2C)/);
    }
    expect(text).toContain(firstShown);
  },
  ctrf: text => {
    const { results } = JSON.parse(text) as { results: { tests: { message?: string; trace?: string }[] } };
    const texts = results.tests.map(({ message = '', trace = '' }) => `${message}\n${trace}`);
    expect(texts.flatMap(one => one.split('\n')).filter(isUnshowable)).toEqual([]);
    for (const shown of allShown) expect(texts.join('\n')).toContain(shown);
  },
  har: text => {
    const { entries } = (JSON.parse(text) as Har).log;
    const failures = sentFindings.filter(({ level }) => level === 'MUST');
    expect(entries.map(({ request }) => request.postData?.text)).toEqual(
      failures.map(({ exchange }) => exchange?.request.body?.text),
    );
    expect(entries.map(({ response }) => response.content.text)).toEqual(
      failures.map(({ exchange }) => exchange?.response?.body.text),
    );
  },
};

const comparison = comparisons.hostile;

/** Assertions on a comparison of two servers, by reporter. */
const wellFormedDifferences: Readonly<Record<DifferenceReporterName, (text: string) => void>> = {
  terminal: isTerminal,
  json: text => expect(JSON.parse(text)).toEqual(differences.hostile),
  junit: wellFormed.junit,
  html: isHtml(0),
  markdown: isMarkdown,
};

// biome-ignore format: a table
const documents: readonly [name: string, text: () => string | Promise<string>, isWellFormed: (text: string) => void][] = [
  ...(Object.keys(reporters) as ReporterName[]).map(
    name => [name, () => writtenBy(name, hostileRun), wellFormed[name]] as [string, () => Promise<string>, (text: string) => void],
  ),
  ...(Object.keys(differenceReporters) as DifferenceReporterName[]).map(
    name => [`two servers side by side: ${name}`, () => differenceReporters[name].text(differences.hostile, { colour: false }), wellFormedDifferences[name]] as [string, () => Promise<string>, (text: string) => void],
  ),
  ['a comparison in a terminal', () => documentText(comparisonDocument(comparison), { colour: false }), text => expect(text).toContain('WORSE')],
  ['a comparison in Markdown',   () => documentMarkdown(comparisonDocument(comparison)),                    isMarkdown],
  ['a comparison in HTML',       () => documentHtml(comparisonDocument(comparison)),                isHtml(0)],
];

describe('a run in which every text is hostile', () => {
  test.each(documents)('%s shows nothing invisible, and is well-formed', async (_name, write, isWellFormed) => {
    const text = await write();
    expect(text.split('\n').filter(isUnshowable)).toEqual([]);
    isWellFormed(text);
  });
});
