import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { documentHtml } from '../document/html.ts';
import { expectWholePage } from '../testing/browser.fixture.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { reportOf, written } from '../testing/runs.fixture.ts';
import { runDocument } from './document.ts';
import { html } from './page.ts';

const reportDocument = (report: Report): string => documentHtml(runDocument(report));

const names = Object.keys(examples) as ExampleName[];

describe('report.html', () => {
  test.each(names)('of a run that is %s is one page that needs no other file', name => {
    expectWholePage(written(html, examples[name]));
  });

  test('lets nothing run but its own script and style, by their hashes', () => {
    const page = reportDocument(reportOf(examples.green));
    const policy = page.match(/Content-Security-Policy" content="([^"]*)"/)?.[1] ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toContain('unsafe');
    for (const element of ['script', 'style']) {
      const own = page.match(new RegExp(`<${element}>(.*?)</${element}>`, 's'))?.[1] ?? '';
      const hash = createHash('sha256').update(own).digest('base64');
      expect(policy).toContain(`${element}-src 'sha256-${hash}'`);
    }
  });

  test('has no box for notices if there are none, or all of them are among the first steps', () => {
    const report = reportOf(examples.green);
    const boxOf = (notices: Report['notices']): boolean =>
      reportDocument({ ...report, notices }).includes('id="notices"');
    const urgent = { severity: 'warning', text: 'a list is short', remedy: 'make it longer' } as const;
    expect([boxOf([]), boxOf([urgent as never]), boxOf([{ severity: 'notice', text: 'slow' } as never])]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is the same for the same report', () => {
    expect(reportDocument(reportOf(examples.failing))).toBe(reportDocument(reportOf(examples.failing)));
  });
});
