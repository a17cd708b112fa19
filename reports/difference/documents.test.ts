import { describe, expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import type { DifferenceReport } from '../../contracts/report/difference.ts';
import { documentHtml } from '../document/html.ts';
import { documentMarkdown } from '../document/markdown.ts';
import { expectWholePage } from '../testing/browser.fixture.ts';
import { differences } from '../testing/differences.fixture.ts';
import { differenceDocument } from './document.ts';
import { differenceXml } from './junit.ts';

const pageOf = (report: DifferenceReport): string => documentHtml(differenceDocument(report));
const markdownOf = (report: DifferenceReport): string => documentMarkdown(differenceDocument(report));

const page = pageOf(differences.mixed);

describe('the page of two servers side by side', () => {
  test.each(Object.entries(differences))('%s: needs no other file, and its links lead somewhere', (_, report) => {
    expectWholePage(pageOf(report));
  });

  test('has what B breaks first, with both answers, and what does not count folded', () => {
    expect(page.indexOf('id="b-breaks"')).toBeLessThan(page.indexOf('id="a-breaks"'));
    expect(page.indexOf('id="a-breaks"')).toBeLessThan(page.indexOf('id="open"'));
    expect(page).toContain('<h3 id="D1-title">');
    expect(page).toMatch(/A answered<\/h4>\n<pre[^>]*><strong>400<\/strong>/);
    expect(page).toMatch(/B answered<\/h4>\n<pre[^>]*><strong>200<\/strong>/);
    expect(page.match(/<details class="finding"[^>]* open>/g)).toHaveLength(4);
    expect(page).toContain('npx conform explain F1 conform-diff/b.ndjson');
  });

  test('quotes the path of a journal in a command to copy', () => {
    const spaced: DifferenceReport = JSON.parse(
      JSON.stringify(differences.mixed).replaceAll('conform-diff/', 'my diff/'),
    );
    expect(pageOf(spaced)).toMatch(/explain F1 (?:'|&#39;)my diff\/b\.ndjson(?:'|&#39;)/);
  });

  test('says what is acknowledged, what is no more, and what could not be compared', () => {
    expect(pageOf(differences.acknowledged)).toContain('<strong>Known</strong>: mended in T-7, T-7');
    expect(pageOf(differences.acknowledged)).toContain('remove line 6 of conform.differences.json');
    expect(page).toContain('12 requests: the list is living (list-events, list-segments)');
  });

  test('is bounded, however much differs', () => {
    const many = pageOf(differences.many);
    expect(many).toContain('100 more in difference.json.');
    expect(many.length).toBeLessThan(900_000);
  });
});

describe('a comparison as Markdown', () => {
  test('begins with the verdict, and fits into a comment', () => {
    expect(markdownOf(differences.mixed)).toMatch(/^## ❌ Different: A and B side by side\n/);
    expect(markdownOf(differences.alike)).toMatch(/^## ✅ Alike/);
    expect(markdownOf(differences.incomplete)).toMatch(/^## 🟡 Incomplete/);
    expect(markdownOf(differences.many).length).toBeLessThan(65_000);
    expect(markdownOf(differences.many)).toContain('And 380 more in difference.json.');
  });

  test('folds up what counts, and lists the rest', () => {
    const text = markdownOf(differences.mixed);
    expect(text.match(/<details><summary><b>D\d/g)).toEqual(['<details><summary><b>D1', '<details><summary><b>D2']);
    expect(text).toContain('| D6 |');
  });
});

describe('a comparison as JUnit', () => {
  interface Case {
    readonly '@name': string;
    readonly failure?: { readonly '#': string };
    readonly skipped?: { readonly '@message': string };
    readonly error?: { readonly '@message': string };
  }
  const casesOf = (report: Parameters<typeof differenceXml>[0]) => {
    const { testsuites } = convert(differenceXml(report), { format: 'object' }) as unknown as {
      testsuites: { testsuite: { testcase: Case | Case[] } | { testcase: Case | Case[] }[] };
    };
    return [testsuites.testsuite].flat().flatMap(suite => [suite.testcase].flat());
  };

  test('a difference that counts fails, one that does not is skipped, and says why', () => {
    const cases = casesOf(differences.mixed);
    expect(cases.filter(one => one.failure !== undefined).map(one => one['@name'].slice(0, 2))).toEqual(['D1', 'D2']);
    expect(cases.find(one => one['@name'].startsWith('D6'))?.skipped?.['@message']).toBe(
      '--fail-on must does not name it',
    );
    expect(cases.find(one => one['@name'].startsWith('D1'))?.failure?.['#']).toContain('  B 200 {"message"');
    expect(casesOf(differences.acknowledged).find(one => one['@name'].startsWith('D7'))?.skipped?.['@message']).toBe(
      'acknowledged: mended in T-7, T-7',
    );
  });

  test('two that are alike pass one case, and a comparison that did not come to its end is an error', () => {
    expect(casesOf(differences.alike)).toEqual([
      { '@classname': 'The comparison', '@name': 'https://old.example.test/ and https://new.example.test/' },
    ]);
    expect(casesOf(differences.incomplete)).toMatchObject([
      { error: { '@message': expect.stringContaining('ECONNREFUSED') } },
    ]);
  });

  test('an entry that is no more is a failure of its own', () => {
    expect(
      casesOf(differences.acknowledged)
        .filter(one => one.failure !== undefined)
        .map(one => one['@name']),
    ).toContain('list-events type /data/*/name (nothing is said)');
  });
});
