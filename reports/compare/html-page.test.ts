import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { browser, noBrowser, open } from '../testing/browser.ts';
import { examples, noContentType, tooLong, wrongType } from '../testing/examples.ts';
import { attacks, hostileRun } from '../testing/hostile.ts';
import { reportOf, run } from '../testing/runs.ts';
import { compareRuns } from './compare.ts';
import { comparisonDocument } from './html-page.ts';

const skipped = noBrowser !== undefined && process.env.CI !== 'true';
if (skipped) console.warn(noBrowser);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const everything = attacks.map(({ sent }) => sent).join(' ');

const pageOfRuns = (named: readonly (readonly [name: string, events: readonly RunEvent[]])[]) =>
  comparisonDocument(compareRuns(named.map(([name, events]) => ({ name, report: reportOf(events) }))));

/** Some of it better, some worse, some observed differently. */
const mixed = pageOfRuns([
  ['a/report.json', examples.failing],
  ['b/report.json', examples.untested],
  ['c/report.json', run({ 'list-events/envelope': ['fail', { findings: [wrongType] }] })],
]);
const hostile = pageOfRuns([
  [everything, run({}, {}, ['patch-gate'])],
  [everything, hostileRun],
]);
const empty = pageOfRuns([
  ['a/report.json', examples.empty],
  ['b/report.json', examples.empty],
]);
const same = pageOfRuns([
  ['a/report.json', examples.green],
  ['b/report.json', examples.green],
]);

describe('the page of a comparison', () => {
  test('says in words what got better and what got worse, and why', () => {
    expect(mixed).toContain('<span class="first">worse, and better</span>');
    expect(mixed).toMatch(/1 check of run C is worse than before, at list-events\./);
    expect(mixed).toMatch(
      /checks of run C are better than before, at (\d+ endpoints|[a-z, -]*list-segments[a-z, -]*)\./,
    );
    expect(mixed).toContain('The <code>isEnabled</code> of a gate is a boolean.');
    expect(mixed).toContain('gate.isEnabled.type</span>, section 2.3, MUST');
    expect(mixed).toContain('Not known before; passed now.');
    expect(mixed).toContain('1 observation differs');
  });

  test('of runs that are alike, or of none that did anything, says so', () => {
    for (const page of [same, empty]) {
      expect(page).toContain('<span class="first">no check differs</span>');
      expect(page).toContain('Nothing is worse in run B than before.');
      expect(page).toContain('No observation differs.');
      expect(page).not.toMatch(/id="(worse|better|observations)"/);
    }
    expect(empty).toContain('No run tested an endpoint.');
  });

  test('tells changes of one cause together, and of a check that is better what it got before', () => {
    const before = run({
      'patch-gate/reject': ['fail', { findings: [tooLong] }],
      'disable-gate/reject': ['fail', { findings: [tooLong] }],
    });
    const page = pageOfRuns([
      ['a', before],
      ['b', run({})],
    ]);
    expect(page.match(/<article/g)).toHaveLength(1);
    expect(page).toMatch(/Run A got<\/dt><dd class="data got">200</);
  });

  test('names the requirement of a warning, and says why nobody knows any more', () => {
    const page = pageOfRuns([
      ['a', run({})],
      [
        'b',
        run({
          'patch-gate/headers': ['warn', { findings: [noContentType] }],
          'patch-gate/auth': ['untested', { because: 'no gate' }],
        }),
      ],
    ]);
    expect(page).toContain('answer.content-type</span>, section 1, SHOULD');
    expect(page).toContain('not tested: no gate');
  });

  test.each([
    ['mixed', mixed],
    ['hostile', hostile],
    ['empty', empty],
  ])('%s: needs nothing beside itself, and its links lead somewhere', (_name, page) => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/>(undefined|null|NaN)<|="(undefined|null|NaN)"|\[object Object\]/);
    expect(page).not.toMatch(/<(script|link|img|svg|iframe|object|embed|base|form)\b/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(match => match[1]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...page.matchAll(/\shref="#([^"]*)"/g)].map(match => match[1]);
    expect(links.filter(id => !ids.includes(id))).toEqual([]);
  });
});

describe.skipIf(skipped)('the page of a comparison in a browser', () => {
  let chromium: Browser;
  beforeAll(async () => {
    if (noBrowser !== undefined) throw new Error(noBrowser);
    chromium = await browser();
  });
  afterAll(() => chromium?.close());

  test('shows what is hostile, and runs nothing of it', async () => {
    const { page, misdeeds } = await open(chromium, hostile);
    expect(await page.evaluate('window.owned')).toBeUndefined();
    const text = (await page.locator('body').textContent()) ?? '';
    for (const attack of attacks) expect(text).toContain(attack.shown);
    expect(misdeeds).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('has nothing that axe-core objects to when it is %s', async colorScheme => {
    for (const document of [mixed, hostile, empty]) {
      const { page } = await open(chromium, document, { colorScheme });
      await page.evaluate(axe);
      const objections = await page.evaluate(`axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(node => node.html.slice(0, 200)) })))`);
      expect(objections).toEqual([]);
      await page.context().close();
    }
  });

  test('does not scroll sideways on a phone', async () => {
    for (const document of [mixed, hostile, empty]) {
      const { page, misdeeds } = await open(chromium, document, { viewport: { width: 360, height: 740 } });
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
      expect(misdeeds).toEqual([]);
      await page.context().close();
    }
  });
});
