import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type ExampleName, examples } from '../testing/examples.ts';
import { hostileRun } from '../testing/hostile.ts';
import { reportOf } from '../testing/runs.ts';
import { html } from './html.ts';
import { pageOf } from './page.ts';

const names = Object.keys(examples) as ExampleName[];

describe('report.html', () => {
  test.each(names)('of a run that is %s is one page that needs nothing beside itself', name => {
    let page = '';
    const reporting = html({ write: text => (page += text), colour: false, interactive: false });
    for (const event of examples[name]) reporting.event(event);
    expect(page).toBe('');
    reporting.end(reportOf(examples[name]));
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).not.toMatch(/>(undefined|null|NaN)<|="(undefined|null|NaN)"|\[object Object\]/);
    expect(page).not.toMatch(/<(link|img|iframe|object|embed|base|form)\b/);
    // Ids are there once, and links lead to them.
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(match => match[1]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...page.matchAll(/\shref="#([^"]*)"/g)].map(match => match[1]);
    expect(links.filter(id => !ids.includes(id))).toEqual([]);
  });

  test('lets nothing run but its own script and style, by their hashes', () => {
    const page = pageOf(reportOf(examples.green));
    const policy = page.match(/Content-Security-Policy" content="([^"]*)"/)?.[1] ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toContain('unsafe');
    for (const element of ['script', 'style']) {
      const own = page.match(new RegExp(`<${element}>(.*?)</${element}>`, 's'))?.[1] ?? '';
      const hash = createHash('sha256').update(own).digest('base64');
      expect(policy).toContain(`${element}-src 'sha256-${hash}'`);
    }
  });

  test('shows nothing of a hostile run as markup, and nothing unseen', () => {
    const page = pageOf(reportOf(hostileRun));
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<(img|svg|base|link|style>[^<]*owned)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
  });

  test('is the same for the same report', () => {
    expect(pageOf(reportOf(examples.failing))).toBe(pageOf(reportOf(examples.failing)));
  });
});
