import { expect, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import type { PageFiles } from '../document/frame.ts';
import { documentHtml } from '../document/html.ts';
import { script } from '../document/script.ts';
import { style } from '../document/style.ts';
import { describeInBrowser, longest, objections, open } from '../testing/browser.fixture.ts';
import { type ExampleName, examples, manyChecks, sequenceRun } from '../testing/examples.fixture.ts';
import { attacks, hostileRun, thousandFindings } from '../testing/hostile.fixture.ts';
import { reportOf } from '../testing/runs.fixture.ts';
import { runDocument } from './document.ts';
import { pageFiles } from './page.ts';

/** A slow machine must not fail the test. */
const eventually = { timeout: longest };
const unfold = "document.querySelectorAll('details').forEach(one => { one.open = true; })";
const reportDocument = (report: Report, files?: PageFiles): string => documentHtml(runDocument(report), files);
const html = (name: ExampleName) => reportDocument(reportOf(examples[name]));

describeInBrowser('the page in a browser', chromium => {
  test('runs nothing of what a hostile target sent, and shows it', async () => {
    const { page, misdeeds } = await open(chromium(), reportDocument(reportOf(hostileRun)));
    // Unfold everything; point at and click every element.
    await page.evaluate(unfold);
    await page.evaluate(`document.querySelectorAll('main *').forEach(one => {
      for (const type of ['mouseover', 'focus', 'error', 'load', 'toggle', 'animationstart']) one.dispatchEvent(new Event(type));
    })`);
    await page.locator('[data-search]').fill('alert');
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.title()).toBe('Conformance report: non-conformant');
    const foreign = 'script, img, svg, iframe, object, embed, base, form, style, link, video, audio, template, math';
    expect(await page.locator(`body :is(${foreign})`).count()).toBe(1);
    const text = (await page.locator('body').textContent()) ?? '';
    for (const attack of attacks) expect(text).toContain(attack.shown);
    expect(misdeeds).toEqual([]);
  });

  test('would be caught running something', async () => {
    const guilty = '<body><script>window.owned = 1; alert(1); fetch("https://elsewhere.example.test/")</script>';
    const { page, misdeeds } = await open(chromium(), guilty);
    await expect.poll(() => misdeeds.join('; '), eventually).toMatch(/dialog: 1.*request: https:\/\/elsewhere/);
    expect(await page.evaluate('window.owned')).toBe(1);
  });

  test('lets its policy stop a script that got into it all the same', async () => {
    const injected = html('green').replace(
      '<main',
      '<script>window.owned = 1</script><img src="x" onerror="window.owned = 2"><main',
    );
    const { page, misdeeds } = await open(chromium(), injected);
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(misdeeds.filter(misdeed => misdeed.startsWith('console: ')).length).toBeGreaterThan(0);
    expect(misdeeds.filter(misdeed => misdeed.startsWith('request: '))).toEqual([]);
  });

  test('has nothing that axe-core objects to, be it light or dark', async () => {
    const opened = await open(chromium(), html('green'), { colorScheme: 'light' });
    for (const name of ['green', 'failing', 'untested', 'hostile'] as const) {
      await opened.page.emulateMedia({ colorScheme: 'light' });
      await opened.show(html(name));
      await opened.page.evaluate(unfold);
      expect([name, await objections(opened)]).toEqual([name, []]);
      // Only colours differ in dark mode.
      await opened.page.emulateMedia({ colorScheme: 'dark' });
      expect([name, await objections(opened, ['color-contrast'])]).toEqual([name, []]);
    }
    await opened.page.context().close();
  });

  test('would be objected to where a colour is too faint', async () => {
    const faint = html('green')
      .replace(/<meta http-equiv[^>]*>/, '')
      .replace('--faint: #545c69', '--faint: #b0b6c0');
    expect(JSON.stringify(await objections(await open(chromium(), faint)))).toContain('color-contrast');
  });

  test('no run makes it scroll sideways on a phone; the matrix does within itself, and says so', async () => {
    const { page, misdeeds, show } = await open(chromium(), '', { viewport: { width: 420, height: 740 } });
    for (const name of Object.keys(examples) as ExampleName[]) {
      await show(html(name));
      for (const width of [420, 360]) {
        await page.setViewportSize({ width, height: 740 });
        await page.evaluate(unfold);
        const over = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect([name, width, over]).toEqual([name, width, expect.any(Number)]);
        expect(over).toBeLessThanOrEqual(0);
      }
    }
    expect(misdeeds).toEqual([]);
    const cue = page.locator('.cue');
    await show(reportDocument(reportOf(manyChecks)));
    expect(await page.evaluate("(one => one.scrollWidth > one.clientWidth)(document.querySelector('.wide'))")).toBe(
      true,
    );
    expect(await cue.isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 740 });
    expect(await cue.isVisible()).toBe(false);
    await page.context().close();
  });

  test('is whole under the policy of a strict server, in one file and with files of its own', async () => {
    const headers = {
      'content-security-policy': "sandbox; default-src 'none'; img-src 'self'; style-src 'self'",
    };
    const alone = await open(chromium(), html('failing'), {}, { headers });
    expect(await alone.page.locator('article:is(.cause-fail, .cause-warn):visible').count()).toBe(4);
    expect(await alone.page.locator('.finding .pairs').first().isVisible()).toBe(true);
    expect(await alone.page.locator('[data-filter]').isVisible()).toBe(false);
    const files = { [pageFiles.style]: style, [pageFiles.script]: script };
    const apart = await open(chromium(), reportDocument(reportOf(examples.failing), pageFiles), {}, { headers, files });
    expect(await apart.page.locator('article:is(.cause-fail, .cause-warn):visible').count()).toBe(4);
    const border = "getComputedStyle(document.querySelector('article.cause')).borderTopStyle";
    expect(await apart.page.evaluate(border)).toBe('solid');
    expect(apart.misdeeds.filter(one => one.startsWith('request: '))).toEqual([]);
    // Without such a policy its script works too.
    const free = await open(chromium(), reportDocument(reportOf(examples.failing), pageFiles), {}, { files });
    expect(await free.page.locator('[data-filter]').isVisible()).toBe(true);
    expect(free.misdeeds).toEqual([]);
  });

  test('a sequence is a timeline whose accused step is unfolded, request and answer side by side', async () => {
    const { page } = await open(chromium(), reportDocument(reportOf(sequenceRun)), {
      viewport: { width: 1280, height: 900 },
    });
    const steps = page.locator('.timeline li');
    expect(await steps.count()).toBe(2);
    const [request, answer] = await Promise.all(
      [0, 1].map(at => steps.last().locator('.exchange > div').nth(at).boundingBox()),
    );
    expect(request?.y).toBe(answer?.y);
    expect(answer?.x).toBeGreaterThan((request?.x ?? 0) + (request?.width ?? 0) - 1);
    expect(await steps.last().locator('mark').first().textContent()).toContain('"isEnabled": 1');
    expect(await steps.first().locator('.exchange').isVisible()).toBe(false);
  });

  test('coverage stands beside the verdict of a green run too, on one line', async () => {
    const { page } = await open(chromium(), html('green'), { viewport: { width: 1280, height: 900 } });
    const [verdict, coverage] = await Promise.all(
      ['h1 .first', 'h1 .coverage'].map(one => page.locator(one).boundingBox()),
    );
    expect(coverage?.x).toBeGreaterThan(verdict?.x ?? 0);
    expect(Math.abs((coverage?.y ?? 0) - (verdict?.y ?? 99))).toBeLessThan(verdict?.height ?? 0);
  });

  test('finds by words, by verdict and by endpoint, and says how much it found', async () => {
    const { page } = await open(chromium(), html('failing'));
    const causes = page.locator('article.cause-fail:visible');
    expect(await causes.count()).toBe(3);
    await page.keyboard.press('/');
    await page.keyboard.type('1001 characters');
    expect(await causes.count()).toBe(1);
    expect(await page.locator('[data-status]').textContent()).toMatch(/^1 of \d+ entries shown$/);
    expect(await page.locator('#requirements').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    expect(await causes.count()).toBe(3);
    await page.locator('[data-verdicts]').selectOption('warn');
    expect(await causes.count()).toBe(0);
    expect(await page.locator('article.cause-warn:visible').count()).toBe(1);
    await page.locator('[data-verdicts]').selectOption('');
    await page.locator('[data-endpoint]').selectOption('list-segments');
    expect(await page.locator('article:is(.cause-fail, .cause-warn):visible').count()).toBe(2);
    await page.locator('[data-clear]').click();
    expect(await causes.count()).toBe(3);
  });

  test('copies a command just as it is', async () => {
    const { page } = await open(chromium(), reportDocument(reportOf(hostileRun)));
    const commands = reportOf(hostileRun).endpoints.flatMap(endpoint =>
      endpoint.checks.flatMap(check => check.findings.flatMap(({ curl, reproduce }) => [curl, reproduce])),
    );
    for (const place of [0, 1]) {
      await page.locator('[data-copy]').nth(place).click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()'), eventually).toBe(commands[place]);
      await expect.poll(() => page.locator('[data-said]').textContent(), eventually).toBe('Copied');
    }
  });

  test('leads from the matrix to what was found, and unfolds it', async () => {
    const { page } = await open(chromium(), html('wall'));
    const link = page.locator('a[title="list-events/auth: failed"]');
    const target = page.locator((await link.getAttribute('href')) ?? '');
    expect(await target.getAttribute('open')).toBeNull();
    await link.press('Enter');
    await expect.poll(() => target.getAttribute('open'), eventually).toBe('');
    expect(await target.locator('summary').textContent()).toContain('list-events/auth');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('list-events/auth');
  });

  test('is all there without scripts', async () => {
    const { page } = await open(chromium(), html('failing'), { javaScriptEnabled: false });
    expect(await page.locator('article:is(.cause-fail, .cause-warn)').count()).toBe(4);
    expect(await page.locator('[data-filter]').isVisible()).toBe(false);
    expect(await page.locator('[data-copy]:visible').count()).toBe(0);
  });

  test('stays fit for use with a thousand findings', async () => {
    const { page, misdeeds } = await open(chromium(), reportDocument(reportOf(thousandFindings)));
    expect(await page.locator('.finding').count()).toBe(1_000);
    // One card for each root cause, not a thousand blocks.
    expect(await page.locator('article:is(.cause-fail, .cause-warn)').count()).toBe(2);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(10_000);
    await page.locator('[data-search]').fill('case 777');
    expect(await page.locator('.finding:visible').count()).toBe(1);
    await page.locator('[data-clear]').click();
    expect(await page.locator('.finding:visible').count()).toBe(30);
    expect(misdeeds).toEqual([]);
  });
});
